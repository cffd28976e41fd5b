"""Candidates for a prompt: BM25 over the informative units, and exact hit words."""

from __future__ import annotations

import math

from hfa_core.errors import StorageError
from hfa_core.light.sqlite import DatabaseError, SqliteError
from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.analyzer import Query, QueryUnit
    from hfa_core.index.database import Database

    _HitWords = dict[str, dict[str, str]]

TITLE_WEIGHT = 3.0
HIT_WORD_WEIGHT = 2.0
BODY_WEIGHT = 1.0
QUERY_UNITS = 24
"""The rarest units of a prompt that are searched; more only cost time."""
CANDIDATES = 16
FEW_RECORDS = 50
"""choice: the size of memory on which the gate's thresholds are tried in the tests."""
_BATCH = 400


class Candidate(Record):
    """
    A record that shares something with the prompt.

    `bm25` is positive, higher is better, comparable within one search; `hit_grams` are its hit words that stand in
    the prompt, from the form they were found in to the word as its author wrote it.
    """

    __slots__ = ("bm25", "created_at", "hit_grams", "id", "matched", "node", "number", "title", "title_matched")

    def __init__(self, row: tuple[str, int, str, str, str], bm25: float, hit_grams: dict[str, str]) -> None:
        self.id, self.number, self.node, self.title, self.created_at = row
        self.bm25 = bm25
        self.hit_grams = hit_grams
        self.matched: tuple[QueryUnit, ...] = ()
        self.title_matched: tuple[QueryUnit, ...] = ()


class Search(Record):
    """What a search saw: candidates in no order, hit nodes, how many records hold each unit and how that weighs it."""

    __slots__ = ("candidates", "count", "frequencies", "node_grams", "weights")

    def __init__(
        self, candidates: list[Candidate], node_grams: _HitWords, frequencies: dict[str, int], count: int
    ) -> None:
        self.candidates = candidates
        self.node_grams = node_grams
        self.frequencies = frequencies
        self.weights = {shown: _idf(frequency, count) for shown, frequency in frequencies.items()}
        self.count = count


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
    stored = database.get_meta("count")
    count = stored if isinstance(stored, int) else 0
    if not query.units or not count:
        return Search([], {}, {}, count)
    frequencies = _document_frequencies(database, query.units)
    chunk_grams, node_grams = _find_grams(database, query.grams)
    known = sorted((unit for unit in query.units if frequencies[unit.shown]), key=lambda unit: frequencies[unit.shown])
    scores = _match(database, known[:QUERY_UNITS])
    candidates = _load(database, scores, chunk_grams, known)
    return Search(candidates, node_grams, frequencies, count)


def _idf(frequency: int, count: int) -> float:
    """
    The weight of a unit that `frequency` of `count` records hold; source: BM25's, kept positive.

    A memory with fewer than `FEW_RECORDS` is weighed as if it had so many: in a handful of records, all that hold a
    word by chance would make it worthless against the words that none holds.
    """
    count = max(count, FEW_RECORDS)
    return math.log(1.0 + (count - frequency + 0.5) / (frequency + 0.5))


def _document_frequencies(database: Database, units: tuple[QueryUnit, ...]) -> dict[str, int]:
    """How many records hold each unit, by its most frequent form."""
    forms = [form for unit in units for form in unit.forms]
    counts: dict[str, int] = {}
    for start in range(0, len(forms), _BATCH):
        batch = forms[start : start + _BATCH]
        marks = ",".join("?" * len(batch))
        rows = database.connection.execute(f"SELECT term, doc FROM term_df WHERE term IN ({marks})", batch).fetchall()
        counts.update(rows)
    return {unit.shown: max(counts.get(form, 0) for form in unit.forms) for unit in units}


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


def _match(database: Database, units: list[QueryUnit]) -> dict[int, float]:
    if not units:
        return {}
    expression = " OR ".join(f'"{form}"' for form in dict.fromkeys(form for unit in units for form in unit.forms))
    rows = database.connection.execute(
        "SELECT rowid, bm25(chunks_fts, ?, ?, ?) FROM chunks_fts"
        " WHERE chunks_fts MATCH ? ORDER BY 2, rowid DESC LIMIT ?",
        (TITLE_WEIGHT, HIT_WORD_WEIGHT, BODY_WEIGHT, expression, CANDIDATES),
    ).fetchall()
    return {row[0]: -row[1] for row in rows}


def _load(database: Database, scores: dict[int, float], grams: _HitWords, units: list[QueryUnit]) -> list[Candidate]:
    # A hit word that very many records share singles out none of them, so its newest carriers are enough.
    owners = sorted(grams)[-CANDIDATES:]
    marks = ",".join("?" * len(scores)), ",".join("?" * len(owners))
    rows = database.connection.execute(
        "SELECT doc, id, number, node, title, created_at, title_terms, word_terms, body_terms FROM chunks"
        f" WHERE problem = '' AND (doc IN ({marks[0]}) OR id IN ({marks[1]}))",
        (*scores, *owners),
    ).fetchall()
    found: list[Candidate] = []
    for doc, *columns, title_terms, word_terms, body_terms in rows:
        candidate = Candidate(tuple(columns), scores.get(doc, 0.0), grams.get(columns[0], {}))
        title = set(title_terms.split(" "))
        rest = {*word_terms.split(" "), *body_terms.split(" ")}
        candidate.title_matched = tuple(unit for unit in units if not title.isdisjoint(unit.forms))
        candidate.matched = tuple(
            unit for unit in units if not (title.isdisjoint(unit.forms) and rest.isdisjoint(unit.forms))
        )
        found.append(candidate)
    return found
