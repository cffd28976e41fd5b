"""Whether the best candidate is good enough to be shown: nothing is better than something weak."""

from __future__ import annotations

import math

from hfa_core.index.search import FEW_RECORDS
from hfa_core.index.stop_words import STOP_PAIRS, STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.analyzer import QueryUnit
    from hfa_core.index.search import Candidate, Search
    from hfa_core.recall.rank import Ranked

SCORE_WEIGHT = 1.73
KNOWN_WEIGHT = 2.06
TITLE_WEIGHT = 1.19
MARGIN_WEIGHT = 0.63
RATIO_WEIGHT = 4.15
RARE_WEIGHT = 2.29
THRESHOLD = 10.8
"""Of the six signals that `confidence` joins. Source: docs/explanation/retrieval.md, a logistic fit over all
development sets alike, whose threshold was chosen for six questions in a hundred about other projects."""
SEAM_WEIGHT = 0.5
"""What a CJK pair that no record holds weighs: every other one joins the end of a word to the start of the next."""
FULL_COVERAGE = 0.9
"""A record that holds nearly all that a prompt of several units says is about it, however common the units are."""
ANCHOR_COVERAGE = 0.12
"""Where an exact hit word stands in the prompt, it must still be part of what the prompt is about."""
IDENTIFIER_COVERAGE = 0.30
"""The same where a rare identifier is shared."""
LONELY_COVERAGE = 0.6
"""A single shared unit counts only if it is about all that the prompt says, and rare: "run the tests" asks nothing."""
RARE_RECORDS = 2
RARE_SHARE = 0.01
"""A unit is rare if at most this many records, or this share of them, hold it."""
COMMON_RECORDS = 3
COMMON_SHARE = 0.1
"""A hit word that more records than both of these carry, or mention, singles out none of them."""
_HIGHEST_SHARE = 2.2
"""What BM25 gives for a word that a record holds ever so often; source: k1 + 1."""


def coverage(candidate: Candidate, search: Search) -> float:
    """The share, by weight, of the prompt's units that the record holds; 0 to 1."""
    total = _total(search)
    return sum(search.weights[unit.shown] for unit in candidate.matched) / total if total else 0.0


def _total(search: Search) -> float:
    return sum(_weight(unit, search) for unit in search.query.units)


def _weight(unit: QueryUnit, search: Search) -> float:
    seam = not search.frequencies[unit.shown] and len(unit.shown) == 2 and not unit.shown.isascii()
    return search.weights[unit.shown] * (SEAM_WEIGHT if seam else 1.0)


def anchors(candidate: Candidate, hit_counts: dict[str, int], search: Search) -> tuple[str, ...]:
    """The hit words of a candidate that single it out: no stop words, neither carried nor mentioned by many records."""
    limit = max(COMMON_RECORDS, COMMON_SHARE * search.count)
    common = {form for unit in candidate.matched if search.frequencies[unit.shown] > limit for form in unit.forms}
    return tuple(
        gram
        for gram in candidate.hit_grams
        if gram not in STOP_WORDS and gram not in STOP_PAIRS and gram not in common and hit_counts[gram] <= limit
    )


def opens(ranked: list[Ranked], search: Search) -> bool:
    """Whether to show the first of the ranked candidates, and with it those behind it that come near."""
    first = ranked[0]
    share = coverage(first.candidate, search)
    if first.anchored and (share >= ANCHOR_COVERAGE or len(first.anchored) > 1):
        return True
    matched = first.candidate.matched
    limit = max(RARE_RECORDS, RARE_SHARE * search.count)
    rare = [unit for unit in matched if search.frequencies[unit.shown] <= limit]
    if share >= IDENTIFIER_COVERAGE and any(unit.identifier for unit in rare):
        return True
    if len(matched) < 2:
        return bool(rare) and share >= LONELY_COVERAGE
    return share >= FULL_COVERAGE or confidence(ranked, search) >= THRESHOLD


def confidence(ranked: list[Ranked], search: Search) -> float:
    """
    How sure it is that the first candidate answers the prompt, by six signals, none of which can tell alone.

    They are its score, how much of the prompt this memory knows at all, how much of the record's title the prompt
    names, how far the next record is behind, how near its score comes to the highest that this prompt could give, and
    how rare the rarest unit is that it shares.
    """
    first = ranked[0]
    candidate = first.candidate
    total = _total(search)
    known = sum(search.weights[unit.shown] for unit in search.query.units if search.frequencies[unit.shown]) / total
    behind = ranked[1].score if len(ranked) > 1 else 0.0
    margin = (first.score - behind) / first.score if first.score else 0.0
    rarest = max((search.weights[unit.shown] for unit in candidate.matched), default=0.0)
    return (
        SCORE_WEIGHT * math.log1p(first.score)
        + KNOWN_WEIGHT * known
        + TITLE_WEIGHT * len(candidate.in_title) / candidate.title_terms
        + MARGIN_WEIGHT * margin
        + RATIO_WEIGHT * first.bm25 / (_HIGHEST_SHARE * total)
        + RARE_WEIGHT * rarest / math.log(1 + max(search.count, FEW_RECORDS))
    )
