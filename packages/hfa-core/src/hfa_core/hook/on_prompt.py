"""The user sent a prompt: the records that answer it, or, as most often, nothing."""

from __future__ import annotations

import time

from hfa_core.active.registry import Session, session_name
from hfa_core.hook.occasion import NO_MEMORY_TAG
from hfa_core.index.analyzer import analyze_query
from hfa_core.model import HookReply
from hfa_core.recall.frame import FRAME_CHARACTERS, frame, strip_frames
from hfa_core.store.schema import clean_text
from hfa_core.store.snippet import LINE_MARK, defuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.index.analyzer import Query
    from hfa_core.model import HookEvent
    from hfa_core.recall.result import Recall

SWEEP_LIMIT_S = 0.1
"""A prompt waits at most this long for the index to catch up; the rest is left to the next session start or command."""
_HINTED = "hint:"
"""Before the id of a record that a session was told of without its text."""
CONTEXT_CHARACTERS = 8_000
"""Hosts cut or replace longer context: Claude Code above 10,000 characters, others near it (measured)."""


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """The records that answer the prompt, at most two and each once per context."""
    session = Session(occasion.user, event.session_id)
    muted = NO_MEMORY_TAG in event.prompt
    session.note_turn(event.turn_id, muted=muted)
    prompt = strip_frames(event.prompt)
    # Chatter has nothing to search for, and ends here before the index is even imported.
    query = analyze_query(prompt)
    if muted or not query.units:
        return HookReply()
    started = time.monotonic()
    answer = _recall(prompt, query, session, occasion)
    if not answer.selected:
        return HookReply(frame(_hint(answer, session)))
    session.note_shown(item.id for item in answer.selected)
    _write_receipt(event, answer, occasion, time.monotonic() - started)
    return HookReply(frame(answer.recall_text))


def _hint(answer: Recall, session: Session) -> str:
    """One line about the best record behind the focus lock, once per context; how to see it, and none of its text."""
    locked = next((item for item in answer.deferred if item.locked), None)
    if locked is None or (mark := _HINTED + locked.id) in session.read().shown:
        return ""
    session.note_shown([mark])
    told = f'[{locked.id}] {locked.title}: not shown, since {locked.reason}. `hfa recall --unlock "why"` shows it.'
    return LINE_MARK + defuse(clean_text(told))


def _recall(prompt: str, query: Query, session: Session, occasion: Occasion) -> Recall:
    from hfa_core.index.database import READ_TIMEOUT_S, open_database
    from hfa_core.index.sync import sync_to_read
    from hfa_core.recall.recall import Request, recall
    from hfa_core.store.config import read_config
    from hfa_core.store.directory import read_directory

    directory = read_directory(occasion.layout)
    config = read_config(occasion.layout)
    with open_database(occasion.layout, timeout_s=READ_TIMEOUT_S) as database:
        sync_to_read(database, directory, thorough=False, limit_s=SWEEP_LIMIT_S)
        request = Request(
            prompt,
            in_context=session.read().shown,
            characters=CONTEXT_CHARACTERS - FRAME_CHARACTERS,
            brief=True,
            query=query,
        )
        return recall(database, directory, config, request)


def _write_receipt(event: HookEvent, answer: Recall, occasion: Occasion, seconds: float) -> None:
    from hfa_core.hook.log import write_receipt

    write_receipt(
        occasion.user,
        answer,
        host=event.host,
        session=session_name(event.session_id),
        seconds=seconds,
        now=occasion.now,
    )
