"""Newhost's event names, and HFA's names for them."""

from __future__ import annotations

EVENTS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool",
    "Stop": "stop",
}
