"""Cursor's turns through the hooks as installed: what is recalled, what is kept, and what is not."""

from __future__ import annotations

import json

import pytest

from hfa_core.testing import FakeHost
from hfa_cursor.plugin import CursorAdapter
from tests.payloads import CURSOR, load_sample

BLOCK = "好了。\n\n```hfa-memory\ntitle: 队列改蓝\nhit_words: blue queue, 蓝队列\nconclusion: Blue. 用蓝队列。\n```\n"


@pytest.fixture
def adapter() -> CursorAdapter:
    return CursorAdapter()


@pytest.fixture
def host(fake_host: FakeHost) -> FakeHost:
    """Cursor with its hooks installed for the user."""
    fake_host.install()
    return fake_host


def fire(host: FakeHost, sample: str, **changes: object) -> str:
    """Let an event happen as it was recorded; the text that the model is told."""
    payload = load_sample(CURSOR, sample, host.project, **changes)
    # On Windows, Cursor puts a byte order mark before its JSON.
    data = b"\xef\xbb\xbf" + json.dumps(payload, ensure_ascii=False).encode()
    return host.send(str(payload["hook_event_name"]), data, cwd=host.home / ".cursor").text


def test_a_whole_session_from_recorded_payloads(host: FakeHost) -> None:
    host.remember("Queue", ["blue queue", "蓝队列"], ["Deploys go through it. 部署走它。"], paths=["worker.py"])

    assert "1 current record" in fire(host, "sessionStart")
    assert "部署走它。" in fire(host, "beforeSubmitPrompt", prompt="what is the blue queue for? 蓝队列")
    assert fire(host, "beforeSubmitPrompt", prompt="谢谢", generation_id="g2") == ""
    assert fire(host, "afterFileEdit") == ""
    assert fire(host, "afterAgentResponse") == fire(host, "stop") == ""
    assert len(host.records()) == 1


def test_an_edit_does_not_use_up_what_the_tool_event_is_told(host: FakeHost) -> None:
    host.remember("Worker", ["drain"], ["One at a time. 一次一个。"], paths=["worker.py"])
    fire(host, "afterFileEdit")

    told = fire(host, "postToolUse", tool_name="Write", tool_input={"file_path": str(host.project / "worker.py")})
    assert "一次一个。" in told
    assert fire(host, "postToolUse", tool_name="Read", tool_input={"file_path": str(host.project / "worker.py")}) == ""


def test_an_answer_is_kept_when_its_turn_completes_with_the_files_of_the_turn(host: FakeHost) -> None:
    fire(host, "beforeSubmitPrompt", prompt="settle the queue")
    fire(host, "afterFileEdit")
    fire(host, "afterAgentResponse", text=BLOCK)
    assert host.records() == []
    for _ in range(2):
        fire(host, "stop")

    assert [(record.title, record.paths) for record in host.records()] == [("队列改蓝", ("worker.py",))]
    assert host.records()[0].source.host == "cursor"


@pytest.mark.parametrize("status", ["aborted", "error"])
def test_a_turn_that_was_cancelled_leaves_nothing_behind_for_the_next(host: FakeHost, status: str) -> None:
    fire(host, "afterAgentResponse", text=BLOCK)
    fire(host, "stop", status=status)
    fire(host, "afterAgentResponse", generation_id="g2")
    fire(host, "stop", generation_id="g2")

    assert host.records() == []


def test_after_a_compaction_a_record_is_told_again(host: FakeHost) -> None:
    host.remember("Queue", ["blue queue"], ["Blue."])
    assert "Blue." in fire(host, "beforeSubmitPrompt", prompt="the blue queue?")
    assert fire(host, "beforeSubmitPrompt", prompt="and the blue queue again?", generation_id="g2") == ""
    fire(host, "preCompact")
    assert "Blue." in fire(host, "beforeSubmitPrompt", prompt="so, the blue queue?", generation_id="g3")


def test_a_secret_in_an_answer_is_nowhere_on_the_disk(host: FakeHost) -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    fire(host, "afterAgentResponse", text=BLOCK.replace("Blue.", f"Use {secret}."))
    fire(host, "stop")

    assert len(host.records()) == 1
    for root in (host.project, host.home):
        for path in root.rglob("*"):
            assert not path.is_file() or secret.encode() not in path.read_bytes()
