"""One record in the index: how its row is written and removed, and the look-ups that writers need."""

from __future__ import annotations

from hfa_core.index.analyzer import document_terms, gram_key
from hfa_core.light.sha256 import sha256_hex
from hfa_core.model import Record
from hfa_core.store.chunks import parse_id
from hfa_core.store.schema import conclusion_key, content_key
from hfa_core.store.snippet import snippet_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    from hfa_core.index.database import Database
    from hfa_core.model import Chunk, Node

_MASK = (1 << 256) - 1


def index_terms(chunk: Chunk) -> tuple[str, str, str]:
    """The analysed text of a record, terms separated by blanks: title, then hit words and tags, then the rest."""
    return (
        " ".join(document_terms(chunk.title)),
        " ".join(document_terms("\n".join([*chunk.hit_words, *chunk.tags]))),
        " ".join(document_terms("\n".join([*chunk.conclusion, *chunk.paths]))),
    )


def put_chunk(database: Database, chunk: Chunk, stat: os.stat_result, *, settled: bool = True) -> None:
    """
    Make the index hold this record, replacing a row of the same id; a transaction must be open.

    A file that is not `settled` may still change without its time or size changing, so it is read again next time.
    """
    remove_chunk(database, chunk.id)
    number = (parse_id(chunk.id) or (0, ""))[0]
    database.connection.execute(
        "INSERT INTO chunks(id, number, node, kind, title, created_at, request_id, content_key, conclusion_key, digest,"
        " tokens, exact, problem, size, mtime_ns, inode, title_terms, word_terms, body_terms)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,0,'',?,?,?,?,?,?)",
        (
            chunk.id,
            number,
            chunk.node,
            chunk.kind,
            chunk.title,
            chunk.created_at,
            chunk.request_id,
            content_key(chunk),
            conclusion_key(chunk.conclusion),
            chunk.digest,
            snippet_tokens(chunk),
            *file_mark(stat, settled=settled),
            *index_terms(chunk),
        ),
    )
    for old in chunk.supersedes:
        database.connection.execute("INSERT OR IGNORE INTO supersedes VALUES (?, ?)", (old, chunk.id))
    _put_hit_words(database, chunk.hit_words, chunk.id)
    _add_to_sum(database, chunk.id, chunk.digest, 1)
    _raise_highest(database, number)


def _raise_highest(database: Database, number: int) -> None:
    highest = database.get_meta("highest")
    database.set_meta(highest=max(number, highest if isinstance(highest, int) else 0))


def file_mark(stat: os.stat_result, *, settled: bool = True) -> tuple[int, int, int]:
    """By what a file is known not to have changed; one that is not settled has a mark that no file has."""
    # Some file systems use all 64 bits of an inode; SQLite's integers are signed.
    inode = stat.st_ino - (1 << 64) if stat.st_ino >= 1 << 63 else stat.st_ino
    return stat.st_size, stat.st_mtime_ns if settled else -1, inode


def put_damaged(
    database: Database,
    chunk_id: str,
    stat: os.stat_result,
    problem: str,
    supersedes: tuple[str, ...],
    *,
    settled: bool = True,
) -> None:
    """
    Remember that a file is not a sound chunk, so that it is reported and not read again until it changes.

    What it superseded, as far as that can be read or was known, stays superseded: damage must not revive a dead
    decision.
    """
    known = database.connection.execute("SELECT old FROM supersedes WHERE new = ?", (chunk_id,)).fetchall()
    remove_chunk(database, chunk_id)
    number = (parse_id(chunk_id) or (0, ""))[0]
    database.connection.execute(
        "INSERT INTO chunks(id, number, digest, problem, size, mtime_ns, inode, title_terms, word_terms, body_terms)"
        " VALUES (?,?,'',?,?,?,?,'','','')",
        (chunk_id, number, problem, *file_mark(stat, settled=settled)),
    )
    for old in [*supersedes, *(row[0] for row in known)]:
        database.connection.execute("INSERT OR IGNORE INTO supersedes VALUES (?, ?)", (old, chunk_id))
    _raise_highest(database, number)


