"""Cursor's hook payloads and replies: pure functions between its JSON and HFA's records.

Shapes: https://cursor.com/docs/hooks, and payloads that users of Cursor 3 published. Not run against Cursor itself,
which needs an account.
"""

from __future__ import annotations

from hfa_core.light.json_codec import as_list, as_mapping, as_text, render_json
from hfa_core.model import HookEvent, HookReply
from hfa_cursor.events import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOST = "cursor"
EMPTY_REPLY = b"{}\n"

_CONTEXT_EVENTS = ("sessionStart", "beforeSubmitPrompt", "postToolUse")
"""
Where `additional_context` reaches the model. For `beforeSubmitPrompt` that is measured and not documented; for the
events that follow an edit, an answer or the turn, no answer is taken.
"""

_FILE_KEYS = ("file_path", "target_file", "path")
_TOOLS_ON_FILES = ("Read", "Write", "Edit", "Delete", "StrReplace", "MultiEdit")
"""Of other tools a `path` is where they search."""


def parse_event(host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
    """
    The event in a payload, or None for one that HFA does not handle; a field of a wrong type counts as missing.

    A turn that was aborted or failed has no end that concluded anything, so its `stop` is None.
    """
    name = EVENTS.get(host_event)
    status = as_text(payload.get("status"))
    if name is None or (name == "stop" and status not in ("", "completed")):
        return None
    roots = [root for root in map(as_text, as_list(payload.get("workspace_roots"))) if root]
    return HookEvent(
        host=HOST,
        name=name,
        host_event=host_event,
        session_id=as_text(payload.get("session_id")) or as_text(payload.get("conversation_id")),
        turn_id=as_text(payload.get("generation_id")),
        cwd=roots[0] if roots else as_text(payload.get("cwd")),
        prompt=as_text(payload.get("prompt")) if name == "prompt" else "",
        message=as_text(payload.get("text")) if name == "answer" else "",
        files=_touched_files(name, payload),
        transcript=as_text(payload.get("transcript_path")),
    )


def _touched_files(name: str, payload: Mapping[str, object]) -> tuple[str, ...]:
    if name == "edit":
        found = [as_text(payload.get("file_path"))]
    elif name == "tool" and payload.get("tool_name") in _TOOLS_ON_FILES:
        tool_input = as_mapping(payload.get("tool_input"))
        found = [as_text(tool_input.get(key)) for key in _FILE_KEYS]
    else:
        found = []
    return tuple(dict.fromkeys(path for path in found if path))


def complete(event: HookEvent, rows: Sequence[Mapping[str, object]]) -> None:
    """The last answer of a finished turn, from the transcript: the texts after the user's last message."""
    if event.name != "stop":
        return
    texts: list[str] = []
    for row in reversed(rows):
        if row.get("role") == "user":
            break
        if row.get("role") == "assistant":
            parts = [as_mapping(part) for part in as_list(as_mapping(row.get("message")).get("content"))]
            texts = [*(as_text(part.get("text")) for part in parts if part.get("type") == "text"), *texts]
    event.message = "\n".join(texts)


def render_reply(event: HookEvent, reply: HookReply) -> bytes:
    """The one JSON object that Cursor takes for this event, with a newline; it never stops or continues a turn."""
    if not reply.context or event.host_event not in _CONTEXT_EVENTS:
        return EMPTY_REPLY
    output: dict[str, object] = {"additional_context": reply.context}
    if event.host_event == "beforeSubmitPrompt":
        output = {"continue": True, **output}
    return (render_json(output) + "\n").encode("utf-8", "replace")


def sample_payload(host_event: str, event: HookEvent) -> dict[str, object]:
    """The payload of an event, the fields of other events left out; what `parse_event` reads, it reads back."""
    payload: dict[str, object] = {
        "conversation_id": event.session_id,
        "generation_id": event.turn_id,
        "model": "default",
        "session_id": event.session_id,
        "hook_event_name": host_event,
        "cursor_version": "3.24.18",
        "workspace_roots": [event.cwd],
        "user_email": None,
        "transcript_path": None,
    }
    if host_event == "beforeSubmitPrompt":
        payload |= {"prompt": event.prompt, "attachments": []}
    elif host_event == "postToolUse":
        files = dict(zip(_FILE_KEYS, event.files, strict=False))
        payload |= {"tool_name": "Write", "tool_input": files, "tool_output": "{}", "tool_use_id": "t1", "cwd": ""}
    elif host_event == "afterFileEdit":
        payload |= {"file_path": event.files[0] if event.files else "", "edits": []}
    elif host_event == "afterAgentResponse":
        payload["text"] = event.message
    elif host_event == "stop":
        payload |= {"status": "completed", "loop_count": 0}
    elif host_event == "sessionStart":
        payload |= {"is_background_agent": False, "composer_mode": "agent"}
    elif host_event == "preCompact":
        payload |= {"trigger": "auto", "context_usage_percent": 85}
    elif host_event == "sessionEnd":
        payload |= {"reason": "completed", "duration_ms": 1}
    return payload
