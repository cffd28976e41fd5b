"""Candidates for a prompt: what shares a term or a hit word with it, and all that the ranker needs to weigh them."""

from __future__ import annotations

import math

from hfa_core.errors import StorageError
from hfa_core.light.sqlite import DatabaseError, SqliteError
from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hfa_core.index.analyzer import Query, QueryUnit
    from hfa_core.index.database import Database

    _HitWords = dict[str, dict[str, str]]
    _Counts = dict[str, int]

TITLE_WEIGHT = 3
"""A word of the title counts as often as this many of the body, in the frequency and in the length of a record."""
TELLING_TITLE = 3
"""choice: a title of fewer terms, such as a name, is matched by chance; measured where titles are speakers."""
FIELD_WEIGHTS = (3.0, 2.0, 1.0, 0.0)
"""Of title, hit words, body and exact forms, where the index chooses the candidates."""
QUERY_UNITS = 16
"""The rarest units of a prompt that are searched; measured, 24 gain .1 points of recall and 12 lose .2 to .4."""
FEWEST_UNITS = 5
POSTINGS = 1_500
"""Of these units, the rarest few are always searched, and others while all together stand in at most so many records:
that, and not the size of the memory, is what a search costs."""
CANDIDATES = 20
"""choice: measured on the development sets, the ranker finds hardly more among 40."""
FEW_RECORDS = 50
"""choice: the size of memory on which the gate's thresholds are tried in the tests."""
_BATCH = 400


class Candidate(Record):
    """
    A record that shares something with the prompt, and what it shares.

    `in_title`, `in_lead` and `in_rest` count the prompt's terms in the title, in the first sentence and in what follows
    it; `counts` joins them, a term of the title counted `TITLE_WEIGHT` times and a hit word once. `title_terms` is the
    number of different terms of the title, and the lengths count terms, that of the record likewise. `neighbours` are
    the prompt's pairs of words that stand side by side here too, `characters` the number of its CJK characters and
    `stop_words` those of its stop words that the record has. `hit_grams` are its hit words that stand in the prompt,
    from the form they were found in to the word as its author wrote it.
    """

    __slots__ = (
        "characters",
        "counts",
        "created_at",
        "hit_grams",
        "id",
        "in_lead",
        "in_rest",
        "in_title",
        "lead_length",
        "length",
        "matched",
        "neighbours",
        "number",
        "stop_words",
        "title_length",
        "title_matched",
        "title_terms",
    )

    def __init__(self, row: tuple[str, int, str], hit_grams: dict[str, str]) -> None:
        self.id, self.number, self.created_at = row
        self.hit_grams = hit_grams
        self.matched: tuple[QueryUnit, ...] = ()
        self.title_matched: tuple[QueryUnit, ...] = ()
        self.neighbours: tuple[tuple[str, str], ...] = ()

    @property
    def title_share(self) -> float:
        """How much of its title stands in the prompt, 0 to 1; a title of one word or two can say only part of that."""
        return len(self.in_title) / max(self.title_terms, TELLING_TITLE)

    def read_terms(self, columns: tuple[str, str, str, str, int], query: Query, wanted: frozenset[str]) -> None:
        """Count what the stored terms of the record, in the order of `IndexTerms.columns`, share with the prompt."""
        title, words, body, exact, self.length = columns
        lead, _, rest = body.partition(" | ")
        parts = [part.split(" ") for part in (title, lead, rest)]
        self.in_title, self.in_lead, self.in_rest = (_count(terms, wanted) for terms in parts)
        self.title_length = len(parts[0])
        self.title_terms = len(set(parts[0]))
        self.lead_length = self.title_length + len(parts[1])
        counts = dict.fromkeys(wanted.intersection(words.split(" ")), 1)
        for part, weight in ((self.in_title, TITLE_WEIGHT), (self.in_lead, 1), (self.in_rest, 1)):
            for term, count in part.items():
                counts[term] = counts.get(term, 0) + weight * count
        self.counts = counts
        text = f" {title} | {body} "
        self.neighbours = tuple(pair for pair in query.neighbours if f" {pair[0]} {pair[1]} " in text)
        self.characters = sum(character in text for character in query.characters)
        stop_words = exact.split(" ") if query.stop_words else ()
        self.stop_words = tuple(word for word in query.stop_words if word in stop_words)


def _count(terms: list[str], wanted: frozenset[str]) -> _Counts:
    return {term: terms.count(term) for term in wanted.intersection(terms)}


class Search(Record):
    """
    What a search saw: candidates in no order, hit nodes, how many of the `count` records hold each unit or stop word
    and how that weighs it, and the mean length of a record.
    """

    __slots__ = ("candidates", "count", "frequencies", "length", "node_grams", "query", "weights")

    def __init__(
        self,
        query: Query,
        *,
        candidates: list[Candidate],
        node_grams: _HitWords,
        frequencies: dict[str, int],
        count: int,
        length: float,
    ) -> None:
        self.query = query
        self.candidates = candidates
        self.node_grams = node_grams
        self.frequencies = frequencies
        self.weights = {shown: _idf(frequency, count) for shown, frequency in frequencies.items()}
        self.count = count
        self.length = length


