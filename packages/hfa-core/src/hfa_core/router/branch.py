"""The branch rule: a record that git has not committed holds on the branch that it was made on, and nowhere else."""

from __future__ import annotations

from hfa_core.store.git_head import read_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.database import Database
    from hfa_core.index.lookup import Entry


def reason_off_branch(database: Database, entry: Entry) -> str:
    """
    Why a record not known as committed does not hold on the branch that is checked out; empty if it does, and where
    nobody can tell.

    Git is not asked; what it was asked last may be older than the checkout. So a record it did not have then is looked
    for among the loose objects of the checked-out commit. A detached head is no branch, and defers nothing.
    """
    branch, commit = read_head(database.layout.root)
    if branch in ("", entry.branch):
        return ""
    # Hardly a prompt comes this far.
    from hfa_core.index.commits import JUDGE, NOBODY
    from hfa_core.store.git_objects import commit_holds

    judge = database.get_meta(JUDGE)
    if judge == NOBODY or (judge is None and entry.committed is None):
        return ""
    held = commit_holds(commit, database.layout.chunk(entry.id)) if commit else False
    if held or (held is None and entry.committed is None):
        return ""
    return f"made on branch {entry.branch} and not committed; {branch} is checked out"
