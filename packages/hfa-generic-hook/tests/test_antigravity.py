"""Antigravity's turns through its hooks as installed: many model calls a turn, and an end that says little."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hfa_core.testing import FakeHost
from hfa_generic_hook.plugin import AntigravityAdapter
from tests.payloads import ANTIGRAVITY, ANTIGRAVITY_SAMPLES, event_of, load_sample

BLOCK = "好了。\n\n```hfa-memory\ntitle: 队列改蓝\nhit_words: blue queue, 蓝队列\nconclusion: Blue. 用蓝队列。\n```\n"
MEANINGS = {"SessionStart": "session_start", "PreInvocation": "invocation", "PostInvocation": "answer", "Stop": "stop"}


@pytest.fixture
def adapter() -> AntigravityAdapter:
    return AntigravityAdapter()


@pytest.fixture
def host(fake_host: FakeHost) -> FakeHost:
    """Antigravity with its hooks installed for the user, and one record."""
    fake_host.remember("Queue", ["blue queue", "蓝队列"], ["Deploys go through it. 部署走它。"])
    fake_host.install()
    return fake_host


def fire(host: FakeHost, sample: str, **changes: object) -> dict[str, object]:
    """Let an event happen as it is documented; the one reply."""
    payload = load_sample(ANTIGRAVITY, sample, host.project, **changes)
    (reply,) = host.send(event_of(sample), json.dumps(payload, ensure_ascii=False).encode(), cwd=host.home).replies
    return reply


def write_transcript(host: FakeHost, *rows: tuple[str, str]) -> str:
    path = host.home / "transcript.jsonl"
    lines = [
        json.dumps({"source": source, "created_at": f"2026-11-02T09:15:{number:02d}Z", "content": text})
        for number, (source, text) in enumerate(rows)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("sample", ANTIGRAVITY_SAMPLES)
def test_a_payload_becomes_an_event_if_it_concerns_hfa(adapter: AntigravityAdapter, sample: str) -> None:
    event = adapter.parse_event(event_of(sample), load_sample(ANTIGRAVITY, sample, Path("/home/dev/项目")))

    if event_of(sample) not in MEANINGS or sample == "Stop-background":
        assert event is None
        return
    assert event is not None
    assert (event.name, event.cwd) == (MEANINGS[event_of(sample)], "/home/dev/项目")
    assert event.session_id == "00000001-0000-4000-8000-000000000001"


@pytest.mark.parametrize("prompt", ["what is the blue queue for?", "蓝队列是干什么的？"])
def test_the_users_input_is_answered_with_one_ephemeral_message(host: FakeHost, prompt: str) -> None:
    reply = fire(host, "PreInvocation-newer", lastUserInput=prompt)

    (step,) = reply["injectSteps"]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
    assert list(reply) == ["injectSteps"]
    assert list(step) == ["ephemeralMessage"]  # pyright: ignore[reportUnknownArgumentType]
    assert "部署走它。" in step["ephemeralMessage"]
    assert "reference only" in step["ephemeralMessage"]


def test_every_later_call_of_a_turn_gets_the_same_text_and_the_next_turn_its_own(host: FakeHost) -> None:
    first = fire(host, "PreInvocation-newer", lastUserInput="the blue queue?", executionId="e1")
    for number in range(1, 4):
        again = fire(
            host, "PreInvocation-newer", lastUserInput="the blue queue?", executionId="e1", invocationNum=number
        )
        assert again == first
    searched = [entry for entry in host.log() if entry.get("outcome") == "context"]
    assert len(searched) == 4

    assert fire(host, "PreInvocation-newer", lastUserInput="谢谢", executionId="e2") == {}
    assert fire(host, "PreInvocation-newer", lastUserInput="the blue queue?", executionId="e3") == first


def test_without_the_users_input_the_last_thing_that_the_user_typed_counts(host: FakeHost) -> None:
    request = "<USER_REQUEST>what is the blue queue?<ADDITIONAL_METADATA>{}</ADDITIONAL_METADATA></USER_REQUEST>"
    path = write_transcript(host, ("USER_EXPLICIT", "old"), ("MODEL", "hm"), ("USER_EXPLICIT", request))
    first = fire(host, "PreInvocation", transcriptPath=path)
    assert "部署走它。" in json.dumps(first, ensure_ascii=False)
    path = write_transcript(
        host, ("USER_EXPLICIT", "old"), ("MODEL", "hm"), ("USER_EXPLICIT", request), ("MODEL", "looking")
    )

    assert fire(host, "PreInvocation-later", transcriptPath=path) == first


@pytest.mark.parametrize("rows", [(), (("MODEL", "the blue queue"),), (("SYSTEM", "the blue queue"),)])
def test_nobody_elses_words_are_taken_for_the_users(host: FakeHost, rows: tuple[tuple[str, str], ...]) -> None:
    assert fire(host, "PreInvocation", transcriptPath=write_transcript(host, *rows)) == {}
    assert fire(host, "PreInvocation", transcriptPath="/no/such/file", conversationId="c2") == {}


def test_a_decision_in_the_transcript_is_stored_when_the_turn_ends_and_once(host: FakeHost) -> None:
    path = write_transcript(host, ("USER_EXPLICIT", "settle it"), ("MODEL", BLOCK))
    for _ in range(2):
        assert fire(host, "PostInvocation", transcriptPath=path) == fire(host, "Stop", transcriptPath=path) == {}

    assert [record.title for record in host.records()] == ["Queue", "队列改蓝"]
    assert host.records()[1].source.host == "antigravity"


@pytest.mark.parametrize(
    "changes",
    [
        {"terminationReason": "USER_CANCELED"},
        {"terminationReason": "ERROR", "error": "boom"},
        {"fullyIdle": False},
        {"terminationReason": "MAX_INVOCATIONS"},
    ],
)
def test_a_turn_that_was_cut_off_stores_nothing_and_is_never_continued(
    host: FakeHost, changes: dict[str, object]
) -> None:
    path = write_transcript(host, ("USER_EXPLICIT", "settle it"), ("MODEL", BLOCK))

    assert fire(host, "Stop", transcriptPath=path, **changes) == {}
    assert len(host.records()) == 1


def test_a_sub_agents_calls_are_told_nothing(host: FakeHost) -> None:
    assert fire(host, "PreInvocation-newer", lastUserInput="the blue queue?", parentConversationId="c1") == {}
