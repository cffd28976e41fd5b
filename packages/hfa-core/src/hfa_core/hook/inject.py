"""What a hook adds to a host's context: the records of one recall, each once per context, with a receipt."""

from __future__ import annotations

import time

from hfa_core.active.registry import Session, session_name
from hfa_core.hook.occasion import ANSWERED_ELSEWHERE
from hfa_core.model import HookReply
from hfa_core.recall.frame import FRAME_CHARACTERS, frame
from hfa_core.recall.recall import Request, recall
from hfa_core.store.schema import clean_text
from hfa_core.store.snippet import LINE_MARK, defuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.index.analyzer import Query
    from hfa_core.model import HookEvent
    from hfa_core.recall.result import Deferred, Recall

SWEEP_LIMIT_S = 0.1
"""A prompt waits at most this long for the index to catch up; the rest is left to the next session start or command."""
CONTEXT_CHARACTERS = 8_000
"""Hosts cut or replace longer context: Claude Code above 10,000 characters, others near it (measured)."""
_HINTED = "hint:"
"""Before the id of a record that a session was told of without its text."""


def inject(
    event: HookEvent, occasion: Occasion, session: Session, *, query: Query | None = None, files: tuple[str, ...] = ()
) -> HookReply:
    """
    The records that answer a prompt, or those about these files (paths relative to the workspace); at most two.

    Where none is in focus, one line says so of the best one that is not. Of several processes that a host started for
    the same event, one answers.
    """
    started = time.monotonic()
    state = session.read()
    claim = f"{event.name} {state.context} {files or event.prompt}"
    if session.is_claimed(claim, now=occasion.now):
        return HookReply(note=ANSWERED_ELSEWHERE)
    request = Request(
        event.prompt,
        in_context=state.shown,
        characters=CONTEXT_CHARACTERS - FRAME_CHARACTERS,
        brief=True,
        query=query,
        files=files,
    )
    answer = _recall(request, occasion)
    locked = None if answer.selected or files else _find_locked(answer, state.shown)
    if not (answer.selected or locked):
        return HookReply()
    if not session.claim(claim, now=occasion.now):
        return HookReply(note=ANSWERED_ELSEWHERE)
    if locked:
        session.note_shown([_HINTED + locked.id])
        return HookReply(frame(_hint(locked)))
    session.note_shown(item.id for item in answer.selected)
    _write_receipt(event, answer, occasion, time.monotonic() - started)
    return HookReply(frame(answer.recall_text))


def _recall(request: Request, occasion: Occasion) -> Recall:
    from hfa_core.index.database import READ_TIMEOUT_S, open_database
    from hfa_core.index.sync import sync_to_read
    from hfa_core.store.config import read_config
    from hfa_core.store.directory import read_directory

    directory = read_directory(occasion.layout)
    config = read_config(occasion.layout)
    with open_database(occasion.layout, timeout_s=READ_TIMEOUT_S) as database:
        sync_to_read(database, directory, thorough=False, limit_s=SWEEP_LIMIT_S)
        return recall(database, directory, config, request)


def _find_locked(answer: Recall, shown: frozenset[str]) -> Deferred | None:
    """The best record behind the focus lock, if this context was not told of it yet."""
    locked = next((item for item in answer.deferred if item.locked), None)
    return None if locked is None or _HINTED + locked.id in shown else locked


def _hint(locked: Deferred) -> str:
    """One line about a record behind the focus lock: how to see it, and none of its text."""
    told = f'[{locked.id}] {locked.title}: not shown, since {locked.reason}. `hfa recall --unlock "why"` shows it.'
    return LINE_MARK + defuse(clean_text(told))


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
