"""Whether a candidate is good enough to be shown: nothing is better than something weak."""

from __future__ import annotations

from hfa_core.index.stop_words import STOP_PAIRS, STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.search import Candidate, Search

COVERAGE = 0.42
"""The share of a prompt's informative weight that a record without a hit word must cover."""
TITLE_COVERAGE = 0.30
"""The same where two units stand in the record's title."""
ANCHOR_COVERAGE = 0.12
"""The same where an exact hit word stands in the prompt: it must still be part of what the prompt is about."""
LONELY_WEIGHT = 0.6
"""A single shared unit counts only if it is about all that the prompt says, and rare: "run the tests" asks nothing."""
RARE_RECORDS = 2
RARE_SHARE = 0.01
"""A unit is rare if at most this many records, or this share of them, hold it."""
COMMON_RECORDS = 3
COMMON_SHARE = 0.1
"""A hit word that more records than both of these carry, or mention, singles out none of them."""


def coverage(candidate: Candidate, search: Search) -> float:
    """The share, by weight, of the prompt's units that the record holds; 0 to 1."""
    total = sum(search.weights.values())
    return sum(search.weights[unit.shown] for unit in candidate.matched) / total if total else 0.0


def anchors(candidate: Candidate, hit_counts: dict[str, int], search: Search) -> tuple[str, ...]:
    """The hit words of a candidate that single it out: no stop words, neither carried nor mentioned by many records."""
    limit = max(COMMON_RECORDS, COMMON_SHARE * search.count)
    common = {form for unit in candidate.matched if search.frequencies[unit.shown] > limit for form in unit.forms}
    return tuple(
        gram
        for gram in candidate.hit_grams
        if gram not in STOP_WORDS and gram not in STOP_PAIRS and gram not in common and hit_counts[gram] <= limit
    )


def passes(candidate: Candidate, search: Search, anchored: tuple[str, ...]) -> bool:
    """Whether to show a candidate for the prompt of this search."""
    share = coverage(candidate, search)
    if anchored and (share >= ANCHOR_COVERAGE or len(anchored) > 1):
        return True
    if any(unit.identifier for unit in candidate.matched) and share >= TITLE_COVERAGE:
        return True
    if len(candidate.matched) < 2:
        limit = max(RARE_RECORDS, RARE_SHARE * search.count)
        rare = all(search.frequencies[unit.shown] <= limit for unit in candidate.matched)
        return bool(candidate.matched) and rare and share >= LONELY_WEIGHT
    return share >= (TITLE_COVERAGE if len(candidate.title_matched) >= 2 else COVERAGE)
