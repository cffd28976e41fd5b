"""What shows that the index is in step with the files: times, sizes and identities, without reading a file."""

from __future__ import annotations

import os
import time

from hfa_core.fs.reading import read_bytes
from hfa_core.light.sha256 import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.index.database import Database

SMALL_MEMORY = 250
"""Up to this many records every file is looked at even in a prompt: it costs about a millisecond (measured)."""
RACY_NS = 10_000_000
"""A folder changed this recently may change again within the same clock tick; git's racy rule."""


def is_current(database: Database, *, writing: bool = False) -> bool:
    """
    Whether chunk folder, L0 and configuration are as they were when the index was last in step: a hook's check.

    When `writing`, a folder that moved a moment ago is trusted: the lock keeps our own writers out, and what git adds
    within the same tick makes a number that two records share, and no more.
    """
    layout = database.layout
    return (
        database.get_meta("folder") == folder_mark(layout, own=writing)
        and database.get_meta("directory") == l0_mark(layout.directory)
        and database.get_meta("config") == l0_mark(layout.config)
    )


def mark_own_write(database: Database, *, with_l0: bool = False) -> None:
    """
    After a write of our own under the lock: the folder's new time is known, so it is no reason to look again.

    The same holds for L0 if it was written too and its nodes are those of the last sync.
    """
    database.set_meta(folder=folder_mark(database.layout, own=True))
    if with_l0:
        database.set_meta(directory=l0_mark(database.layout.directory))


def source_digest(database: Database, layout: Layout) -> str:
    """A digest that changes if and only if L0 or a record changes; derived files carry the one they were built from."""
    try:
        # A checkout may end lines in CRLF; the digest is over what the lines say.
        l0 = read_bytes(layout.directory).replace(b"\r\n", b"\n")
    except OSError:
        l0 = b""
    return sha256_hex(f"{database.get_meta('sum') or '0' * 64} {sha256_hex(l0)}".encode())


def file_mark(stat: os.stat_result, *, settled: bool = True) -> tuple[int, int, int]:
    """By what a file is known not to have changed; one that is not settled has a mark that no file has."""
    # Some file systems use all 64 bits of an inode; SQLite's integers are signed.
    inode = stat.st_ino - (1 << 64) if stat.st_ino >= 1 << 63 else stat.st_ino
    return stat.st_size, stat.st_mtime_ns if settled else -1, inode


def is_small(database: Database) -> bool:
    """Whether the memory is small enough to look at every file in a prompt."""
    count = database.get_meta("count")
    return isinstance(count, int) and count <= SMALL_MEMORY


def is_racy(mtime_ns: int) -> bool:
    """Whether something changed so recently that it may change again with the same time."""
    return mtime_ns > time.time_ns() - RACY_NS


def folder_mark(layout: Layout, *, own: bool = False) -> str:
    """The chunk folder's time and identity; unique, so never current, while it may still change within one tick."""
    try:
        stat = os.stat(layout.chunks)
    except OSError:
        return "missing"
    racy = not own and is_racy(stat.st_mtime_ns)
    return f"{stat.st_mtime_ns} {stat.st_ino}" + (f" racy {time.monotonic_ns()}" if racy else "")


def l0_mark(path: str) -> str:
    """The time, size and identity of L0 or the configuration; `missing` where there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return "missing"
    return f"{stat.st_mtime_ns} {stat.st_size} {stat.st_ino}"
