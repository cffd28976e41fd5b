"""The records of a memory in pages, newest first, by scope, node, kind and state: read from the index alone."""

from __future__ import annotations

from hfa_core.index.lineage import CURRENT, DAMAGED, SUPERSEDED, Link, read_link
from hfa_core.model import Record
from hfa_core.scope.grammar import PROJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.database import Database

ALL = "all"
_CONDITIONS = {
    ALL: "1",
    CURRENT: "problem = '' AND id NOT IN (SELECT old FROM supersedes)",
    # A disputed record is a superseded one: it is not what holds now.
    SUPERSEDED: "problem = '' AND id IN (SELECT old FROM supersedes)",
    DAMAGED: "problem != ''",
}
STATES = tuple(_CONDITIONS)


class Page(Record):
    """Some of the records that fit; `total` counts all of them. A page past the last one is empty."""

    __slots__ = ("page", "pages", "records", "total")

    def __init__(self, records: list[Link], *, total: int, page: int, pages: int) -> None:
        self.records = records
        self.total = total
        self.page = page
        self.pages = pages


def list_page(
    database: Database,
    *,
    scope: str = "",
    state: str = CURRENT,
    node: str = "",
    kind: str = "",
    limit: int = 20,
    page: int = 1,
) -> Page:
    """
    One page of `limit` records; an empty scope, node or kind means any. Damaged records have neither node nor kind.

    The records of a memory's own folder are those of the project; of another scope it holds none.
    """
    if scope not in ("", PROJECT):
        return Page([], total=0, page=page, pages=0)
    where, values = _CONDITIONS[state], list[str]()
    for column, value in (("node", node), ("kind", kind)):
        if value:
            where += f" AND {column} = ?"
            values.append(value)
    total = database.connection.execute(f"SELECT count(*) FROM chunks WHERE {where}", values).fetchone()[0]
    rows = database.connection.execute(
        f"SELECT id FROM chunks WHERE {where} ORDER BY number DESC, id DESC LIMIT ? OFFSET ?",
        (*values, limit, limit * (page - 1)),
    ).fetchall()
    pages = (total + limit - 1) // limit
    return Page([read_link(database, row[0]) for row in rows], total=total, page=page, pages=pages)
