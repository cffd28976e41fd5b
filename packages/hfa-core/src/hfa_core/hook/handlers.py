"""What each event of a host means: one function an event, from `HookEvent` to `HookReply`."""

from __future__ import annotations

import time

from hfa_core.active.registry import Session, prune_sessions
from hfa_core.errors import CaptureError, HfaError, InvalidRecordError
from hfa_core.fs.layout import UserLayout
from hfa_core.hook.log import write_entry
from hfa_core.index.database import READ_TIMEOUT_S, open_database
from hfa_core.index.sync import sync
from hfa_core.model import HookReply, Record, Source
from hfa_core.recall.frame import frame, strip_frames
from hfa_core.recall.recall import Request, recall
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hfa_core.fs.layout import Layout
    from hfa_core.model import HookEvent
    from hfa_core.recall.result import Recall
    from hfa_core.settings import Environment

SWEEP_LIMIT_S = 0.1
"""A prompt waits at most this long for the index to catch up; the rest is left to the next session start or command."""
CONTEXT_CHARACTERS = 8_000
"""Hosts cut or replace longer context: Claude Code above 10,000 characters, others near it (measured)."""
HOOK_LOCK_TIMEOUT_S = 2.0
NO_MEMORY_TAG = "#nomemory"


class Occasion(Record):
    """The circumstances of one event: its memory, the user's folder for it, and the environment."""

    __slots__ = ("environment", "layout", "now", "user")

    def __init__(self, layout: Layout, user: UserLayout, environment: Environment, now: float) -> None:
        self.layout = layout
        self.user = user
        self.environment = environment
        self.now = now


def on_session_start(event: HookEvent, occasion: Occasion) -> HookReply:
    """The active line and the number of records; nothing for an empty memory. The context starts anew."""
    session = Session(occasion.user, event.session_id)
    if event.trigger in ("startup", "clear", "compact"):
        session.note_cleared()
    prune_sessions(occasion.user)
    directory = read_directory(occasion.layout)
    main = directory.active_main(occasion.layout.directory)
    with open_database(occasion.layout, timeout_s=READ_TIMEOUT_S) as database:
        sync(database, directory)
        count = database.get_meta("count")
        superseded = database.connection.execute(
            "SELECT count(DISTINCT s.old) FROM supersedes s JOIN chunks c ON c.id = s.old WHERE c.problem = ''"
        ).fetchone()[0]
    if not isinstance(count, int) or count < 1:
        return HookReply()
    current = count - superseded
    return HookReply(frame(f"Active line: {main.id} {main.title}. {current} current records, {superseded} superseded."))


def on_prompt(event: HookEvent, occasion: Occasion) -> HookReply:
    """The records that answer the prompt, at most two and each once per context; usually nothing."""
    session = Session(occasion.user, event.session_id)
    muted = NO_MEMORY_TAG in event.prompt
    session.note_turn(event.turn_id, muted=muted)
    if muted or not event.prompt.strip():
        return HookReply()
    started = time.monotonic()
    answer = _recall(strip_frames(event.prompt), session, occasion)
    text = frame(answer.recall_text)
    if not text or len(text) > CONTEXT_CHARACTERS:
        return HookReply()
    session.note_shown(item.id for item in answer.selected)
    _write_receipt(event, answer, occasion, time.monotonic() - started)
    return HookReply(text)


def _recall(prompt: str, session: Session, occasion: Occasion) -> Recall:
    directory = read_directory(occasion.layout)
    config = read_config(occasion.layout)
    with open_database(occasion.layout, timeout_s=READ_TIMEOUT_S) as database:
        sync(database, directory, thorough=False, limit_s=SWEEP_LIMIT_S)
        return recall(database, directory, config, Request(prompt, in_context=session.read().shown))


def _write_receipt(event: HookEvent, answer: Recall, occasion: Occasion, seconds: float) -> None:
    receipt = {
        "host": event.host,
        "session": event.session_id,
        "ids": [item.id for item in answer.selected],
        "match": [list(item.match) for item in answer.selected],
        "tokens": answer.recall_tokens,
        "exact": answer.exact,
        "ms": round(seconds * 1000, 1),
    }
    write_entry(occasion.user.receipts, receipt, now=occasion.now)


def on_tool(event: HookEvent, occasion: Occasion) -> HookReply:
    """Note the files that the turn touched, for the record it may leave; no context."""
    from hfa_core.capture.extract import relative_paths

    if not event.agent_id:
        Session(occasion.user, event.session_id).note_touched(relative_paths(event.files, occasion.layout.workspace))
    return HookReply()


def on_stop(event: HookEvent, occasion: Occasion) -> HookReply:
    """Store what the turn decided. Stop is never answered: context there would send the agent back to work."""
    if event.agent_id or not (event.decision or "hfa-memory" in event.message):
        return HookReply()
    state = Session(occasion.user, event.session_id).read()
    if state.muted:
        return HookReply()
    from hfa_core.capture.extract import drafts_of_event
    from hfa_core.capture.remember import remember, request_id_of
    from hfa_core.store.git_head import read_head

    branch, commit = read_head(occasion.layout.workspace)
    source = Source("hook", host=event.host, session=event.session_id, branch=branch, commit=commit)
    event.message = strip_frames(event.message)
    problems: list[str] = []
    for draft in drafts_of_event(event, source, state.touched):
        if isinstance(draft, InvalidRecordError):
            problems.append(str(draft))
            continue
        draft.request_id = request_id_of(event.session_id, event.turn_id, draft.conclusion)
        try:
            remember(occasion.layout, draft, now=occasion.now, lock_timeout_s=HOOK_LOCK_TIMEOUT_S)
        except HfaError as error:
            problems.append(f"{draft.title}: {error}")
    if problems:
        raise CaptureError(tuple(problems))
    return HookReply()


def on_compact(event: HookEvent, occasion: Occasion) -> HookReply:
    """The host is about to summarise the context: what was shown may be shown again. No context is accepted here."""
    Session(occasion.user, event.session_id).note_cleared()
    return HookReply()


def on_session_end(event: HookEvent, occasion: Occasion) -> HookReply:
    """Nothing is left to do at a session's end: state is durable at every event, since hosts may skip this one."""
    return HookReply()


HANDLERS: dict[str, Callable[[HookEvent, Occasion], HookReply]] = {
    "session_start": on_session_start,
    "prompt": on_prompt,
    "tool": on_tool,
    "stop": on_stop,
    "compact": on_compact,
    "session_end": on_session_end,
}
