"""Storing one record once: redact, check, lock, compare, write.

The rename of the chunk file is the commit point, or that of the journal where the record begins an epoch or the
milestone log is on.
"""

from __future__ import annotations

import os

from hfa_core.errors import (
    HfaError,
    InvalidRecordError,
    MemoryOffError,
    NodeError,
    RequestConflictError,
    StorageError,
    SupersedeError,
)
from hfa_core.index.commits import note_uncommitted, refresh_commits
from hfa_core.index.database import Database, open_database, open_in_memory
from hfa_core.index.freshness import is_current, mark_own_write
from hfa_core.index.lookup import count_epoch, find_conclusion, find_request, find_successors, resolve_id
from hfa_core.index.rows import put_chunk
from hfa_core.index.sync import sync
from hfa_core.index.synonyms import Synonyms
from hfa_core.light.clock import format_utc
from hfa_core.light.sha256 import sha256_hex
from hfa_core.light.sqlite import SqliteError
from hfa_core.model import Draft, Record, Source
from hfa_core.redact import redact
from hfa_core.settings import current_environment
from hfa_core.store.chunks import read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.directory import TOMBSTONED, read_directory
from hfa_core.store.epochs import plan_roll
from hfa_core.store.schema import check_draft, compare_form, conclusion_key, content_key, make_chunk, render_chunk
from hfa_core.store.snippet import snippet_tokens
from hfa_core.transaction.commit import commit_files
from hfa_core.transaction.recover import writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.model import Chunk
    from hfa_core.store.config import Config
    from hfa_core.store.directory import Directory

LOCK_TIMEOUT_S = 10.0


class Remembered(Record):
    """The outcome of a write: the record's id, and whether it was there before (nothing was written then)."""

    __slots__ = ("duplicate", "id")

    def __init__(self, id: str, *, duplicate: bool) -> None:
        self.id = id
        self.duplicate = duplicate


def request_id_of(session: str, turn: str, draft: Draft) -> str:
    """
    The request id of what a captured turn decided, its title and conclusion: the same for every host and event that
    reports the turn.

    choice: the host is left out, so that two hosts that load one set of hooks store one record.
    """
    lines = [session, turn, *(compare_form(line) for line in (draft.title, *draft.conclusion))]
    return "turn-" + sha256_hex("\n".join(lines).encode())[:32]


def redact_draft(draft: Draft) -> Draft:
    """The draft without secrets in any of its texts; it comes before hashing, so no id depends on a secret."""
    source = draft.source
    return Draft(
        title=redact(draft.title),
        hit_words=[redact(word) for word in draft.hit_words],
        # As one text: a key block or a password's value may go on in the next line.
        conclusion=redact("\n".join(draft.conclusion)).splitlines(),
        source=Source(
            source.kind,
            host=source.host,
            session=redact(source.session),
            ref=redact(source.ref),
            branch=redact(source.branch),
            commit=source.commit,
        ),
        kind=redact(draft.kind),
        node=redact(draft.node),
        paths=[redact(path) for path in draft.paths],
        tags=[redact(tag) for tag in draft.tags],
        supersedes=draft.supersedes,
        request_id=redact(draft.request_id),
    )


def remember(layout: Layout, draft: Draft, *, now: float, lock_timeout_s: float = LOCK_TIMEOUT_S) -> Remembered:
    """
    Store a draft as a new chunk, unless the memory already has it.

    The same request id with the same content gives the record of then. A draft without a request id gets one from its
    content. What a captured turn (source kind `hook`) only restates is a duplicate too. Where the active epoch is full,
    the record begins the next one.

    Args:
        now: The time of the record, seconds since the epoch.
        lock_timeout_s: How long to wait for other writers.

    Raises:
        InvalidRecordError, NodeError, SupersedeError, RequestConflictError, MemoryDamagedError, ConfigError,
        LockTimeoutError, StorageError, JournalError, EditedMeanwhileError: Nothing was written.
        UnfinishedError: The record is stored, but the step to the next epoch is still to be finished.
    """
    checked = check_draft(redact_draft(draft))
    with writing(layout, timeout_s=lock_timeout_s):
        config = read_config(layout)
        directory = read_directory(layout)
        checked.node = _check_node(checked.node, directory, layout)
        with _open_in_step(layout, directory, lock_timeout_s) as database:
            # An abbreviated id means the same record when the command is repeated, so the keys are over the full one.
            checked.supersedes = tuple(dict.fromkeys(_spell_out(database, old) for old in checked.supersedes))
            checked.request_id = checked.request_id or "content-" + content_key(checked)[:32]
            earlier = _find_earlier(database, checked)
            if earlier:
                return Remembered(earlier, duplicate=True)
            for old in checked.supersedes:
                _check_superseded(database, old)
            written = _write(database, checked, config, directory, now)
            refresh_commits(database, current_environment().variables)
            return Remembered(written.id, duplicate=False)


