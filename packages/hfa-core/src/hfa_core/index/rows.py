"""One record in the index: how its row is written and removed."""

from __future__ import annotations

from itertools import chain

from hfa_core.index.analyzer import gram_key, gram_of, terms_of
from hfa_core.index.freshness import file_mark
from hfa_core.index.search import TITLE_WEIGHT
from hfa_core.index.synonyms import Synonyms
from hfa_core.index.tokenizer import tokenize
from hfa_core.index.totals import Totals
from hfa_core.model import Record
from hfa_core.store.chunks import PREFIX, parse_id
from hfa_core.store.schema import conclusion_key, content_key
from hfa_core.store.snippet import snippet_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from hfa_core.index.database import Database
    from hfa_core.index.tokenizer import Token
    from hfa_core.model import Chunk, Node

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
    title, the latter by `TITLE_WEIGHT`. `grams` are its hit words as `gram_key` gives them.
    """

    __slots__ = ("body", "exact", "grams", "length", "title", "words")

    def __init__(self, chunk: Chunk, synonyms: Synonyms) -> None:
        # Each piece of the text is cut once: its terms, its hit words and its groups all come from that.
        title_line = tokenize(chunk.title)
        word_lines = [tokenize(word) for word in (*chunk.hit_words, *chunk.tags)]
        lead, rest = _cut_lead(chunk.conclusion)
        body_lines = [[*first, *second] for first, second in zip(lead, rest, strict=True)]
        grams = [gram_of(line) for line in (title_line, *word_lines, *body_lines)]
        self.grams = tuple(grams[1 : 1 + len(chunk.hit_words)])
        title = terms_of(title_line)
        words = terms_of(chain.from_iterable(word_lines))
        body = [
            terms_of(chain.from_iterable(lead)),
            terms_of(chain.from_iterable([*rest, *map(tokenize, chunk.paths)])),
        ]
        self.title = " ".join(title.content)
        self.words = " ".join([*words.content, *synonyms.concepts(grams)])
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


def _cut_lead(lines: tuple[str, ...]) -> tuple[list[list[Token]], list[list[Token]]]:
    """The tokens of each line that stand in the first sentence or line of all, and those that come after it."""
    left = _lead_length("\n".join(lines))
    lead: list[list[Token]] = []
    rest: list[list[Token]] = []
    for line in lines:
        lead.append(tokenize(line[:left]))
        rest.append(tokenize(line[left:]))
        left = max(0, left - len(line) - 1)
    return lead, rest


def _lead_length(text: str) -> int:
    for place in range(_LEAD_CHARACTERS, len(text)):
        character = text[place]
        ends = character in _SENTENCE_ENDS and text[place + 1 : place + 2].isspace()
        if ends or character == "\n" or character in _CJK_SENTENCE_ENDS:
            return place + 1
    return len(text)


def put_chunk(
    database: Database, chunk: Chunk, stat: os.stat_result, synonyms: Synonyms, *, settled: bool = True
) -> None:
    """
    Make the index hold this record, replacing a row of the same id; a transaction must be open.

    A file that is not `settled` may still change without its time or size changing, so it is read again next time.
    What git was found to say of the record stays, unless it is another one now.
    """
    known = remove_chunk(database, chunk.id)
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
            known[1] if known and known[0] == chunk.digest else None,
        ),
    )
    _put_links(database, chunk.id, chunk.supersedes)
    _put_hit_words(database, zip(chunk.hit_words, terms.grams, strict=True), chunk.id, synonyms)
    database.connection.executemany(
        "INSERT OR IGNORE INTO paths VALUES (?, ?)", [(path, chunk.id) for path in chunk.paths]
    )
    totals = _totals(database)
    totals.raise_highest(number)
    totals.count(
        chunk.id,
        sign=1,
        digest=chunk.digest,
        epoch=_bounded(chunk.epoch),
        length=terms.length,
        terms=terms.distinct,
    )


def _totals(database: Database) -> Totals:
    if database.totals is None:
        database.totals = Totals()
    return database.totals


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
    _totals(database).raise_highest(number)


def remove_chunk(database: Database, chunk_id: str) -> tuple[str, int | None] | None:
    """Make the index forget a record: its digest and what git was found to say of it, or None if there was none."""
    row = database.connection.execute(
        "SELECT digest, committed, problem, epoch, length, title_terms, word_terms, body_terms, exact_terms"
        " FROM chunks WHERE id = ?",
        (chunk_id,),
    ).fetchone()
    if row is None:
        return None
    digest, committed, problem, epoch, length, *columns = row
    if not problem:
        _totals(database).count(chunk_id, sign=-1, digest=digest, epoch=epoch, length=length, terms=_distinct(*columns))
    _mark_pages(database, chunk_id)
    database.connection.execute("DELETE FROM chunks WHERE id = ?", (chunk_id,))
    database.connection.execute("DELETE FROM supersedes WHERE new = ?", (chunk_id,))
    database.connection.execute("DELETE FROM hit_words WHERE owner = ?", (chunk_id,))
    database.connection.execute("DELETE FROM paths WHERE id = ?", (chunk_id,))
    return digest, committed


def _put_links(database: Database, chunk_id: str, supersedes: tuple[str, ...]) -> None:
    for old in supersedes:
        database.connection.execute("INSERT OR IGNORE INTO supersedes VALUES (?, ?)", (old, chunk_id))
    if supersedes:
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
        words = [(word, gram_key(word)) for word in node.hit_words]
        _put_hit_words(database, words, node.id, synonyms)


def _put_hit_words(database: Database, words: Iterable[tuple[str, str]], owner: str, synonyms: Synonyms) -> None:
    """Of these hit words, each with its `gram_key`."""
    rows: list[tuple[str, str, str]] = []
    for word, gram in words:
        if gram:
            rows.append((gram, owner, word))
            rows.extend((term, owner, f"{word} (synonym)") for term in synonyms.concepts_of(gram))
    database.connection.executemany("INSERT OR IGNORE INTO hit_words VALUES (?, ?, ?)", rows)


def _bounded(epoch: int) -> int:
    """An epoch as SQLite can hold it; a number beyond that is nobody's, whatever a file says."""
    return epoch if 0 < epoch < 1 << 31 else 0
