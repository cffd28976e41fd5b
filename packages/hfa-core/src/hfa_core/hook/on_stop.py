"""A turn ended: what it decided is stored, once."""

from __future__ import annotations

import os

from hfa_core.active.registry import Session
from hfa_core.errors import CaptureError, HfaError, InvalidRecordError
from hfa_core.model import HookReply, Source
from hfa_core.recall.frame import strip_frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent

LOCK_TIMEOUT_S = 2.0


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """
    Store what the turn decided. Stop is never answered: context there would send the agent back to work.

    Raises:
        CaptureError: Some of the decisions could not be stored; it says which and why.
    """
    if event.agent_id:
        return HookReply()
    if not (event.decision or "hfa-memory" in event.message):
        event.message = _kept_message(event, occasion)
    if not (event.decision or "hfa-memory" in event.message):
        return HookReply()
    state = Session(occasion.user, event.session_id).read()
    if state.muted:
        return HookReply()
    from hfa_core.capture.extract import drafts_of_event
    from hfa_core.capture.remember import redact_draft, remember, request_id_of
    from hfa_core.store.git_head import read_head

    branch, commit = read_head(occasion.layout.root)
    source = Source("hook", host=event.host, session=event.session_id, branch=branch, commit=commit)
    event.message = strip_frames(event.message)
    problems: list[str] = []
    notes: list[str] = []
    for found in drafts_of_event(event, source, state.touched):
        if isinstance(found, InvalidRecordError):
            problems.append(str(found))
            continue
        # Redacted before it is hashed, so that no id depends on a secret.
        draft = redact_draft(found)
        draft.request_id = request_id_of(event.session_id, event.turn_id, draft)
        try:
            stored = remember(occasion.layout, draft, now=occasion.now, lock_timeout_s=LOCK_TIMEOUT_S)
            notes.append(f"{'known already' if stored.duplicate else 'stored'}: {stored.id}")
        except HfaError as error:
            problems.append(f"{draft.title}: {error}")
    if problems:
        raise CaptureError(tuple(problems))
    return HookReply(note="; ".join(notes))


def _kept_message(event: HookEvent, occasion: Occasion) -> str:
    """What the host told of before, where the end of a turn does not repeat it."""
    if not os.path.isdir(occasion.layout.turn_cache):
        return ""
    from hfa_core.hook.turn_cache import TurnCache

    return TurnCache(occasion.layout, event.session_id).message(event.turn_id)
