"""Cursor's JSON to HFA's records and back, without a process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.model import HookEvent, HookReply
from hfa_cursor.events import EVENTS
from hfa_cursor.wire import EMPTY_REPLY, complete, parse_event, render_reply
from tests.payloads import CURSOR, CURSOR_SAMPLES, load_sample

PROJECT = Path("/home/dev/项目")
SESSION = "c0000000-0000-4000-8000-000000000001"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["session_id", "conversation_id", "generation_id", "workspace_roots", "prompt", "text", "status", "tool_input"]
)


def parsed(sample: str, **changes: object) -> HookEvent:
    payload = load_sample(CURSOR, sample, PROJECT, **changes)
    event = parse_event(str(payload["hook_event_name"]), payload)
    assert event is not None
    return event


@pytest.mark.parametrize("sample", CURSOR_SAMPLES)
def test_a_payload_becomes_an_event_if_it_concerns_hfa(sample: str) -> None:
    payload = load_sample(CURSOR, sample, PROJECT)
    host_event = str(payload["hook_event_name"])
    event = parse_event(host_event, payload)

    if host_event not in EVENTS:
        assert event is None
        return
    assert event is not None
    assert (event.host, event.name, event.host_event) == ("cursor", EVENTS[host_event], host_event)
    assert (event.session_id, event.cwd) == (SESSION, str(PROJECT))


@pytest.mark.parametrize("prompt", ["how do tokens rotate?", "令牌怎么轮换？", "", "two\nlines 😀"])
def test_a_prompt_arrives_as_it_was_typed(prompt: str) -> None:
    assert parsed("beforeSubmitPrompt", prompt=prompt).prompt == prompt


def test_a_session_is_known_by_its_conversation_where_it_has_no_other_name() -> None:
    assert parsed("beforeSubmitPrompt", session_id=None).session_id == SESSION


@pytest.mark.parametrize(
    ("tool", "tool_input", "files"),
    [
        ("Write", {"file_path": "/a/重试.py"}, ("/a/重试.py",)),
        ("Read", {"target_file": "/a"}, ("/a",)),
        ("Delete", {"path": "/a"}, ("/a",)),
        ("Grep", {"path": "/a"}, ()),
        ("Shell", {"command": "ls /a"}, ()),
        ("Write", None, ()),
        ("Write", [1], ()),
        (None, {"file_path": "/a"}, ()),
    ],
)
def test_the_files_of_a_tool_are_those_that_it_works_on(
    tool: object, tool_input: object, files: tuple[str, ...]
) -> None:
    assert parsed("postToolUse", tool_name=tool, tool_input=tool_input).files == files


def test_an_edit_names_its_file() -> None:
    assert parsed("afterFileEdit").files == (f"{PROJECT}/worker.py",)


@pytest.mark.parametrize("status", ["aborted", "error", "cancelled"])
def test_a_turn_that_did_not_complete_concluded_nothing(status: str) -> None:
    assert parse_event("stop", load_sample(CURSOR, "stop", PROJECT, status=status)) is None


def test_a_sub_agent_is_not_a_turn() -> None:
    for sample in ("subagentStart", "subagentStop"):
        assert parse_event(sample, load_sample(CURSOR, sample, PROJECT)) is None


@pytest.mark.parametrize(
    ("host_event", "reply"),
    [
        ("beforeSubmitPrompt", {"continue": True, "additional_context": "注意"}),
        ("sessionStart", {"additional_context": "注意"}),
        ("postToolUse", {"additional_context": "注意"}),
        *((event, {}) for event in ("afterFileEdit", "afterAgentResponse", "preCompact", "stop", "sessionEnd")),
    ],
)
def test_a_reply_has_the_flat_form_of_its_event_and_never_steers_the_host(
    host_event: str, reply: dict[str, object]
) -> None:
    event = HookEvent(host="cursor", name=EVENTS[host_event], host_event=host_event)

    assert json.loads(render_reply(event, HookReply("注意"))) == reply
    assert render_reply(event, HookReply()) == EMPTY_REPLY


def test_the_last_answer_of_a_transcript_is_what_follows_the_users_last_message() -> None:
    def row(role: str, *texts: str) -> dict[str, object]:
        return {"role": role, "message": {"content": [{"type": "text", "text": text} for text in texts]}}

    rows = [
        row("user", "a"),
        row("assistant", "old"),
        row("user", "b"),
        row("assistant", "one", "二"),
        {"type": "turn_ended"},
    ]
    event = parsed("stop")
    complete(event, rows)

    assert event.message == "one\n二"


@given(event=st.sampled_from([*EVENTS, "preToolUse", "", "事件"]), payload=st.dictionaries(FIELDS | st.text(), JSON))
def test_any_json_object_becomes_an_event_or_none(event: str, payload: dict[str, object]) -> None:
    found = parse_event(event, payload)

    assert found is None or event in EVENTS
    if found is not None:
        texts = (found.session_id, found.turn_id, found.cwd, found.prompt, found.message)
        assert all(isinstance(text, str) for text in texts)
