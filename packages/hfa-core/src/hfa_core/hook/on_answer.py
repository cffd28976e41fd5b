"""The agent said something in a turn that goes on: kept until the turn ends, where the host does not repeat it."""

from __future__ import annotations

from hfa_core.hook.turn_cache import TurnCache
from hfa_core.model import HookReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """Keep the message, if it may hold a decision."""
    if not event.agent_id and "hfa-memory" in event.message:
        TurnCache(occasion.layout, event.session_id).put_message(event.turn_id, event.message)
    return HookReply()
