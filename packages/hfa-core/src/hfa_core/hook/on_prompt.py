"""The user sent a prompt: the records that answer it, or, as most often, nothing."""

from __future__ import annotations

from hfa_core.active.registry import Session
from hfa_core.hook.occasion import NO_MEMORY_TAG
from hfa_core.index.analyzer import analyze_query
from hfa_core.model import HookReply
from hfa_core.recall.frame import strip_frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """The records that answer the prompt, at most two and each once per context."""
    session = Session(occasion.user, event.session_id)
    muted = NO_MEMORY_TAG in event.prompt
    session.note_turn(event.turn_id, muted=muted)
    event.prompt = strip_frames(event.prompt)
    # Chatter has nothing to search for, and ends here before the index is even imported.
    query = analyze_query(event.prompt)
    if muted or not query.units:
        return HookReply()
    from hfa_core.hook.inject import inject

    return inject(event, occasion, session, query=query)
