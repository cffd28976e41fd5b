"""Cursor's event names, by which its hooks are registered, and HFA's names for them."""

from __future__ import annotations

EVENTS = {
    "sessionStart": "session_start",
    "beforeSubmitPrompt": "prompt",
    "postToolUse": "tool",
    "afterFileEdit": "edit",
    "afterAgentResponse": "answer",
    "preCompact": "compact",
    "stop": "stop",
    "sessionEnd": "session_end",
}