def _open_in_step(layout: Layout, directory: Directory, timeout_s: float) -> Database:
    """The index, in step with the files. One that cannot be used loses no decision: the files say it all."""
    try:
        database = open_database(layout, timeout_s=timeout_s)
        try:
            complete = sync(database, directory, thorough=False, writing=True).complete
        except BaseException:
            database.connection.close()
            raise
    except StorageError:
        database = open_in_memory(layout)
        complete = sync(database, directory).complete
    if not complete:
        database.connection.close()
        raise StorageError(layout.database, "is behind and cannot be written; make its folder writable")
    return database


def _check_node(node_id: str, directory: Directory, layout: Layout) -> str:
    main = directory.active_main(layout.directory)
    if not node_id:
        return main.id
    node = directory.find(node_id)
    if node is None:
        known = ", ".join(known.id for known in directory.nodes)
        raise NodeError(node_id, f"is not in {layout.directory}; it has {known}")
    if node.state == TOMBSTONED:
        raise NodeError(node_id, f"is tombstoned; choose another node, such as {main.id}")
    return node.id


def _find_earlier(database: Database, draft: Draft) -> str:
    found = find_request(database, draft.request_id)
    if found:
        if found[1] != content_key(draft):
            raise RequestConflictError(draft.request_id, found[0])
        return found[0]
    if draft.source.kind == "hook" and not draft.supersedes:
        return _find_restated(database, draft)
    return ""


def _find_restated(database: Database, draft: Draft) -> str:
    """
    The record that says what a captured draft says, about the same thing: the same conclusion under the same title or
    with a common hit word. A superseded one counts too: an agent that quotes its old block has not decided anew.
    """
    words = {compare_form(word) for word in draft.hit_words}
    for chunk_id in find_conclusion(database, conclusion_key(draft.conclusion)):
        try:
            chunk = read_chunk(database.layout, chunk_id)
        except HfaError:
            continue
        same_title = compare_form(chunk.title) == compare_form(draft.title)
        if same_title or words & {compare_form(word) for word in chunk.hit_words}:
            return chunk_id
    return ""


def _spell_out(database: Database, text: str) -> str:
    """The full id that `text` means, if it means one record; else the text itself."""
    found = resolve_id(database, text)
    return found[0] if len(found) == 1 else text


def _check_superseded(database: Database, text: str) -> None:
    """Raise SupersedeError unless `text` means one record, and that one is current."""
    found = resolve_id(database, text)
    if len(found) == 0:
        raise SupersedeError(text, "there is no such record; `hfa status` counts them, `hfa recall` shows their ids")
    chunk_id, *others = found
    if others:
        raise SupersedeError(text, f"it may mean {' or '.join(found)}; write the whole id")
    successors = find_successors(database, chunk_id)
    if successors:
        raise SupersedeError(chunk_id, f"it was already superseded by {', '.join(successors)}; supersede that one")


def _write(database: Database, draft: Draft, config: Config, directory: Directory, now: float) -> Chunk:
    layout = database.layout
    highest = database.get_meta("highest")
    rolls = count_epoch(database, directory.epoch) >= config.topics_per_epoch
    chunk = make_chunk(
        draft,
        number=(highest if isinstance(highest, int) else 0) + 1,
        epoch=directory.epoch + rolls,
        created_at=format_utc(now),
        with_suffix=config.id_suffix,
    )
    tokens = snippet_tokens(chunk)
    if tokens > config.recall_budget:
        rule = f"would cost {tokens} tokens and never fit into the recall budget of {config.recall_budget}"
        raise InvalidRecordError("conclusion", " / ".join(chunk.conclusion), rule)
    path = layout.chunk(chunk.id)
    roll, edited = plan_roll(layout, directory.epoch) if rolls else ({}, {})
    if config.stream:
        roll |= _plan_milestones(layout, config, chunk, rolls=rolls)
    # What another program put there since the sync is not known: then the folder's new time is not ours alone.
    in_step = is_current(database, writing=True)
    operation = "epoch roll" if rolls else "record"
    commit_files(layout, operation, {path: render_chunk(chunk), **roll}, edited=edited)
    # The record is stored from here on; an index that cannot take it now is stale, knows so, and is synced when read.
    try:
        database.begin()
        put_chunk(database, chunk, os.stat(path), Synonyms(config.aliases))
        note_uncommitted(database, chunk.id)
        if in_step:
            mark_own_write(database, with_l0=rolls)
        database.commit()
    except (SqliteError, StorageError, OSError):
        database.roll_back()
    return chunk


def _plan_milestones(layout: Layout, config: Config, chunk: Chunk, *, rolls: bool) -> dict[str, bytes]:
    # Few memories have the log, so the others do not load it.
    from hfa_core.store.stream import plan_milestones

    replaced = f" supersedes {', '.join(chunk.supersedes)}" if chunk.supersedes else ""
    events = [f"epoch {chunk.epoch}: begins with {chunk.id}"] if rolls else []
    events.append(f"record {chunk.id} on {chunk.node}{replaced}: {chunk.title}")
    return plan_milestones(layout, config, *events, time=chunk.created_at)


def refuse_if_off(switch: str) -> None:
    """Raise MemoryOffError if a switch (see `store.locate.is_off`) is set."""
    if switch:
        raise MemoryOffError(switch)
