"""Newhost's hook payloads and replies: pure functions between its JSON and HFA's records."""

from __future__ import annotations

from hfa_core.light.json_codec import as_mapping, as_text, render_json
from hfa_core.model import HookEvent, HookReply
from hfa_newhost.events import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "newhost"
EMPTY_REPLY = b"{}\n"

_CONTEXT_EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse")
"""Where the host shows the model what a hook adds. Never at the end of a turn: it would go on working."""


def parse_event(host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
    """The event in a payload, or None for an event HFA does not handle; a field of a wrong type counts as missing."""
    name = EVENTS.get(host_event)
    if name is None:
        return None
    file = as_text(as_mapping(payload.get("tool_input")).get("file_path"))
    return HookEvent(
        host=HOST,
        name=name,
        host_event=host_event,
        session_id=as_text(payload.get("session_id")),
        turn_id=as_text(payload.get("turn_id")),
        cwd=as_text(payload.get("cwd")),
        prompt=as_text(payload.get("prompt")),
        message=as_text(payload.get("last_assistant_message")),
        files=(file,) if file else (),
        trigger=as_text(payload.get("source")),
        agent_id=as_text(payload.get("agent_id")),
    )


def render_reply(event: HookEvent, reply: HookReply) -> bytes:
    """The one JSON object that the host takes for this event, with a newline."""
    if not reply.context or event.host_event not in _CONTEXT_EVENTS:
        return EMPTY_REPLY
    return (render_json({"additional_context": reply.context}) + "\n").encode("utf-8", "replace")


def sample_payload(host_event: str, event: HookEvent) -> dict[str, object]:
    """The payload in which the host would tell of an event; what `parse_event` reads, it reads back."""
    payload: dict[str, object] = {"session_id": event.session_id, "turn_id": event.turn_id, "cwd": event.cwd}
    if event.agent_id:
        payload["agent_id"] = event.agent_id
    if host_event == "SessionStart":
        payload["source"] = event.trigger
    elif host_event == "UserPromptSubmit":
        payload["prompt"] = event.prompt
    elif host_event == "PostToolUse":
        payload["tool_input"] = {"file_path": event.files[0] if event.files else ""}
    elif host_event == "Stop":
        payload["last_assistant_message"] = event.message
    return payload
