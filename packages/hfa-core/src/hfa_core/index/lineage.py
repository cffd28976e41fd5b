"""How records follow one another: what replaced a record, its state, and the whole chain that it stands in."""

from __future__ import annotations

from hfa_core.index.lookup import find_predecessors
from hfa_core.model import Record
from hfa_core.store.chunks import parse_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.database import Database

CURRENT = "current"
SUPERSEDED = "superseded"
DISPUTED = "disputed"
DAMAGED = "damaged"
MISSING = "missing"


class Link(Record):
    """
    One record of a chain, as the index knows it: a missing or damaged one has no title and no date.

    `successors` are the ids that supersede it, `problem` says what is wrong with its file.
    """

    __slots__ = ("created_at", "id", "kind", "node", "problem", "state", "successors", "title")

    def __init__(
        self, row: tuple[str, str | None, str | None, str | None, str | None, str], *, state: str, successors: list[str]
    ) -> None:
        self.id = row[0]
        self.title, self.node, self.kind, self.created_at, self.problem = (value or "" for value in row[1:])
        self.state = state
        self.successors = tuple(successors)


def read_link(database: Database, chunk_id: str) -> Link:
    """A record with its state; `disputed` where several records replace it and none of them settles it."""
    row = database.connection.execute(
        "SELECT id, title, node, kind, created_at, problem FROM chunks WHERE id = ?", (chunk_id,)
    ).fetchone()
    successors = list_successors(database, chunk_id)
    if row is None:
        return Link((chunk_id, "", "", "", "", ""), state=MISSING, successors=successors)
    return Link(row, state=DAMAGED if row[5] else state_of(database, chunk_id, successors), successors=successors)


def state_of(database: Database, chunk_id: str, successors: list[str]) -> str:
    """The state of a sound record that is superseded by these."""
    if not successors:
        return CURRENT
    if len(successors) == 1:
        return SUPERSEDED
    return DISPUTED if len(find_heads(database, chunk_id)) > 1 else SUPERSEDED


def list_successors(database: Database, chunk_id: str) -> list[str]:
    """The ids that say they supersede a record, oldest first; a damaged successor counts."""
    rows = database.connection.execute("SELECT new FROM supersedes WHERE old = ?", (chunk_id,)).fetchall()
    return sort_ids([row[0] for row in rows])


def find_heads(database: Database, chunk_id: str) -> list[str]:
    """The ends of the ways that lead from a record through its successors: one where a fork was settled."""
    pending, seen, heads = [chunk_id], {chunk_id}, list[str]()
    while pending:
        one = pending.pop()
        following = list_successors(database, one)
        if not following:
            heads.append(one)
        pending += [new for new in following if new not in seen]
        seen.update(following)
    return sort_ids(heads)


def find_chain(database: Database, chunk_id: str) -> list[Link]:
    """Every record that is tied to this one by supersession, in either direction, oldest first."""
    pending, seen = [chunk_id], {chunk_id}
    while pending:
        one = pending.pop()
        tied = [*list_successors(database, one), *find_predecessors(database, one)]
        pending += [other for other in tied if other not in seen]
        seen.update(tied)
    return [read_link(database, one) for one in sort_ids(list(seen))]


def sort_ids(ids: list[str]) -> list[str]:
    """Ids in the order of their numbers, each once."""
    return sorted(set(ids), key=lambda one: (parse_id(one) or (0, ""), one))