def search(database: Database, query: Query) -> Search:
    """
    Everything in the index that shares a unit or a hit word with the prompt, superseded records included.

    Raises:
        StorageError: The index cannot be read. A damaged one was set aside, so that the next call builds it anew.
    """
    try:
        return _search(database, query)
    except SqliteError as error:
        reason = str(error)
        if type(error) is DatabaseError and database.replace_damaged():
            reason += "; the index was set aside and the next call builds it anew"
        raise StorageError(database.layout.database, reason) from error


def _search(database: Database, query: Query) -> Search:
    count, length = _sum(database, "count"), _sum(database, "length")
    chunk_grams, node_grams = _find_grams(database, query.grams)
    if not query.units or not count:
        return Search(query, candidates=[], node_grams=node_grams, frequencies={}, count=count, length=1.0)
    frequencies = _document_frequencies(database, query)
    known = sorted((unit for unit in query.units if frequencies[unit.shown]), key=lambda unit: frequencies[unit.shown])
    docs = _match(database, _choose(known[:QUERY_UNITS], frequencies))
    return Search(
        query,
        candidates=_load(database, docs, chunk_grams, query, known),
        node_grams=node_grams,
        frequencies=frequencies,
        count=count,
        length=max(1.0, length / count),
    )


def _sum(database: Database, key: str) -> int:
    stored = database.get_meta(key)
    return stored if isinstance(stored, int) else 0


def _idf(frequency: int, count: int) -> float:
    """
    The weight of a unit that `frequency` of `count` records hold; source: BM25's, kept positive.

    A memory with fewer than `FEW_RECORDS` is weighed as if it had so many: in a handful of records, all that hold a
    word by chance would make it worthless against the words that none holds.
    """
    count = max(count, FEW_RECORDS)
    return math.log(1.0 + (count - frequency + 0.5) / (frequency + 0.5))


def _document_frequencies(database: Database, query: Query) -> dict[str, int]:
    """How many records hold each unit, by its most frequent form, and each stop word."""
    forms = [*(form for unit in query.units for form in unit.forms), *query.stop_words]
    counts: dict[str, int] = {}
    for start in range(0, len(forms), _BATCH):
        batch = forms[start : start + _BATCH]
        marks = ",".join("?" * len(batch))
        rows = database.connection.execute(f"SELECT term, records FROM terms WHERE term IN ({marks})", batch).fetchall()
        counts.update(rows)
    found = {word: counts.get(word, 0) for word in query.stop_words}
    found.update({unit.shown: max(counts.get(form, 0) for form in unit.forms) for unit in query.units})
    return found


def _find_grams(database: Database, grams: tuple[str, ...]) -> tuple[_HitWords, _HitWords]:
    chunks: _HitWords = {}
    nodes: _HitWords = {}
    for start in range(0, len(grams), _BATCH):
        batch = grams[start : start + _BATCH]
        marks = ",".join("?" * len(batch))
        rows = database.connection.execute(
            f"SELECT owner, gram, word FROM hit_words WHERE gram IN ({marks})", batch
        ).fetchall()
        for owner, gram, word in rows:
            (chunks if owner.startswith("chunk_") else nodes).setdefault(owner, {})[gram] = word
    return chunks, nodes


def _choose(units: list[QueryUnit], frequencies: dict[str, int]) -> list[QueryUnit]:
    """The units to search for, of those that are known, rarest first."""
    postings = 0
    for place, unit in enumerate(units):
        postings += frequencies[unit.shown]
        if place >= FEWEST_UNITS and postings > POSTINGS:
            return units[:place]
    return units


def _match(database: Database, units: list[QueryUnit]) -> list[int]:
    if not units:
        return []
    expression = " OR ".join(f'"{form}"' for form in dict.fromkeys(form for unit in units for form in unit.forms))
    rows = database.connection.execute(
        "SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?"
        " ORDER BY bm25(chunks_fts, ?, ?, ?, ?), rowid DESC LIMIT ?",
        (expression, *FIELD_WEIGHTS, CANDIDATES),
    ).fetchall()
    return [row[0] for row in rows]


def _load(
    database: Database, docs: list[int], grams: _HitWords, query: Query, units: list[QueryUnit]
) -> list[Candidate]:
    # A hit word that very many records share singles out none of them, so its newest carriers are enough.
    owners = sorted(grams)[-CANDIDATES:]
    wanted = frozenset(form for unit in units for form in unit.forms)
    found: dict[str, Candidate] = {}
    # Asked for at once, the two would make SQLite read the whole table.
    for key, values in (("doc", docs), ("id", owners)):
        for row in _read_rows(database, key, values):
            candidate = found[row[0]] = Candidate(row[:3], grams.get(row[0], {}))
            candidate.read_terms(row[3:], query, wanted)
            candidate.matched = _held(units, candidate.counts)
            candidate.title_matched = _held(candidate.matched, candidate.in_title)
    return list(found.values())


def _read_rows(database: Database, key: str, values: list[int] | list[str]) -> list[tuple[Any, ...]]:
    return database.connection.execute(
        "SELECT id, number, created_at, title_terms, word_terms, body_terms, exact_terms, length FROM chunks"
        f" WHERE {key} IN ({','.join('?' * len(values))}) AND problem = ''",
        values,
    ).fetchall()


def _held(units: Sequence[QueryUnit], counts: _Counts) -> tuple[QueryUnit, ...]:
    return tuple(unit for unit in units if not counts.keys().isdisjoint(unit.forms))
