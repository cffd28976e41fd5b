"""What the answers to a set's questions are worth: the figures of a ranking, and those of what was shown."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evaluation.memory import Answer
from evaluation.sets import Question

Figure = float | dict[str, float] | None
"""A number; one for each kind of question; or None where the set has nothing to count."""
Figures = dict[str, Figure]
"""Figures by name; shares are from 0 to 1."""

DEPTHS = (1, 2, 5, 10)
DEEPEST = 10


@dataclass
class RankingTally:
    """The figures of a ranking, over the questions that some record answers."""

    positives: int = 0
    recalled: dict[int, float] = field(default_factory=lambda: dict.fromkeys(DEPTHS, 0.0))
    reciprocal: float = 0.0
    gain: float = 0.0

    def add(self, question: Question, ranked: Sequence[str]) -> None:
        """Count one ranking, best first; a question without an answer, or about a superseded record, is left out."""
        if not question.is_positive:
            return
        self.positives += 1
        hits = [place for place, one in enumerate(ranked, 1) if one in question.relevant]
        for depth in DEPTHS:
            self.recalled[depth] += sum(place <= depth for place in hits) / len(question.relevant)
        self.reciprocal += 1 / hits[0] if hits else 0.0
        ideal = _gain(range(1, min(len(question.relevant), DEEPEST) + 1))
        self.gain += _gain(place for place in hits if place <= DEEPEST) / ideal

    def figures(self) -> Figures:
        """`r1` to `r10` (the share of the relevant records within so many), `mrr` and `ndcg10`, as means."""
        found: Figures = {f"r{depth}": _share(self.recalled[depth], self.positives) for depth in DEPTHS}
        return {**found, "mrr": _share(self.reciprocal, self.positives), "ndcg10": _share(self.gain, self.positives)}


def _gain(places: Iterable[int]) -> float:
    return sum(1 / math.log2(place + 1) for place in places)


@dataclass
class EvidenceTally:
    """
    Any of a question's evidence among the first answers, turn by turn or session by session; source: the form in which
    LoCoMo and LongMemEval results are published.
    """

    questions: int = 0
    any5: int = 0
    any10: int = 0
    reciprocal: float = 0.0

    def add(self, evidence: frozenset[str], ranked: Iterable[str]) -> None:
        """Count one ranking, best first; repeated names count at their first place."""
        if not evidence:
            return
        self.questions += 1
        unique = dict.fromkeys(ranked)
        place = next((place for place, one in enumerate(unique, 1) if one in evidence), 0)
        self.any5 += 0 < place <= 5
        self.any10 += 0 < place <= 10
        self.reciprocal += 1 / place if place else 0.0

    def figures(self) -> Figures:
        """`questions` (a number), `any5`, `any10` and `mrr`."""
        sums = {"any5": self.any5, "any10": self.any10, "mrr": self.reciprocal}
        return {"questions": self.questions, **{name: _share(value, self.questions) for name, value in sums.items()}}


@dataclass
class ShownTally:
    """
    The figures of what was shown. Precision, tokens and times are over all questions; `answered` and `right2` over
    those that some record answers; the false positives over those that none does.
    """

    positives: int = 0
    answered: int = 0
    right: int = 0
    injections: int = 0
    right_injections: int = 0
    negatives: Counter[str] = field(default_factory=Counter[str])
    false_positives: Counter[str] = field(default_factory=Counter[str])
    superseded: int = 0
    successors: int = 0
    old_shown: int = 0
    tokens: int = 0
    milliseconds: list[float] = field(default_factory=list[float])

    def add(self, question: Question, answer: Answer) -> None:
        """Count one answer."""
        is_right = any(one in question.relevant for one in answer.shown)
        self.injections += bool(answer.shown)
        self.right_injections += is_right
        self.tokens += answer.tokens
        self.milliseconds.append(answer.milliseconds)
        if question.is_positive:
            self.positives += 1
            self.answered += bool(answer.shown)
            self.right += is_right
        elif question.forbidden:
            self.superseded += 1
            self.successors += is_right
            self.old_shown += any(one in question.forbidden for one in answer.shown)
        else:
            self.negatives[question.kind] += 1
            self.false_positives[question.kind] += bool(answer.shown)

    def figures(self) -> Figures:
        """
        The figures by name.

        `answered` is the share of the answerable questions for which anything was shown, `right2` that for which a
        relevant record was; `precision` the share of all injections that hold one; `fpr` by kind of unanswerable
        question the share for which something was shown; `successor2` and `old_shown` the shares of the questions about
        a superseded record for which a current one, or the old one itself, was.
        """
        return {
            "answered": _share(self.answered, self.positives),
            "right2": _share(self.right, self.positives),
            "precision": _share(self.right_injections, self.injections),
            "fpr": {kind: self.false_positives[kind] / count for kind, count in sorted(self.negatives.items())},
            "successor2": _share(self.successors, self.superseded),
            "old_shown": _share(self.old_shown, self.superseded),
            "tokens_per_query": _share(self.tokens, len(self.milliseconds)),
            **time_figures(self.milliseconds),
        }


def time_figures(milliseconds: Sequence[float]) -> Figures:
    """`p50_ms` and `p95_ms` of some times."""
    ordered = sorted(milliseconds) or [0.0]
    return {"p50_ms": statistics.median(ordered), "p95_ms": ordered[int((len(ordered) - 1) * 0.95)]}


def mean_figures(rows: Sequence[Figures]) -> Figures:
    """The plain mean of each figure over the sets that have it; of `fpr` by kind."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _mean([row.get(name) for row in rows]) for name in names}


def _mean(values: Sequence[Figure]) -> Figure:
    by_kind: dict[str, list[float]] = {}
    numbers: list[float] = []
    for value in values:
        if isinstance(value, dict):
            for kind, share in value.items():
                by_kind.setdefault(kind, []).append(share)
        elif value is not None:
            numbers.append(value)
    if by_kind:
        return {kind: statistics.fmean(shares) for kind, shares in sorted(by_kind.items())}
    return statistics.fmean(numbers) if numbers else None


def rounded(figures: Figures) -> Figures:
    """The figures as they are printed: shares to the thousandth, times to the hundredth."""
    shown: Figures = {}
    for name, value in figures.items():
        if isinstance(value, dict):
            shown[name] = {kind: round(share, 3) for kind, share in value.items()}
        else:
            shown[name] = None if value is None else round(value, 2 if name.endswith("_ms") else 3)
    return shown


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
