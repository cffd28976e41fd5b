"""The one token counter: what a text costs by the estimate or by a tokenizer, and how such counts add up.

A prompt hook only adds; the rules of the estimate are loaded with the first text that is counted, and the tokenizer
(`tokens.exact`) never in a hook.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Counter: TypeAlias = Callable[[str], int]

METHOD_ESTIMATE = "heuristic_estimate"
"""The method of a number that the estimate made, or had a part in; under this name it is `exact: false`."""
METHOD_EXACT = "o200k_base"
"""The method of counts by the tokenizer of that encoding, and of sums of nothing else; they are `exact: true`."""

ESTIMATED_LINE_END = 1
"""What a line end between two texts adds to their estimates."""


def estimate_tokens(text: str) -> int:
    """
    About how many o200k_base tokens `text` has: 0 for the empty text, otherwise 1 to its UTF-8 length in bytes.

    Label it `METHOD_ESTIMATE`, never exact; how near it comes stands in `tokens.estimate`.
    """
    from hfa_core.tokens import estimate

    return estimate.estimate_tokens(text)


def count_line(text: str, count: Counter) -> tuple[int, int]:
    """
    The tokens of `text`, and what a line end after it adds (mostly 0 or 1), both by an exact counter.

    With both, counts add up to the true count of a text of such lines, if each begins with a letter, a digit or `|`:
    o200k_base ends a piece at the line end before one, and so encodes each line as if it stood alone.
    """
    tokens = count(text)
    return tokens, count(text + "\n") - tokens
