"""A tool ran: which files the turn touched, for the record that it may leave."""

from __future__ import annotations

from hfa_core.active.registry import Session
from hfa_core.capture.extract import relative_paths
from hfa_core.model import HookReply
from hfa_core.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """Note the files, but for a sub-agent's; no context."""
    if event.files and not event.agent_id:
        # Before a path is shortened: what tells a secret may be at its front.
        files = tuple(redact(file) for file in event.files)
        Session(occasion.user, event.session_id).note_touched(relative_paths(files, occasion.layout.workspace))
    return HookReply()
