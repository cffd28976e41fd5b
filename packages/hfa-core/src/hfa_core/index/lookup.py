"""Look-ups in the index: which records there are, what replaced them, and what an id or a request means."""

from __future__ import annotations

from hfa_core.model import Record
from hfa_core.store.chunks import parse_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.database import Database

MOST_BY_PATH = 20
"""More records about one file are not looked at; the newest count."""


def find_request(database: Database, request_id: str) -> tuple[str, str] | None:
    """Id and content key of the earliest record with that request id, or None."""
    row = database.connection.execute(
        "SELECT id, content_key FROM chunks WHERE request_id = ? AND problem = '' ORDER BY number, id LIMIT 1",
        (request_id,),
    ).fetchone()
    return (row[0], row[1]) if row else None


def find_conclusion(database: Database, key: str) -> tuple[str, ...]:
    """The ids of the records with that conclusion key, superseded ones included, newest first."""
    rows = database.connection.execute(
        "SELECT id FROM chunks WHERE conclusion_key = ? AND problem = '' ORDER BY number DESC, id", (key,)
    ).fetchall()
    return tuple(row[0] for row in rows)


def find_by_path(database: Database, path: str) -> tuple[str, ...]:
    """The ids of the records about a file (its path relative to the workspace), newest first."""
    rows = database.connection.execute(
        "SELECT p.id FROM paths p JOIN chunks c ON c.id = p.id WHERE p.path = ? AND c.problem = ''"
        " ORDER BY c.number DESC, c.id LIMIT ?",
        (path, MOST_BY_PATH),
    ).fetchall()
    return tuple(row[0] for row in rows)


def find_successors(database: Database, chunk_id: str) -> tuple[str, ...]:
    """The ids of the records that supersede this one, oldest first."""
    rows = database.connection.execute(
        "SELECT s.new FROM supersedes s JOIN chunks c ON c.id = s.new WHERE s.old = ? ORDER BY c.number, c.id",
        (chunk_id,),
    ).fetchall()
    return tuple(row[0] for row in rows)


def find_predecessors(database: Database, chunk_id: str) -> tuple[str, ...]:
    """The ids that a record says it supersedes, in the order of the ids."""
    rows = database.connection.execute("SELECT old FROM supersedes WHERE new = ? ORDER BY old", (chunk_id,)).fetchall()
    return tuple(row[0] for row in rows)


def resolve_id(database: Database, text: str) -> tuple[str, ...]:
    """The ids of sound records that `text` may mean: the id itself, or all with its number if it has no suffix."""
    parsed = parse_id(text)
    if parsed is None:
        return ()
    exact = database.connection.execute("SELECT id FROM chunks WHERE id = ? AND problem = ''", (text,)).fetchall()
    if exact:
        return (text,)
    number, suffix = parsed
    rows = database.connection.execute(
        "SELECT id FROM chunks WHERE number = ? AND problem = '' ORDER BY id", (number,)
    ).fetchall()
    return tuple(row[0] for row in rows if not suffix or (parse_id(row[0]) or (0, ""))[1].startswith(suffix))


class Entry(Record):
    """
    What the index knows of a sound record: enough to decide whether to read its file. `tokens` is its snippet's,
    `line_end` what a line end after it adds, and `exact` whether both were counted or estimated. `branch` is the one it
    was made on, and `committed` what the index knows of that (`index.commits`).
    """

    __slots__ = ("branch", "committed", "digest", "exact", "id", "line_end", "node", "title", "tokens")

    def __init__(self, row: tuple[str, str, str, int, int, int, str, str, int | None]) -> None:
        self.id, self.title, self.node, self.tokens, self.line_end, exact, self.digest, *state = row
        self.exact = bool(exact)
        self.branch, self.committed = state


def find_entry(database: Database, chunk_id: str) -> Entry | None:
    """The entry of a sound record, or None."""
    row = database.connection.execute(
        "SELECT id, title, node, tokens, line_end, exact, digest, branch, committed"
        " FROM chunks WHERE id = ? AND problem = ''",
        (chunk_id,),
    ).fetchone()
    return Entry(row) if row else None


def find_line_tokens(database: Database, line: str) -> tuple[int, int] | None:
    """The exact tokens of a line of L0 and of a line end after it; None if it was not counted."""
    row = database.connection.execute("SELECT tokens, line_end FROM router_lines WHERE line = ?", (line,)).fetchone()
    return (row[0], row[1]) if row else None


def count_exact(database: Database) -> int:
    """How many sound records have an exact token count; the others have an estimate."""
    row = database.connection.execute("SELECT count(*) FROM chunks WHERE exact = 1 AND problem = ''").fetchone()
    return row[0] if row else 0


def list_ids(database: Database) -> list[str]:
    """The ids of all sound records, in the order in which they were made."""
    rows = database.connection.execute("SELECT id FROM chunks WHERE problem = '' ORDER BY number, id").fetchall()
    return [row[0] for row in rows]


def count_epoch(database: Database, epoch: int) -> int:
    """How many sound records an epoch holds."""
    row = database.connection.execute("SELECT records FROM epochs WHERE epoch = ?", (epoch,)).fetchone()
    return row[0] if row else 0


def list_epoch(database: Database, epoch: int) -> list[str]:
    """The ids of the sound records of an epoch, in the order in which they were made."""
    rows = database.connection.execute(
        "SELECT id FROM chunks WHERE epoch = ? AND problem = '' ORDER BY number, id", (epoch,)
    ).fetchall()
    return [row[0] for row in rows]


def list_pages_behind(database: Database) -> list[int]:
    """The epochs whose page does not show what the index knows."""
    return [row[0] for row in database.connection.execute("SELECT epoch FROM epochs WHERE page_behind = 1").fetchall()]


def list_superseded(database: Database, epoch: int | None = None) -> dict[str, str]:
    """The superseded records, of one epoch or of all, each with the ids that replaced it, separated by commas."""
    found: dict[str, list[str]] = {}
    rows = database.connection.execute(
        "SELECT s.old, s.new FROM chunks c JOIN supersedes s ON s.old = c.id WHERE c.problem = ''"
        + (" AND c.epoch = ?" if epoch is not None else "")
        + " ORDER BY s.old, s.new",
        () if epoch is None else (epoch,),
    ).fetchall()
    for old, new in rows:
        found.setdefault(old, []).append(new)
    return {old: ", ".join(new) for old, new in found.items()}


def list_damaged(database: Database) -> list[str]:
    """What is wrong with each file that is not a sound chunk, in the order of their ids."""
    rows = database.connection.execute("SELECT problem FROM chunks WHERE problem != '' ORDER BY id").fetchall()
    return [row[0] for row in rows]
