"""Which texts fit: by stored token counts that add up (`tokens.count_line`), whole or not at all."""

from __future__ import annotations

MAXIMUM_SNIPPETS = 2
BYTES_PER_TOKEN = 5
"""
What text with an estimate in it may have in UTF-8 bytes for each token of its budget, however low the estimate is.

Natural text never comes near it: 1.1 to 4.3 bytes for each estimated token in 58 texts in English, Chinese and code.
"""


def fits(used: int, taken: int, tokens: int, budget: int) -> str:
    """
    Why a further snippet does not fit after `taken` snippets that cost `used` tokens, the line end after the last of
    them included; empty if it fits.
    """
    if taken >= MAXIMUM_SNIPPETS:
        return f"only {MAXIMUM_SNIPPETS} records are shown at once"
    if used + tokens > budget:
        return f"{tokens} tokens do not fit into the {budget - used} left of {budget}"
    return ""


def exceeds_bytes(text: str, budget: int) -> str:
    """Why a text with an estimate in it is too long for `budget` tokens; empty if it is not."""
    limit = BYTES_PER_TOKEN * budget
    return f"its tokens are estimated, and it is longer than {limit} bytes" if len(text.encode()) > limit else ""
