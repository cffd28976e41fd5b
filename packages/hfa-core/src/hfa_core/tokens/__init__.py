"""The one token counter: what a text costs, and the rule by which stored counts are added up.

A prompt hook only adds; the rules of the estimate are loaded with the first text that is counted.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

METHOD_ESTIMATE = "heuristic_estimate"
"""The method that goes with every number made here; a count under this name is `exact: false`."""


def estimate_tokens(text: str) -> int:
    """
    About how many o200k_base tokens `text` has: 0 for the empty text, otherwise 1 to its UTF-8 length in bytes.

    Label it `METHOD_ESTIMATE`, never exact; how near it comes stands in `tokens.estimate`.
    """
    from hfa_core.tokens import estimate

    return estimate.estimate_tokens(text)


def join_tokens(counts: Iterable[int], *, newlines: int = 1) -> int:
    """What texts of `counts` tokens cost when joined by `newlines` line ends: their sum and one for each line end.

    Of exact counts, the sum was never below the true count of the joined text: the truth lay 0 to 2 tokens lower in
    20,000 random pairs, 0 to 6 in 5,000 joins of five (o200k_base, prose and code in English and Chinese). Other
    separators, such as a line end with a list mark, break this in up to 0.9 % of joins. A sum with one estimate in it
    is an estimate.

    Args:
        counts: The tokens of each text, in any order.
        newlines: How many line ends stand between two texts, 1 for lines, 2 for paragraphs.
    """
    total = 0
    joined = 0
    for count in counts:
        total += count
        joined += 1
    return total + newlines * max(0, joined - 1)
