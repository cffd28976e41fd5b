"""One record in the index: how its row is written and removed."""

from __future__ import annotations

from hfa_core.index.analyzer import document_terms, gram_key
from hfa_core.index.freshness import file_mark
from hfa_core.index.search import TITLE_WEIGHT
from hfa_core.index.synonyms import Synonyms
from hfa_core.light.sha256 import sha256_hex
from hfa_core.model import Record
from hfa_core.store.chunks import PREFIX, parse_id
from hfa_core.store.schema import conclusion_key, content_key
from hfa_core.store.snippet import snippet_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    from hfa_core.index.database import Database
    from hfa_core.model import Chunk, Node

_MASK = (1 << 256) - 1
_ROW_DIGITS = 3
_AFTER_PREFIX = PREFIX[:-1] + chr(ord(PREFIX[-1]) + 1)


_LEAD_CHARACTERS = 30
"""choice: a first sentence shorter than this, such as a heading, takes the next one with it."""
_SENTENCE_ENDS = ".!?;"
_CJK_SENTENCE_ENDS = "。！？；"


class IndexTerms(Record):
    """
    The analysed text of a record as the index stores it, terms separated by blanks.

    `words` are its hit words and tags, and the terms of its groups of synonyms; `body` has a `|` after its first
    sentence; `exact` holds what stemming and stop words took away, each once. `length` counts the terms of body and
    title, the latter by `TITLE_WEIGHT`.
    """

    __slots__ = ("body", "exact", "length", "title", "words")

    def __init__(self, chunk: Chunk, synonyms: Synonyms) -> None:
        lead, rest = _split_lead("\n".join(chunk.conclusion))
        title = document_terms(chunk.title)
        words = document_terms("\n".join([*chunk.hit_words, *chunk.tags]))
        body = [document_terms(lead), document_terms("\n".join([rest, *chunk.paths]))]
        self.title = " ".join(title.content)
        concepts = synonyms.concepts([chunk.title, *chunk.hit_words, *chunk.tags, *chunk.conclusion])
        self.words = " ".join([*words.content, *concepts])
        self.body = " | ".join(" ".join(part.content) for part in body)
        self.exact = " ".join(dict.fromkeys(term for part in (title, words, *body) for term in part.exact))
        self.length = TITLE_WEIGHT * len(title.content) + sum(len(part.content) for part in body)

    @property
    def distinct(self) -> set[str]:
        """The terms of all parts, each once."""
        return _distinct(self.title, self.words, self.body, self.exact)

    @property
    def columns(self) -> tuple[str, str, str, str, int]:
        """In the order of the table's columns."""
        return (self.title, self.words, self.body, self.exact, self.length)


def _distinct(*columns: str) -> set[str]:
    return {term for column in columns for term in column.split(" ") if term not in ("", "|")}


def _split_lead(text: str) -> tuple[str, str]:
    """A text after its first sentence or line."""
    for place, character in enumerate(text):
        if place < _LEAD_CHARACTERS:
            continue
        ends = character in _SENTENCE_ENDS and text[place + 1 : place + 2].isspace()
        if ends or character == "\n" or character in _CJK_SENTENCE_ENDS:
            return text[: place + 1], text[place + 1 :]
    return text, ""


def put_chunk(
    database: Database, chunk: Chunk, stat: os.stat_result, synonyms: Synonyms, *, settled: bool = True
) -> None:
    """
    Make the index hold this record, replacing a row of the same id; a transaction must be open.

    A file that is not `settled` may still change without its time or size changing, so it is read again next time.
    What git was found to say of the record stays, unless it is another one now.
    """
    known = database.connection.execute(
        "SELECT committed FROM chunks WHERE id = ? AND digest = ?", (chunk.id, chunk.digest)
    ).fetchone()
    remove_chunk(database, chunk.id)
    number = (parse_id(chunk.id) or (0, ""))[0]
    terms = IndexTerms(chunk, synonyms)
    database.connection.execute(
        "INSERT INTO chunks(doc, id, number, epoch, node, kind, title, created_at, request_id, content_key,"
        " conclusion_key, digest, tokens, exact, problem, size, mtime_ns, inode, title_terms, word_terms, body_terms,"
        " exact_terms, length, branch, committed) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,0,'',?,?,?,?,?,?,?,?,?,?)",
        (
            _find_row(database, chunk.id),
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
            *terms.columns,
            chunk.source.branch,
            known[0] if known else None,
        ),
    )
    _put_links(database, chunk.id, chunk.supersedes)
    _put_hit_words(database, chunk.hit_words, chunk.id, synonyms)
    database.count_terms(terms.distinct, 1)
    _add_to_sum(database, chunk.id, chunk.digest, 1, terms.length)
    _add_to_epoch(database, _bounded(chunk.epoch), 1)
    _raise_highest(database, number)


