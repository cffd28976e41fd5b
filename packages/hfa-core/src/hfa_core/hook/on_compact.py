"""The host is about to summarise the context."""

from __future__ import annotations

from hfa_core.active.registry import Session
from hfa_core.model import HookReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """What was shown may be shown again. No context is accepted here."""
    Session(occasion.user, event.session_id).note_cleared()
    return HookReply()
