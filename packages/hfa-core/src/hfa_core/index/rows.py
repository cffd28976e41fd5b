"""One record in the index: how its row is written and removed."""

from __future__ import annotations

from hfa_core.index.analyzer import document_terms, gram_key
from hfa_core.index.freshness import file_mark
from hfa_core.index.synonyms import Synonyms
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


def index_terms(chunk: Chunk, synonyms: Synonyms) -> tuple[str, str, str]:
    """The analysed text of a record, terms separated by blanks: title, then hit words and tags, then the rest."""
    words = [*chunk.hit_words, *chunk.tags]
    concepts = synonyms.concepts([chunk.title, *words, *chunk.conclusion])
    return (
        " ".join(document_terms(chunk.title)),
        " ".join([*document_terms("\n".join(words)), *concepts]),
        " ".join(document_terms("\n".join([*chunk.conclusion, *chunk.paths]))),
    )


def put_chunk(
    database: Database, chunk: Chunk, stat: os.stat_result, synonyms: Synonyms, *, settled: bool = True
) -> None:
    """
    Make the index hold this record, replacing a row of the same id; a transaction must be open.

    A file that is not `settled` may still change without its time or size changing, so it is read again next time.
    """
    remove_chunk(database, chunk.id)
    number = (parse_id(chunk.id) or (0, ""))[0]
    database.connection.execute(
        "INSERT INTO chunks(id, number, epoch, node, kind, title, created_at, request_id, content_key, conclusion_key,"
        " digest, tokens, exact, problem, size, mtime_ns, inode, title_terms, word_terms, body_terms)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,0,'',?,?,?,?,?,?)",
        (
            chunk.id,
            number,
            _bounded(chunk.epoch),
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
            *index_terms(chunk, synonyms),
        ),
    )
    for old in chunk.supersedes:
        database.connection.execute("INSERT OR IGNORE INTO supersedes VALUES (?, ?)", (old, chunk.id))
    _put_hit_words(database, chunk.hit_words, chunk.id, synonyms)
    _add_to_sum(database, chunk.id, chunk.digest, 1)
    _add_to_epoch(database, _bounded(chunk.epoch), 1)
    _raise_highest(database, number)


def _raise_highest(database: Database, number: int) -> None:
    highest = database.get_meta("highest")
    database.set_meta(highest=max(number, highest if isinstance(highest, int) else 0))


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
    row = database.connection.execute("SELECT digest, problem, epoch FROM chunks WHERE id = ?", (chunk_id,)).fetchone()
    if row is None:
        return
    if not row[1]:
        _add_to_sum(database, chunk_id, row[0], -1)
        _add_to_epoch(database, row[2], -1)
    database.connection.execute("DELETE FROM chunks WHERE id = ?", (chunk_id,))
    database.connection.execute("DELETE FROM supersedes WHERE new = ?", (chunk_id,))
    database.connection.execute("DELETE FROM hit_words WHERE owner = ?", (chunk_id,))


def put_nodes(database: Database, nodes: tuple[Node, ...], synonyms: Synonyms) -> None:
    """Make the index hold the hit words of these nodes and of no others."""
    database.connection.execute("DELETE FROM hit_words WHERE owner NOT LIKE 'chunk~_%' ESCAPE '~'")
    for node in nodes:
        _put_hit_words(database, node.hit_words, node.id, synonyms)


def _put_hit_words(database: Database, words: tuple[str, ...], owner: str, synonyms: Synonyms) -> None:
    for word in words:
        gram = gram_key(word)
        if gram:
            rows = [(gram, owner, word), *((term, owner, f"{word} (synonym)") for term in synonyms.concepts_of(gram))]
            database.connection.executemany("INSERT OR IGNORE INTO hit_words VALUES (?, ?, ?)", rows)


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


def _bounded(epoch: int) -> int:
    """An epoch as SQLite can hold it; a number beyond that is nobody's, whatever a file says."""
    return epoch if 0 < epoch < 1 << 31 else 0


def _add_to_epoch(database: Database, epoch: int, sign: int) -> None:
    """Keep the number of records of each epoch, so that a write need not count them."""
    database.connection.execute("INSERT OR IGNORE INTO epochs VALUES (?, 0)", (epoch,))
    database.connection.execute("UPDATE epochs SET records = records + ? WHERE epoch = ?", (sign, epoch))