def _find_row(database: Database, chunk_id: str) -> int:
    """
    The row of a record: rows stand in the order of the records, whatever order files came in, so that of candidates
    that match a prompt equally well the newest are found. Only records that share a number are told apart by chance,
    if the suffix begins alike, too.
    """
    number, suffix = parse_id(chunk_id) or (0, "")
    row = (number << 4 * _ROW_DIGITS) + int((suffix + "0" * _ROW_DIGITS)[:_ROW_DIGITS], 16)
    while database.connection.execute("SELECT 1 FROM chunks WHERE doc = ?", (row,)).fetchone():
        row += 1
    return row


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
        "INSERT INTO chunks(doc, id, number, digest, problem, size, mtime_ns, inode, title_terms, word_terms,"
        " body_terms, exact_terms, length) VALUES (?,?,?,'',?,?,?,?,'','','','',0)",
        (_find_row(database, chunk_id), chunk_id, number, problem, *file_mark(stat, settled=settled)),
    )
    _put_links(database, chunk_id, (*supersedes, *(row[0] for row in known)))
    _raise_highest(database, number)


def remove_chunk(database: Database, chunk_id: str) -> None:
    """Make the index forget a record; nothing happens if it has none of that id."""
    row = database.connection.execute(
        "SELECT digest, problem, epoch, length, title_terms, word_terms, body_terms, exact_terms FROM chunks"
        " WHERE id = ?",
        (chunk_id,),
    ).fetchone()
    if row is None:
        return
    if not row[1]:
        database.count_terms(_distinct(*row[4:]), -1)
        _add_to_sum(database, chunk_id, row[0], -1, row[3])
        _add_to_epoch(database, row[2], -1)
    _mark_pages(database, chunk_id)
    database.connection.execute("DELETE FROM chunks WHERE id = ?", (chunk_id,))
    database.connection.execute("DELETE FROM supersedes WHERE new = ?", (chunk_id,))
    database.connection.execute("DELETE FROM hit_words WHERE owner = ?", (chunk_id,))


def _put_links(database: Database, chunk_id: str, supersedes: tuple[str, ...]) -> None:
    for old in supersedes:
        database.connection.execute("INSERT OR IGNORE INTO supersedes VALUES (?, ?)", (old, chunk_id))
    _mark_pages(database, chunk_id)


def _mark_pages(database: Database, chunk_id: str) -> None:
    """The pages that say a record of theirs was superseded by this one are behind."""
    database.connection.execute(
        "UPDATE epochs SET page_behind = 1 WHERE epoch IN"
        " (SELECT c.epoch FROM supersedes s JOIN chunks c ON c.id = s.old WHERE s.new = ?)",
        (chunk_id,),
    )


def put_nodes(database: Database, nodes: tuple[Node, ...], synonyms: Synonyms) -> None:
    """Make the index hold the hit words of these nodes and of no others."""
    # As two ranges, which the index by owner answers: all others are records, and there may be very many.
    for others in (f"owner < '{PREFIX}'", f"owner >= '{_AFTER_PREFIX}'"):
        database.connection.execute(f"DELETE FROM hit_words WHERE {others}")
    for node in nodes:
        _put_hit_words(database, node.hit_words, node.id, synonyms)


def _put_hit_words(database: Database, words: tuple[str, ...], owner: str, synonyms: Synonyms) -> None:
    for word in words:
        gram = gram_key(word)
        if gram:
            rows = [(gram, owner, word), *((term, owner, f"{word} (synonym)") for term in synonyms.concepts_of(gram))]
            database.connection.executemany("INSERT OR IGNORE INTO hit_words VALUES (?, ?, ?)", rows)


def _add_to_sum(database: Database, chunk_id: str, digest: str, sign: int, length: int) -> None:
    """Keep digest, number and length of all records as sums, so that a write costs the same however many there are."""
    stored = database.get_meta("sum")
    total = int(stored, 16) if isinstance(stored, str) else 0
    term = int(sha256_hex(f"{chunk_id} {digest}".encode()), 16)
    count, lengths = database.get_meta("count"), database.get_meta("length")
    database.set_meta(
        sum=f"{(total + sign * term) & _MASK:064x}",
        count=(count if isinstance(count, int) else 0) + sign,
        length=(lengths if isinstance(lengths, int) else 0) + sign * length,
    )


def _bounded(epoch: int) -> int:
    """An epoch as SQLite can hold it; a number beyond that is nobody's, whatever a file says."""
    return epoch if 0 < epoch < 1 << 31 else 0


def _add_to_epoch(database: Database, epoch: int, sign: int) -> None:
    """Keep the number of records of each epoch, so that a write need not count them; its page is behind now."""
    database.connection.execute("INSERT OR IGNORE INTO epochs VALUES (?, 0, 1)", (epoch,))
    database.connection.execute(
        "UPDATE epochs SET records = records + ?, page_behind = 1 WHERE epoch = ?", (sign, epoch)
    )
