"""Claude Code's hook payloads and replies: pure functions between its JSON and HFA's records.

Shapes: https://code.claude.com/docs/en/hooks and the types of `@anthropic-ai/claude-agent-sdk` 0.3.332; seen with
2.1.332.
"""

from __future__ import annotations

from hfa_claude.events import EVENTS
from hfa_core.light.json_codec import as_mapping, as_text, render_json
from hfa_core.model import HookEvent, HookReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

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
        session_id=as_text(payload.get("session_id")),
        turn_id=as_text(payload.get("prompt_id")),
        cwd=as_text(payload.get("cwd")),
        prompt=as_text(payload.get("prompt")) if typed else "",
        message=as_text(payload.get("last_assistant_message")),
        decision=as_mapping(payload.get("decision")) or None,
        files=_touched_files(payload),
        trigger=as_text(payload.get("source")) or as_text(payload.get("trigger")),
        agent_id=as_text(payload.get("agent_id")),
    )


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
