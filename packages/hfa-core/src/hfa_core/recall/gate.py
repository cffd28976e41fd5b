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

SCORE_WEIGHT = 1.65
KNOWN_WEIGHT = 1.72
TITLE_WEIGHT = 1.01
AHEAD_WEIGHT = 1.04
RATIO_WEIGHT = 3.65
RARE_WEIGHT = 2.56
UNITS_WEIGHT = -0.34
THRESHOLD = 9.38
"""Of the seven signals that `confidence` joins. Source: docs/explanation/retrieval.md, a logistic fit over all
development sets alike, whose threshold was chosen for seven questions in a hundred about other projects."""
FIELD = 5
"""How far the first record is ahead is measured against the one this many places behind it: two records that say nearly
the same are often both right."""
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
    How sure it is that the first candidate answers the prompt, by seven signals, none of which can tell alone.

    They are its score, how much of the prompt this memory knows at all, how much of the record's title the prompt
    names, how far the field is behind, how near its score comes to the highest that this prompt could give, how rare
    the rarest unit is that it shares, and how many units the prompt has.
    """
    first = ranked[0]
    candidate = first.candidate
    total = _total(search)
    known = sum(search.weights[unit.shown] for unit in search.query.units if search.frequencies[unit.shown]) / total
    behind = ranked[FIELD].score if len(ranked) > FIELD else 0.0
    ahead = max(0.0, first.score - behind) / first.score if first.score else 0.0
    rarest = max((search.weights[unit.shown] for unit in candidate.matched), default=0.0)
    return (
        SCORE_WEIGHT * math.log1p(first.score)
        + KNOWN_WEIGHT * known
        + TITLE_WEIGHT * candidate.title_share
        + AHEAD_WEIGHT * ahead
        + RATIO_WEIGHT * first.bm25 / (_HIGHEST_SHARE * total)
        + RARE_WEIGHT * rarest / math.log(1 + max(search.count, FEW_RECORDS))
        + UNITS_WEIGHT * math.log(len(search.query.units))
    )
