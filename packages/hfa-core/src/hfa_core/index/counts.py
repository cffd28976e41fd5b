"""Exact token counts in the index: records and lines of L0 that have only an estimate are counted by a tokenizer."""

from __future__ import annotations

from hfa_core.errors import HfaError
from hfa_core.light.sqlite import SqliteError
from hfa_core.store.chunks import read_chunk
from hfa_core.store.snippet import render_router_line, render_snippet
from hfa_core.tokens import count_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hfa_core.index.database import Database
    from hfa_core.store.directory import Directory
    from hfa_core.tokens import Counter


def count_exactly(database: Database, directory: Directory, find_counter: Callable[[], Counter | None]) -> None:
    """
    Count what the index holds only an estimate of, from files that fit their row's digest.

    An index that another process holds meanwhile, and a memory without a tokenizer, keep their estimates.

    Args:
        find_counter: Gives the exact counter, or None; it is asked only if there is something to count.
    """
    uncounted = "FROM chunks WHERE exact = 0 AND problem = ''"
    pending = database.connection.execute(f"SELECT 1 {uncounted} LIMIT 1").fetchone()
    lines = {render_router_line(node) for node in directory.nodes}
    known = {row[0] for row in database.connection.execute("SELECT line FROM router_lines").fetchall()}
    count = None if lines == known and pending is None else find_counter()
    if count is None:
        return
    # All of them stay pending where nothing counts, so they are fetched no earlier.
    rows = database.connection.execute(f"SELECT id, digest {uncounted}").fetchall()
    records = [counted for chunk_id, digest in rows if (counted := _count_record(database, chunk_id, digest, count))]
    try:
        database.begin()
        database.connection.executemany(
            "UPDATE chunks SET tokens = ?, line_end = ?, exact = 1 WHERE id = ? AND digest = ?", records
        )
        database.connection.execute("DELETE FROM router_lines")
        database.connection.executemany(
            "INSERT INTO router_lines VALUES (?, ?, ?)", [(line, *count_line(line, count)) for line in sorted(lines)]
        )
        database.commit()
    except SqliteError:
        database.roll_back()


def _count_record(database: Database, chunk_id: str, digest: str, count: Counter) -> tuple[int, int, str, str] | None:
    """The parameters of a row's update; None if its file is not the one that the row is about."""
    try:
        chunk = read_chunk(database.layout, chunk_id)
    except HfaError:
        return None
    return (*count_line(render_snippet(chunk), count), chunk_id, digest) if chunk.digest == digest else None