def remove_chunk(database: Database, chunk_id: str) -> None:
    """Make the index forget a record; nothing happens if it has none of that id."""
    row = database.connection.execute("SELECT digest, problem FROM chunks WHERE id = ?", (chunk_id,)).fetchone()
    if row is None:
        return
    if not row[1]:
        _add_to_sum(database, chunk_id, row[0], -1)
    database.connection.execute("DELETE FROM chunks WHERE id = ?", (chunk_id,))
    database.connection.execute("DELETE FROM supersedes WHERE new = ?", (chunk_id,))
    database.connection.execute("DELETE FROM hit_words WHERE owner = ?", (chunk_id,))


def put_nodes(database: Database, nodes: tuple[Node, ...]) -> None:
    """Make the index hold the hit words of these nodes and of no others."""
    database.connection.execute("DELETE FROM hit_words WHERE owner NOT LIKE 'chunk~_%' ESCAPE '~'")
    for node in nodes:
        _put_hit_words(database, node.hit_words, node.id)


def _put_hit_words(database: Database, words: tuple[str, ...], owner: str) -> None:
    for word in words:
        gram = gram_key(word)
        if gram:
            database.connection.execute("INSERT OR IGNORE INTO hit_words VALUES (?, ?, ?)", (gram, owner, word))


def _add_to_sum(database: Database, chunk_id: str, digest: str, sign: int) -> None:
    """Keep the digest of all records as a sum, so that a write costs the same however many there are."""
    stored = database.get_meta("sum")
    total = int(stored, 16) if isinstance(stored, str) else 0
    term = int(sha256_hex(f"{chunk_id} {digest}".encode()), 16)
    count = database.get_meta("count")
    database.set_meta(
        sum=f"{(total + sign * term) & _MASK:064x}",
        count=(count if isinstance(count, int) else 0) + sign,
    )


def find_request(database: Database, request_id: str) -> tuple[str, str] | None:
    """Id and content key of the earliest record with that request id, or None."""
    row = database.connection.execute(
        "SELECT id, content_key FROM chunks WHERE request_id = ? AND problem = '' ORDER BY number, id LIMIT 1",
        (request_id,),
    ).fetchone()
    return (row[0], row[1]) if row else None


def find_conclusion(database: Database, key: str) -> str:
    """The id of a current record with that conclusion key; empty if there is none."""
    row = database.connection.execute(
        "SELECT id FROM chunks WHERE conclusion_key = ? AND problem = ''"
        " AND id NOT IN (SELECT old FROM supersedes) ORDER BY number LIMIT 1",
        (key,),
    ).fetchone()
    return row[0] if row else ""


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
    """What the index knows of a sound record: enough to decide whether to read its file; `tokens` is its snippet's."""

    __slots__ = ("digest", "id", "node", "title", "tokens")

    def __init__(self, id: str, title: str, node: str, tokens: int, digest: str) -> None:
        self.id = id
        self.title = title
        self.node = node
        self.tokens = tokens
        self.digest = digest


def find_entry(database: Database, chunk_id: str) -> Entry | None:
    """The entry of a sound record, or None."""
    row = database.connection.execute(
        "SELECT id, title, node, tokens, digest FROM chunks WHERE id = ? AND problem = ''", (chunk_id,)
    ).fetchone()
    return Entry(*row) if row else None


def list_ids(database: Database) -> list[str]:
    """The ids of all sound records, in the order in which they were made."""
    rows = database.connection.execute("SELECT id FROM chunks WHERE problem = '' ORDER BY number, id").fetchall()
    return [row[0] for row in rows]


def list_superseded(database: Database) -> dict[str, str]:
    """The superseded records, each with the ids that replaced it, separated by commas."""
    found: dict[str, list[str]] = {}
    rows = database.connection.execute(
        "SELECT s.old, s.new FROM supersedes s JOIN chunks c ON c.id = s.old WHERE c.problem = '' ORDER BY s.old, s.new"
    ).fetchall()
    for old, new in rows:
        found.setdefault(old, []).append(new)
    return {old: ", ".join(new) for old, new in found.items()}


def list_damaged(database: Database) -> list[str]:
    """What is wrong with each file that is not a sound chunk, in the order of their ids."""
    rows = database.connection.execute("SELECT problem FROM chunks WHERE problem != '' ORDER BY id").fetchall()
    return [row[0] for row in rows]
