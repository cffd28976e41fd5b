"""Which records git has committed: one that it has not, and that was made on another branch, is not current here."""

from __future__ import annotations

import os

from hfa_core.light.sqlite import SqliteError
from hfa_core.store.git_head import read_head
from hfa_core.store.git_tree import list_committed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hfa_core.index.database import Database

COMMITTED = 1
UNCOMMITTED = 0
"""A record whose state is neither of these was not asked about yet, and is taken for committed."""

# One search of an index each: `OR`, and `!=` for the branch, would read all that was made here, too.
_PENDING = " UNION ALL ".join(
    f"SELECT id FROM chunks WHERE branch != '' AND {condition}"
    for condition in (
        "committed IS NULL",
        f"committed = {UNCOMMITTED} AND branch < :here",
        f"committed = {UNCOMMITTED} AND branch > :here",
    )
)


def refresh_commits(database: Database, variables: Mapping[str, str]) -> None:
    """
    Ask git about the records whose state could matter, and remember what it says; mostly there are none.

    Where git cannot tell, or where it holds no record of this memory at all, it is no judge, and nothing changes. It is
    asked once about a commit, as long as `sync` finds no file that changed. `variables` is the environment of this
    process.
    """
    if not database.writable:
        return
    branch, commit = read_head(database.layout.workspace)
    asked = f"{branch} {commit}"
    if not (branch and commit) or database.get_meta("asked") == asked:
        return
    here = {"here": branch}
    if database.connection.execute(f"{_PENDING} LIMIT 1", here).fetchone() is None:
        return
    names = list_committed(database.layout.chunks, variables)
    if names is None:
        return
    pending = database.connection.execute(_PENDING, here).fetchall() if names else []
    try:
        database.begin()
        for (chunk_id,) in pending:
            set_committed(database, chunk_id, committed=os.path.basename(database.layout.chunk(chunk_id)) in names)
        database.set_meta(asked=asked)
        database.commit()
    except SqliteError:
        # It is asked again next time.
        database.roll_back()


def set_committed(database: Database, chunk_id: str, *, committed: bool) -> None:
    """Remember whether git has a record; a transaction must be open."""
    state = COMMITTED if committed else UNCOMMITTED
    database.connection.execute("UPDATE chunks SET committed = ? WHERE id = ?", (state, chunk_id))
