"""Which records git has committed: one that it has not, and that was made on another branch, is not current here."""

from __future__ import annotations

import os

from hfa_core.light.sqlite import SqliteError
from hfa_core.store.git_head import read_head
from hfa_core.store.git_tree import ignores, list_committed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hfa_core.index.database import Database

COMMITTED = 1
UNCOMMITTED = 0
"""A record whose state is neither of these was not asked about yet."""
JUDGE = "judge"
"""The fact of the index that says who judges: git, or nobody where it ignores this memory or gives no answer. The fact
`judged_at` is the commit it was asked at, for the states of all records follow from that commit."""
GIT = "git"
NOBODY = "nobody"


def refresh_commits(database: Database, variables: Mapping[str, str]) -> None:
    """
    Ask git which records its checked-out commit holds, if the answer could matter, and remember it.

    It matters for records of another branch than the one that is checked out; mostly there are none that were not
    asked about at this commit. `variables` is the environment of this process.
    """
    if not database.writable:
        return
    branch, commit = read_head(database.layout.root)
    if not branch or not _is_open(database, branch, commit):
        return
    # Before the first commit there is nothing to ask about: a failure there would be taken for a broken git.
    names = list_committed(database.layout.chunks, variables) if commit else frozenset[str]()
    ignored = False if names else names is None or ignores(database.layout.chunks, variables) is not False
    try:
        database.begin()
        if not ignored and names is not None:
            _note_states(database, names)
        # Without an answer it is asked again next time.
        database.set_meta(judge=NOBODY if ignored else GIT, judged_at=None if names is None else commit)
        database.commit()
    except SqliteError:
        # It is asked again next time.
        database.roll_back()


def note_uncommitted(database: Database, chunk_id: str) -> None:
    """Remember that a record was written this moment, and so is not committed; a transaction must be open."""
    database.connection.execute("UPDATE chunks SET committed = ? WHERE id = ?", (UNCOMMITTED, chunk_id))


def _is_open(database: Database, branch: str, commit: str) -> bool:
    """Whether the index lacks an answer about the checked-out commit that could matter on this branch."""
    judged_here = database.get_meta("judged_at") == commit
    here = "" if not judged_here and database.get_meta(JUDGE) != GIT else branch
    condition = "branch != '' AND committed IS NULL" if judged_here else "branch != ''"
    # As two ranges, one search of an index each: `!=` would read every record that was made here.
    return any(
        database.connection.execute(f"SELECT 1 FROM chunks WHERE {condition} AND {other} LIMIT 1", (here,)).fetchone()
        for other in ("branch < ?", "branch > ?")
    )


def _note_states(database: Database, names: frozenset[str]) -> None:
    rows = database.connection.execute("SELECT id, committed FROM chunks WHERE branch != ''").fetchall()
    states = {
        chunk_id: COMMITTED if os.path.basename(database.layout.chunk(chunk_id)) in names else UNCOMMITTED
        for chunk_id, _ in rows
    }
    changed = [(states[chunk_id], chunk_id) for chunk_id, before in rows if states[chunk_id] != before]
    database.connection.executemany("UPDATE chunks SET committed = ? WHERE id = ?", changed)
