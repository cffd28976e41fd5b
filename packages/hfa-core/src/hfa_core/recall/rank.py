"""The order of candidates: exact hit words first, then BM25, then the newer."""

from __future__ import annotations

from hfa_core.model import Record
from hfa_core.recall.gate import anchors, passes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.search import Candidate, Search


class Ranked(Record):
    """A candidate that passed the gate, and the hit words that singled it out."""

    __slots__ = ("anchored", "candidate")

    def __init__(self, candidate: Candidate, anchored: tuple[str, ...]) -> None:
        self.candidate = candidate
        self.anchored = anchored

    @property
    def explanation(self) -> tuple[str, ...]:
        """Each matched word with the rule that matched it, such as `hit word: jwt`, strongest first."""
        in_title = {unit.shown for unit in self.candidate.title_matched}
        words = [f"hit word: {self.candidate.hit_grams[gram]}" for gram in self.anchored]
        words += [f"title: {unit.shown}" for unit in self.candidate.title_matched]
        words += [f"body: {unit.shown}" for unit in self.candidate.matched if unit.shown not in in_title]
        return tuple(words)


def rank(search: Search) -> list[Ranked]:
    """The candidates that pass the gate, best first."""
    return [one for one in order(search) if passes(one.candidate, search, one.anchored)]


def order(search: Search) -> list[Ranked]:
    """All candidates, best first, however weak; equal ones newest first, so that the order is always the same."""
    hit_counts: dict[str, int] = {}
    for candidate in search.candidates:
        for gram in candidate.hit_grams:
            hit_counts[gram] = hit_counts.get(gram, 0) + 1
    ranked = [Ranked(one, anchors(one, hit_counts, search)) for one in search.candidates]
    ranked.sort(key=_place, reverse=True)
    return ranked


def _place(ranked: Ranked) -> tuple[float, float, str, int, str]:
    candidate = ranked.candidate
    length = sum(len(gram) for gram in ranked.anchored)
    return (float(length), round(candidate.bm25, 9), candidate.created_at, candidate.number, candidate.id)
