"""A session ended: the registry forgets the oldest ones. Nothing depends on it, since some hosts never say so."""

from __future__ import annotations

from hfa_core.active.registry import prune_sessions
from hfa_core.model import HookReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """Keep the registry bounded; no context."""
    prune_sessions(occasion.user)
    return HookReply()
