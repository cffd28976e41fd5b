"""The order of candidates: exact hit words first, then how much of the prompt a record is about, then the newer."""

from __future__ import annotations

from hfa_core.model import Record
from hfa_core.recall.gate import anchors, opens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.analyzer import QueryUnit
    from hfa_core.index.search import Candidate, Search

K1 = 1.2
B_BODY = 0.75
B_SHORT = 0.3
"""How much longer texts are held back: the record as a whole, and its title and first sentence. Source: BM25, whose
usual 1.2 and .75 no other pair beat on all development sets."""
B_SHORTEST = 0.15
B_LENGTH = 60
"""In a memory of one-line records, whose length is chance, the record as a whole is held back less: by `B_SHORTEST`,
and by its mean length in terms over `B_LENGTH`, up to `B_BODY`. Measured: four points at ten on chat turns."""
TITLE_LENGTH = 6
LEAD_LENGTH = 20
"""Terms of a usual title, and of one with a first sentence; against these, longer ones are held back."""
TITLE_BONUS = 0.7
LEAD_BONUS = 0.4
NEIGHBOUR_BONUS = 0.8
CHARACTER_BONUS = 0.2
STOP_WORD_BONUS = 0.4
TITLE_SHARE_BONUS = 10.0
"""What the parts of a score weigh beside BM25 over the whole record. Source: docs/explanation/retrieval.md, found on
one half of the development sets and checked on the other; each is worth half a point of recall at two or more."""
FOLLOWING_SHARE = 0.4
"""A record behind the first is only worth its tokens with this share of the first one's score."""


class Ranked(Record):
    """
    A candidate with its score, comparable within one search, `bm25`, the part of it that BM25 over the whole record
    gives, and the hit words that singled it out.
    """

    __slots__ = ("anchored", "bm25", "candidate", "score")

    def __init__(self, candidate: Candidate, bm25: float, score: float, anchored: tuple[str, ...]) -> None:
        self.candidate = candidate
        self.bm25 = bm25
        self.score = score
        self.anchored = anchored

    @property
    def explanation(self) -> tuple[str, ...]:
        """Each matched word with the rule that matched it, such as `hit word: jwt`, strongest first."""
        candidate = self.candidate
        in_title = {unit.shown for unit in candidate.title_matched}
        words = [f"hit word: {candidate.hit_grams[gram]}" for gram in self.anchored]
        words += [f"title: {unit.shown}" for unit in candidate.title_matched]
        for unit in candidate.matched:
            if unit.shown not in in_title:
                # The first form is the word's own; the others are those of its synonyms.
                words.append(f"{'body' if unit.forms[0] in candidate.counts else 'synonym'}: {unit.shown}")
        return tuple(words)


def rank(search: Search) -> list[Ranked]:
    """What is good enough to be shown, best first; empty where the best is too weak."""
    ranked = order(search)
    if not ranked or not opens(ranked, search):
        return []
    least = FOLLOWING_SHARE * ranked[0].score
    return [one for one in ranked if one.anchored or one.score >= least]


def order(search: Search) -> list[Ranked]:
    """All candidates, best first, however weak; equal ones newest first, so that the order is always the same."""
    if not search.candidates:
        return []
    hit_counts: dict[str, int] = {}
    for candidate in search.candidates:
        for gram in candidate.hit_grams:
            hit_counts[gram] = hit_counts.get(gram, 0) + 1
    scorer = _Scorer(search)
    ranked = [Ranked(one, *scorer.score(one), anchors(one, hit_counts, search)) for one in search.candidates]
    ranked.sort(key=_place, reverse=True)
    return ranked


def _place(ranked: Ranked) -> tuple[float, float, str, int, str]:
    candidate = ranked.candidate
    length = sum(len(gram) for gram in ranked.anchored)
    return (float(length), round(ranked.score, 9), candidate.created_at, candidate.number, candidate.id)


class _Scorer:
    """The score of one prompt's candidates."""

    def __init__(self, search: Search) -> None:
        self._search = search
        pairs = [search.weights[unit.shown] for unit in search.query.units if not unit.shown.isascii()]
        self._character_weight = sum(pairs) / len(pairs) if pairs else 0.0
        self._weight_of_form = {unit.forms[0]: search.weights[unit.shown] for unit in search.query.units}

    def score(self, candidate: Candidate) -> tuple[float, float]:
        """BM25 of a record, and with the rest how much of the prompt it is about; hit words are not counted here."""
        weights = self._search.weights
        held_back = min(B_BODY, B_SHORTEST + self._search.length / B_LENGTH)
        whole = K1 * (1 - held_back + held_back * candidate.length / self._search.length)
        title = K1 * (1 - B_SHORT + B_SHORT * candidate.title_length / TITLE_LENGTH)
        lead = K1 * (1 - B_SHORT + B_SHORT * candidate.lead_length / LEAD_LENGTH)
        bm25 = score = 0.0
        for unit in candidate.matched:
            weight = weights[unit.shown]
            in_title = _frequency(unit, candidate.in_title)
            in_lead = in_title + _frequency(unit, candidate.in_lead)
            bm25 += weight * _saturate(_frequency(unit, candidate.counts), whole)
            score += weight * (TITLE_BONUS * _saturate(in_title, title) + LEAD_BONUS * _saturate(in_lead, lead))
        score += bm25 + TITLE_SHARE_BONUS * candidate.title_share
        for one, other in candidate.neighbours:
            score += NEIGHBOUR_BONUS * (self._weight_of_form.get(one, 0.0) + self._weight_of_form.get(other, 0.0)) / 2
        score += CHARACTER_BONUS * self._character_weight * candidate.characters
        score += STOP_WORD_BONUS * sum(weights[word] for word in candidate.stop_words)
        return bm25, score


def _frequency(unit: QueryUnit, counts: dict[str, int]) -> int:
    found = 0
    for form in unit.forms:
        found += counts.get(form, 0)
    return found


def _saturate(frequency: float, norm: float) -> float:
    """BM25's share of a word that occurs so often: 0, near 1 for one occurrence, never above `K1` + 1."""
    return frequency * (K1 + 1) / (frequency + norm) if frequency else 0.0
