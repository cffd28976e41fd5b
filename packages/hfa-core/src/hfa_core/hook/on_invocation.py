"""The host calls its model, maybe many times a turn, and forgets what was injected after each call.

So the first call of a turn recalls as a prompt does, and every later one is given the same text again.
"""

from __future__ import annotations

from hfa_core.active.registry import Session
from hfa_core.hook import on_prompt
from hfa_core.hook.occasion import ANSWERED_ELSEWHERE
from hfa_core.hook.turn_cache import TurnCache
from hfa_core.model import HookReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """The records for the turn's prompt; nothing for a sub-agent, or where nobody can tell what the user said."""
    if event.agent_id or not event.prompt:
        return HookReply()
    turn = f"{event.turn_id} {event.prompt}"
    session = Session(occasion.user, event.session_id)
    if not session.claim(f"invocation {turn} {event.trigger}", now=occasion.now):
        return HookReply(note=ANSWERED_ELSEWHERE)
    cache = TurnCache(occasion.layout, event.session_id)
    known = cache.context(turn)
    if known is not None:
        return HookReply(known, note="again")
    session.note_cleared()
    reply = on_prompt.handle(event, occasion)
    if reply.note != ANSWERED_ELSEWHERE:
        cache.put_context(turn, reply.context)
    return reply
