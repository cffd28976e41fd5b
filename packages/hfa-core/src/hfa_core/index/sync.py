"""The index made equal to the files of truth, reading only what changed since it last was."""

from __future__ import annotations

import os
import time

from hfa_core.errors import MemoryDamagedError, StorageError, UnsupportedFormatError
from hfa_core.fs.reading import read_bytes
from hfa_core.index.database import is_locked
from hfa_core.index.freshness import file_mark, folder_mark, is_current, is_racy, is_small, l0_mark
from hfa_core.light.sqlite import DatabaseError, SqliteError
from hfa_core.model import Record
from hfa_core.store.chunks import LARGEST_CHUNK, id_of_file, list_files, parse_id, read_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hfa_core.fs.layout import Layout
    from hfa_core.index.database import Database
    from hfa_core.store.directory import Directory
    from hfa_core.tokens import Counter

PROGRESS_STEP = 500
"""choice: about a second's work."""


class SyncReport(Record):
    """What a sync did: ids added or changed, ids removed, and whether it was complete within its time."""

    __slots__ = ("changed", "complete", "removed")

    def __init__(self, changed: int, removed: int, *, complete: bool = True) -> None:
        self.changed = changed
        self.removed = removed
        self.complete = complete


def sync(
    database: Database,
    directory: Directory,
    *,
    thorough: bool = True,
    writing: bool = False,
    limit_s: float | None = None,
    find_counter: Callable[[], Counter | None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> SyncReport:
    """
    Bring the index up to the files; one that turns out to be damaged is set aside and built anew.

    Args:
        thorough: Look at every file; otherwise only where the chunk folder or L0 moved, or the memory is small.
        writing: The memory's lock is held, so that a look at the folder's time says enough (see `is_current`).
        limit_s: Stop looking after this many seconds; what was found so far is kept and the report says so.
        find_counter: Gives the exact token counter, for commands (`tokens.exact`): what has only an estimate is then
            counted. A hook has no time for it.
        on_progress: Told every `PROGRESS_STEP` files, and at the end, how many were read, and of how many.

    Raises:
        StorageError: The index could not be written. It is as it was; what is stale is found again next time.
    """
    look = _Look(thorough=thorough, writing=writing, limit_s=limit_s, on_progress=on_progress)
    report = _sync_or_replace(database, directory, look)
    if find_counter is not None and database.writable:
        from hfa_core.index.counts import count_exactly

        count_exactly(database, directory, find_counter)
    return report


def sync_to_read(
    database: Database,
    directory: Directory,
    *,
    thorough: bool = True,
    limit_s: float | None = None,
    find_counter: Callable[[], Counter | None] | None = None,
) -> SyncReport:
    """
    As `sync`, for who only reads: an index that cannot be written, on a full disk, is no reason not to answer.

    With a limit of time what the index has so far answers, and the report says that it is not complete; without one an
    index in memory, built from the files, takes its place.

    Raises:
        StorageError: Another process holds the index.
    """
    try:
        return sync(database, directory, thorough=thorough, limit_s=limit_s, find_counter=find_counter)
    except StorageError as error:
        if is_locked(error.__cause__):
            raise
        if limit_s is not None:
            return SyncReport(0, 0, complete=False)
        database.leave_file()
        return sync(database, directory)


class _Look(Record):
    """How far a sync looks, and whom it tells: the arguments of `sync` of these names."""

    __slots__ = ("limit_s", "on_progress", "thorough", "writing")

    def __init__(
        self,
        *,
        thorough: bool,
        writing: bool,
        limit_s: float | None,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self.thorough = thorough
        self.writing = writing
        self.limit_s = limit_s
        self.on_progress = on_progress


def _sync_or_replace(database: Database, directory: Directory, look: _Look) -> SyncReport:
    try:
        return _sync(database, directory, look)
    except DatabaseError as error:
        # SQLite's codes for a damaged file, and only they, come as this very class.
        if type(error) is not DatabaseError or not database.replace_damaged():
            raise StorageError(database.layout.database, str(error)) from error
    try:
        return _sync(database, directory, look)
    except SqliteError as error:
        raise StorageError(database.layout.database, str(error)) from error


def _sync(database: Database, directory: Directory, look: _Look) -> SyncReport:
    layout = database.layout
    if not database.writable:
        return SyncReport(0, 0, complete=is_current(database))
    trusted = not look.thorough and is_current(database, writing=look.writing)
    if trusted and (look.writing or not is_small(database)):
        return SyncReport(0, 0)
    deadline = None if look.limit_s is None else time.monotonic() + look.limit_s
    before = folder_mark(layout)
    config = l0_mark(layout.config)
    aliases = None if database.get_meta("config") == config else _other_aliases(database, layout)
    work = _find_changes(database, layout, everything=aliases is not None)
    marks = {"directory": l0_mark(layout.directory), "config": config}
    if not (work.changed or work.gone) and all(database.get_meta(key) == mark for key, mark in marks.items()):
        _note_folder(database, before)
        return SyncReport(0, 0)
    try:
        database.begin()
        if aliases is not None:
            # Each row has the terms of its groups. Those that are not reached in time are found unsettled next time.
            database.connection.execute("UPDATE chunks SET mtime_ns = -1")
            database.set_meta(aliases=aliases)
        complete = _apply(database, directory, work, deadline, look.on_progress)
        database.set_meta(folder=before if complete else "", **marks)
        database.commit()
    except BaseException:
        database.roll_back()
        raise
    return SyncReport(len(work.changed), len(work.gone), complete=complete)


def is_behind(database: Database) -> bool:
    """Whether a sync would find something to do; every file is looked at, none is read and nothing is changed."""
    layout = database.layout
    config = l0_mark(layout.config)
    if database.get_meta("config") != config and _other_aliases(database, layout) is not None:
        return True
    work = _find_changes(database, layout, everything=False)
    return bool(work.changed or work.gone) or database.get_meta("directory") != l0_mark(layout.directory)


def _note_folder(database: Database, mark: str) -> None:
    """Remember the folder as it was found in step. Whoever holds the index meanwhile is no reason not to read it."""
    if database.get_meta("folder") == mark:
        return
    try:
        database.begin()
        database.set_meta(folder=mark)
        database.commit()
    except SqliteError:
        database.roll_back()


def _other_aliases(database: Database, layout: Layout) -> str | None:
    """The memory's own groups of synonyms, as text; None if the index was built with the same."""
    from hfa_core.index.synonyms import read_aliases

    aliases = repr(read_aliases(layout))
    return None if database.get_meta("aliases") == aliases else aliases


class _Work:
    """What a look at the folder found: files to read, with their stat and whether that is settled; ids without file."""

    __slots__ = ("changed", "gone")

    def __init__(self) -> None:
        self.changed: list[tuple[str, os.stat_result, bool]] = []
        self.gone: list[str] = []


def _find_changes(database: Database, layout: Layout, *, everything: bool) -> _Work:
    known = {
        row[0]: row[1:]
        for row in database.connection.execute("SELECT id, size, mtime_ns, inode FROM chunks").fetchall()
    }
    work = _Work()
    for entry in list_files(layout):
        chunk_id = id_of_file(entry.name)
        try:
            stat = os.lstat(entry.path)
        except OSError:
            continue
        seen = known.pop(chunk_id, None)
        if everything or seen != file_mark(stat):
            work.changed.append((chunk_id, stat, not is_racy(stat.st_mtime_ns)))
    # Rows are in the records' order, and a full-text index takes ascending ones fastest.
    work.changed.sort(key=lambda change: parse_id(change[0]) or (0, ""))
    work.gone = list(known)
    return work


def _apply(
    database: Database,
    directory: Directory,
    work: _Work,
    deadline: float | None,
    on_progress: Callable[[int, int], None] | None,
) -> bool:
    layout = database.layout
    # Only a change needs what writes rows; most prompts find none.
    from hfa_core.index.rows import put_chunk, put_damaged, put_nodes, remove_chunk
    from hfa_core.index.synonyms import Synonyms, read_aliases

    synonyms = Synonyms(read_aliases(layout))
    put_nodes(database, directory.nodes, synonyms)
    for chunk_id in work.gone:
        remove_chunk(database, chunk_id)
    for done, (chunk_id, stat, settled) in enumerate(work.changed):
        if deadline is not None and time.monotonic() > deadline:
            return False
        if on_progress is not None and done and done % PROGRESS_STEP == 0:
            on_progress(done, len(work.changed))
        try:
            put_chunk(database, read_chunk(layout, chunk_id), stat, synonyms, settled=settled)
        except (MemoryDamagedError, UnsupportedFormatError) as error:
            put_damaged(database, chunk_id, stat, str(error), _read_links(layout, chunk_id), settled=settled)
        except StorageError as error:
            put_damaged(database, chunk_id, stat, str(error), (), settled=settled)
    if on_progress is not None:
        on_progress(len(work.changed), len(work.changed))
    return True


def _read_links(layout: Layout, chunk_id: str) -> tuple[str, ...]:
    """The ids that a damaged file still names after its `supersedes` key, be it JSON or not."""
    try:
        text = read_bytes(layout.chunk(chunk_id), limit=LARGEST_CHUNK, follow=False).decode("utf-8", "replace")
    except OSError:
        return ()
    _, _, rest = text.partition('"supersedes"')
    return tuple(part for part in rest.partition("]")[0].split('"') if parse_id(part))
