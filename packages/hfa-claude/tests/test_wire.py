"""Claude Code's JSON to HFA's records and back, without a process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_claude.events import EVENTS
from hfa_claude.wire import EMPTY_REPLY, parse_event, render_reply
from hfa_core.model import HookEvent, HookReply
from tests.payloads import CLAUDE_SAMPLES, event_of, load_payload

PROJECT = Path("/home/dev/项目")
SESSION = "205f6fe5-4055-4475-b044-87446ac0d046"
CONTEXT_EVENTS = {"SessionStart", "UserPromptSubmit", "PostToolUse"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["session_id", "prompt_id", "cwd", "prompt", "source", "trigger", "agent_id", "decision", "tool_input"]
)


def parsed(sample: str, **changes: object) -> HookEvent:
    event = parse_event(event_of(sample), load_payload(sample, PROJECT, **changes))
    assert event is not None
    return event


@pytest.mark.parametrize("sample", CLAUDE_SAMPLES)
def test_a_recorded_payload_becomes_an_event_if_it_concerns_hfa(sample: str) -> None:
    payload = load_payload(sample, PROJECT)
    event = parse_event(event_of(sample), payload)

    if event_of(sample) not in EVENTS:
        assert event is None
        return
    assert event is not None
    assert payload["hook_event_name"] == event.host_event == event_of(sample)
    assert (event.host, event.name) == ("claude", EVENTS[event_of(sample)])
    assert (event.session_id, event.cwd) == (SESSION, str(PROJECT))
    assert event.turn_id == payload.get("prompt_id", "")


@pytest.mark.parametrize("prompt", ["how do tokens rotate?", "令牌怎么轮换？", "", "two\nlines \u200b 😀"])
def test_a_prompt_arrives_as_it_was_typed(prompt: str) -> None:
    assert parsed("UserPromptSubmit", prompt=prompt).prompt == prompt
    assert parsed("UserPromptSubmit", prompt=prompt, source="user").prompt == prompt
    assert parsed("UserPromptSubmit", prompt=prompt, source="sdk").prompt == prompt


@pytest.mark.parametrize("source", ["system", "loop_wakeup", "schedule_wakeup", "poll_event"])
def test_a_prompt_that_nobody_typed_is_empty(source: str) -> None:
    assert parsed("UserPromptSubmit", prompt="wake up", source=source).prompt == ""


@pytest.mark.parametrize(
    ("sample", "trigger"),
    [
        ("SessionStart", "startup"),
        ("SessionStart-resume", "resume"),
        ("SessionStart-compact", "compact"),
        ("PreCompact", "manual"),
        ("UserPromptSubmit", ""),
    ],
)
def test_the_trigger_says_why_an_event_came(sample: str, trigger: str) -> None:
    assert parsed(sample).trigger == trigger


@pytest.mark.parametrize(
    ("tool_input", "files"),
    [
        ({"file_path": "/a/重试.py"}, ("/a/重试.py",)),
        ({"notebook_path": "/a/b.ipynb"}, ("/a/b.ipynb",)),
        ({"file_path": "/a", "notebook_path": "/a"}, ("/a",)),
        ({"file_path": 1, "command": "ls /x"}, ()),
        ({}, ()),
        ([], ()),
        (None, ()),
        ("/a", ()),
    ],
)
def test_the_files_of_a_tool_are_those_that_its_input_names(tool_input: object, files: tuple[str, ...]) -> None:
    assert parsed("PostToolUse", tool_input=tool_input).files == files


def test_recorded_tools_name_the_file_they_worked_on() -> None:
    assert parsed("PostToolUse").files == (f"{PROJECT}/notes.txt",)
    assert parsed("PostToolUse-Edit").files == (f"{PROJECT}/README.md",)
    assert parsed("PostToolUse-Bash").files == ()


@pytest.mark.parametrize("decision", [None, "text", [], {}, 1, {"title": "标题"}])
def test_a_structured_decision_is_an_object_that_says_something(decision: object) -> None:
    assert parsed("Stop", decision=decision).decision == (decision if decision == {"title": "标题"} else None)


def test_the_last_message_and_a_sub_agents_id_arrive() -> None:
    event = parsed("Stop", last_assistant_message="决定了", agent_id="a1")

    assert (event.message, event.agent_id) == ("决定了", "a1")
    assert parsed("Stop").agent_id == ""


@given(event=st.sampled_from([*EVENTS, "PreToolUse", "", "事件"]), payload=st.dictionaries(FIELDS | st.text(), JSON))
def test_any_json_object_becomes_an_event_or_none(event: str, payload: dict[str, object]) -> None:
    found = parse_event(event, payload)

    assert (found is None) == (event not in EVENTS)
    if found is not None:
        texts = (found.session_id, found.turn_id, found.cwd, found.prompt, found.message, found.trigger, found.agent_id)
        assert all(isinstance(text, str) for text in texts)


@pytest.mark.parametrize("host_event", EVENTS)
@given(context=st.text(st.characters(), min_size=1))
def test_a_reply_is_one_json_object_on_one_line_in_the_documented_shape(host_event: str, context: str) -> None:
    event = HookEvent(host="claude", name=EVENTS[host_event], host_event=host_event)
    data = render_reply(event, HookReply(context))

    assert data.count(b"\n") == 1
    assert data.endswith(b"\n")
    document = cast("dict[str, object]", json.loads(data))
    if host_event in CONTEXT_EVENTS:
        text = context.encode("utf-8", "replace").decode()
        assert document == {"hookSpecificOutput": {"hookEventName": host_event, "additionalContext": text}}
    else:
        assert data == EMPTY_REPLY


@pytest.mark.parametrize("host_event", EVENTS)
def test_nothing_to_say_is_an_empty_object(host_event: str) -> None:
    event = HookEvent(host="claude", name=EVENTS[host_event], host_event=host_event)

    assert render_reply(event, HookReply()) == EMPTY_REPLY == b"{}\n"
