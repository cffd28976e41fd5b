"""One record in the index: how its row is written and removed, and the look-ups that writers need."""

from __future__ import annotations

from hfa_core.index.analyzer import document_terms, gram_key
from hfa_core.light.sha256 import sha256_hex
from hfa_core.store.chunks import parse_id
from hfa_core.store.schema import conclusion_key, content_key
from hfa_core.store.snippet import snippet_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    from hfa_core.index.database import Database
    from hfa_core.model import Chunk, Node

_MASK = (1 << 256) - 1


def put_chunk(database: Database, chunk: Chunk, stat: os.stat_result) -> None:
    """Make the index hold this record, replacing a row of the same id; a transaction must be open."""
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
            stat.st_size,
            stat.st_mtime_ns,
            _signed(stat.st_ino),
            " ".join(document_terms(chunk.title)),
            " ".join(document_terms("\n".join([*chunk.hit_words, *chunk.tags]))),
            " ".join(document_terms("\n".join([*chunk.conclusion, *chunk.paths]))),
        ),
    )
    for old in chunk.supersedes:
        database.connection.execute("INSERT OR IGNORE INTO supersedes VALUES (?, ?)", (old, chunk.id))
    _put_hit_words(database, chunk.hit_words, chunk.id)
    _add_to_sum(database, chunk.id, chunk.digest, 1)
    highest = database.get_meta("highest")
    database.set_meta(highest=max(number, highest if isinstance(highest, int) else 0))


def put_damaged(
    database: Database, chunk_id: str, stat: os.stat_result, problem: str, supersedes: tuple[str, ...]
) -> None:
    """
    Remember that a file is not a sound chunk, so that it is reported and not read again until it changes.

    What it superseded, as far as that can be read, stays superseded: damage must not revive a dead decision.
    """
    remove_chunk(database, chunk_id)
    number = (parse_id(chunk_id) or (0, ""))[0]
    database.connection.execute(
        "INSERT INTO chunks(id, number, digest, problem, size, mtime_ns, inode, title_terms, word_terms, body_terms)"
        " VALUES (?,?,'',?,?,?,?,'','','')",
        (chunk_id, number, problem, stat.st_size, stat.st_mtime_ns, _signed(stat.st_ino)),
    )
    for old in supersedes:
        database.connection.execute("INSERT OR IGNORE INTO supersedes VALUES (?, ?)", (old, chunk_id))


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
            database.connection.execute("INSERT OR IGNORE INTO hit_words VALUES (?, ?)", (gram, owner))


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


def _signed(inode: int) -> int:
    """Some file systems use all 64 bits; SQLite's integers are signed."""
    return inode - (1 << 64) if inode >= 1 << 63 else inode


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


def find_tokens(database: Database, chunk_id: str, digest: str) -> int:
    """What the snippet of that very content costs, as counted when it was indexed; 0 if the index has other content."""
    row = database.connection.execute(
        "SELECT tokens FROM chunks WHERE id = ? AND digest = ?", (chunk_id, digest)
    ).fetchone()
    return row[0] if row else 0


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
