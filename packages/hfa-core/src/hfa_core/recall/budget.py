"""Which snippets fit: from stored token counts, whole or not at all."""

from __future__ import annotations

MAXIMUM_SNIPPETS = 2
JOINT_TOKENS = 1
"""A newline between two texts; joined by newlines, stored counts never fell below the true count (20,000 pairs)."""


def fits(used: int, taken: int, tokens: int, budget: int) -> str:
    """Why a further text does not fit after `taken` texts that cost `used` tokens; empty if it fits."""
    if taken >= MAXIMUM_SNIPPETS:
        return f"only {MAXIMUM_SNIPPETS} records are shown at once"
    cost = tokens + (JOINT_TOKENS if taken else 0)
    if used + cost > budget:
        return f"{cost} tokens do not fit into the {budget - used} left of {budget}"
    return ""
