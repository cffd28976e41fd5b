"""Claude Code's hook payloads and replies: pure functions between its JSON and HFA's records.

Shapes: https://code.claude.com/docs/en/hooks and the types of `@anthropic-ai/claude-agent-sdk` 0.3.332; seen with
2.1.332.
"""

from __future__ import annotations

from hfa_claude.events import EVENTS
from hfa_core.light.json_codec import as_list, as_mapping, as_text, render_json
from hfa_core.model import HookEvent, HookReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOST = "claude"
EMPTY_REPLY = b"{}\n"

_CONTEXT_EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse")
"""Where `additionalContext` is taken and harmless: from Stop it sends the agent back to work, PreCompact rejects it."""

_MACHINE_PROMPTS = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")
"""Values of a prompt's `source` for prompts that nobody typed."""

_FILE_KEYS = ("file_path", "notebook_path")


def parse_event(host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
    """The event in a payload, or None for an event HFA does not handle; a field of a wrong type counts as missing."""
    name = EVENTS.get(host_event)
    if name is None:
        return None
    typed = as_text(payload.get("source")) not in _MACHINE_PROMPTS
    return HookEvent(
        host=HOST,
        name=name,
        host_event=host_event,
        session_id=as_text(payload.get("session_id")) or as_text(payload.get("conversation_id")),
        turn_id=as_text(payload.get("prompt_id")) or as_text(payload.get("generation_id")),
        cwd=_folder(payload),
        prompt=as_text(payload.get("prompt")) if typed else "",
        message=as_text(payload.get("last_assistant_message")),
        decision=as_mapping(payload.get("decision")) or None,
        files=_touched_files(payload),
        trigger=as_text(payload.get("source")) or as_text(payload.get("trigger")),
        agent_id=as_text(payload.get("agent_id")),
        transcript=as_text(payload.get("transcript_path")),
    )


def complete(event: HookEvent, rows: Sequence[Mapping[str, object]]) -> None:
    """
    The last message of a finished turn, where the payload lacks it, as releases before 2.1 send it.

    One message stands in several rows, one for each of its parts; only its texts count, not its thoughts and tool
    calls, and nothing of a sub-agent or before the turn's last tool result or prompt. A prompt's text is never taken
    from here: one that is missing was not typed.
    """
    if event.name != "stop":
        return
    message_id, texts = "", list[str]()
    for row in reversed(rows):
        if row.get("isSidechain") is True or row.get("type") not in ("assistant", "user"):
            continue
        message = as_mapping(row.get("message"))
        if row.get("type") == "user" or (texts and message.get("id") != message_id):
            break
        message_id = as_text(message.get("id"))
        texts = [*_texts_of(message.get("content")), *texts]
    event.message = "\n".join(texts)


def _texts_of(content: object) -> list[str]:
    fields = [as_mapping(part) for part in as_list(content)]
    return [as_text(part.get("text")) for part in fields if part.get("type") == "text"]


def _folder(payload: Mapping[str, object]) -> str:
    """Where the session works. Cursor, which runs Claude Code's hooks too, names roots instead."""
    roots = as_list(payload.get("workspace_roots"))
    return as_text(payload.get("cwd")) or (as_text(roots[0]) if roots else "")


def _touched_files(payload: Mapping[str, object]) -> tuple[str, ...]:
    tool_input = as_mapping(payload.get("tool_input"))
    found = [as_text(tool_input.get(key)) for key in _FILE_KEYS]
    return tuple(dict.fromkeys(path for path in found if path))


def render_reply(event: HookEvent, reply: HookReply) -> bytes:
    """The one JSON object that Claude Code takes for this event, with a newline."""
    if not reply.context or event.host_event not in _CONTEXT_EVENTS:
        return EMPTY_REPLY
    output = {"hookEventName": event.host_event, "additionalContext": reply.context}
    return (render_json({"hookSpecificOutput": output}) + "\n").encode("utf-8", "replace")


def sample_payload(host_event: str, event: HookEvent) -> dict[str, object]:
    """The payload of an event, the fields of other events left out; what `parse_event` reads, it reads back."""
    payload: dict[str, object] = {
        "session_id": event.session_id,
        "transcript_path": "",
        "cwd": event.cwd,
        "hook_event_name": host_event,
    }
    if event.turn_id:
        payload["prompt_id"] = event.turn_id
    if event.agent_id:
        payload["agent_id"] = event.agent_id
    if host_event == "SessionStart":
        payload["source"] = event.trigger
    elif host_event == "UserPromptSubmit":
        payload["prompt"] = event.prompt
    elif host_event == "PostToolUse":
        files = dict(zip(_FILE_KEYS, event.files, strict=False))
        payload |= {"tool_name": "Edit", "tool_input": files, "tool_response": {}, "tool_use_id": "toolu_1"}
    elif host_event == "Stop":
        payload |= {"stop_hook_active": False, "last_assistant_message": event.message}
        if event.decision:
            payload["decision"] = dict(event.decision)
    elif host_event == "PreCompact":
        payload |= {"trigger": event.trigger, "custom_instructions": None}
    elif host_event == "SessionEnd":
        payload["reason"] = "other"
    return payload
