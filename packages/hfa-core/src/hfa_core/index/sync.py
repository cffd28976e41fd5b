"""The index made equal to the files of truth, reading only what changed since it last was."""

from __future__ import annotations

import os
import time

from hfa_core.errors import MemoryDamagedError, StorageError, UnsupportedFormatError
from hfa_core.index.rows import file_mark, put_chunk, put_damaged, put_nodes, remove_chunk
from hfa_core.light.sha256 import sha256_hex
from hfa_core.light.sqlite import DatabaseError, SqliteError
from hfa_core.model import Record
from hfa_core.store.chunks import id_of_file, list_files, parse_id, read_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.index.database import Database
    from hfa_core.store.directory import Directory

SMALL_MEMORY = 250
"""Up to this many records every file is looked at even in a prompt: it costs about a millisecond (measured)."""
RACY_NS = 10_000_000
"""A folder changed this recently may change again within the same clock tick; git's racy rule."""


class SyncReport(Record):
    """What a sync did: ids added or changed, ids removed, and whether it was complete within its time."""

    __slots__ = ("changed", "complete", "removed")

    def __init__(self, changed: int, removed: int, *, complete: bool = True) -> None:
        self.changed = changed
        self.removed = removed
        self.complete = complete


def sync(
    database: Database, directory: Directory, *, thorough: bool = True, limit_s: float | None = None
) -> SyncReport:
    """
    Bring the index up to the files; one that turns out to be damaged is set aside and built anew.

    Args:
        thorough: Look at every file; otherwise only where the chunk folder or L0 moved, or the memory is small.
        limit_s: Stop looking after this many seconds; what was found so far is kept and the report says so.

    Raises:
        StorageError: The index could not be written. It is as it was; what is stale is found again next time.
    """
    try:
        return _sync(database, directory, thorough, limit_s)
    except DatabaseError as error:
        # SQLite's codes for a damaged file, and only they, come as this very class.
        if type(error) is not DatabaseError or not database.replace_damaged():
            raise StorageError(database.layout.database, str(error)) from error
    try:
        return _sync(database, directory, thorough, limit_s)
    except SqliteError as error:
        raise StorageError(database.layout.database, str(error)) from error


def _sync(database: Database, directory: Directory, thorough: bool, limit_s: float | None) -> SyncReport:
    layout = database.layout
    if not database.writable:
        return SyncReport(0, 0, complete=is_current(database))
    if not thorough and is_current(database) and not _is_small(database):
        return SyncReport(0, 0)
    deadline = None if limit_s is None else time.monotonic() + limit_s
    before = _folder_mark(layout)
    work = _find_changes(database, layout)
    if not (work.changed or work.gone) and is_current(database):
        return SyncReport(0, 0)
    try:
        database.begin()
        complete = _apply(database, layout, work, deadline)
        put_nodes(database, directory.nodes)
        database.set_meta(folder=before if complete else "", directory=_file_mark(layout.directory))
        database.commit()
    except BaseException:
        database.roll_back()
        raise
    return SyncReport(len(work.changed), len(work.gone), complete=complete)


def is_current(database: Database) -> bool:
    """Whether neither the chunk folder nor L0 moved since the index was last in step: the check of a prompt hook."""
    layout = database.layout
    return database.get_meta("folder") == _folder_mark(layout) and database.get_meta("directory") == _file_mark(
        layout.directory
    )


def mark_own_write(database: Database) -> None:
    """After a write of our own under the lock: the folder's new time is known, so it is no reason to look again."""
    database.set_meta(folder=_folder_mark(database.layout, own=True))


def source_digest(database: Database, layout: Layout) -> str:
    """A digest that changes if and only if L0 or a record changes; derived files carry the one they were built from."""
    try:
        with open(layout.directory, "rb") as stream:
            # A checkout may end lines in CRLF; the digest is over what the lines say.
            l0 = stream.read().replace(b"\r\n", b"\n")
    except OSError:
        l0 = b""
    return sha256_hex(f"{database.get_meta('sum') or '0' * 64} {sha256_hex(l0)}".encode())


class _Work:
    """What a look at the folder found: files to read, with their stat and whether that is settled; ids without file."""

    __slots__ = ("changed", "gone")

    def __init__(self) -> None:
        self.changed: list[tuple[str, os.stat_result, bool]] = []
        self.gone: list[str] = []


def _find_changes(database: Database, layout: Layout) -> _Work:
    known = {
        row[0]: row[1:]
        for row in database.connection.execute("SELECT id, size, mtime_ns, inode FROM chunks").fetchall()
    }
    work = _Work()
    for entry in list_files(layout):
        chunk_id = id_of_file(entry.name)
        try:
            stat = os.stat(entry.path)
        except OSError:
            continue
        seen = known.pop(chunk_id, None)
        if seen != file_mark(stat):
            work.changed.append((chunk_id, stat, not _is_racy(stat.st_mtime_ns)))
    # Rows are numbered in the records' order, so that of equal ones the newest are found, whatever the folder's order.
    work.changed.sort(key=lambda change: parse_id(change[0]) or (0, ""))
    work.gone = list(known)
    return work


def _apply(database: Database, layout: Layout, work: _Work, deadline: float | None) -> bool:
    for chunk_id in work.gone:
        remove_chunk(database, chunk_id)
    for chunk_id, stat, settled in work.changed:
        if deadline is not None and time.monotonic() > deadline:
            return False
        try:
            put_chunk(database, read_chunk(layout, chunk_id), stat, settled=settled)
        except (MemoryDamagedError, UnsupportedFormatError) as error:
            put_damaged(database, chunk_id, stat, str(error), _read_links(layout, chunk_id), settled=settled)
        except StorageError as error:
            put_damaged(database, chunk_id, stat, str(error), (), settled=settled)
    return True


def _read_links(layout: Layout, chunk_id: str) -> tuple[str, ...]:
    """The ids that a damaged file still names after its `supersedes` key, be it JSON or not."""
    try:
        with open(layout.chunk(chunk_id), encoding="utf-8", errors="replace") as stream:
            _, _, rest = stream.read().partition('"supersedes"')
    except OSError:
        return ()
    return tuple(text for text in rest.partition("]")[0].split('"') if parse_id(text))


def _is_small(database: Database) -> bool:
    count = database.get_meta("count")
    return isinstance(count, int) and count <= SMALL_MEMORY


def _is_racy(mtime_ns: int) -> bool:
    return mtime_ns > time.time_ns() - RACY_NS


def _folder_mark(layout: Layout, *, own: bool = False) -> str:
    """The chunk folder's time and identity; unique, so never current, while it may still change within one tick."""
    try:
        stat = os.stat(layout.chunks)
    except OSError:
        return "missing"
    racy = not own and _is_racy(stat.st_mtime_ns)
    return f"{stat.st_mtime_ns} {stat.st_ino}" + (f" racy {time.monotonic_ns()}" if racy else "")


def _file_mark(path: str) -> str:
    try:
        stat = os.stat(path)
    except OSError:
        return "missing"
    return f"{stat.st_mtime_ns} {stat.st_size} {stat.st_ino}"
