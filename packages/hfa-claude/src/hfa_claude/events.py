"""Claude Code's event names and ours.

Seen on Claude Code 2.1.332; documented at https://code.claude.com/docs/en/hooks. Events that are not listed do not
concern HFA. Which of these an installation registers is said in `install`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

EVENTS: Mapping[str, str] = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool",
    "Stop": "stop",
    "PreCompact": "compact",
    "SessionEnd": "session_end",
}
"""From the host's name of an event to HFA's, in the order of a session."""
