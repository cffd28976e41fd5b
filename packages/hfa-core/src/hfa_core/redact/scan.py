"""Where the secrets of a text stand, by the rules whose literals were found in it."""

from __future__ import annotations

import re

from hfa_core.redact.judge import LONGEST, is_secret
from hfa_core.redact.plain import plain_with_places
from hfa_core.redact.rules import KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hfa_core.redact.rules import Rule

_MARK = re.compile(r"\[REDACTED(?::[a-z0-9-]{1,40})?\]")
_MASKED = re.compile(r"\[REDACTED_*\]")
_BEFORE = 48
"""choice: so much of the line before a value may say what it is."""
_QUOTES = "\"'`"
_CLOSERS = ("\\", *_QUOTES)
_compiled: dict[str, re.Pattern[str]] = {}


def find_spans(text: str, rules: Sequence[Rule]) -> list[tuple[int, int, str]]:
    """The places (start, end, kind) of the secrets in `text`, in order, apart from one another; empty if none does."""
    shown, places = plain_with_places(text)
    # The kind in a mark is no key, and the colon in it no sign.
    shown = _MARK.sub(lambda match: "[REDACTED".ljust(len(match[0]) - 1, "_") + "]", shown)
    found: list[tuple[int, int, int]] = []
    for order, (name, _, _, judge, pattern) in enumerate(rules):
        expression = _compiled.get(name)
        if expression is None:
            expression = _compiled[name] = re.compile(pattern, re.ASCII)
        found.extend((start, end, order) for start, end in _found(expression, shown, judge))
    return [(places[start], places[end - 1] + 1, rules[order][0]) for start, end, order in _merged(found)]


def _found(expression: re.Pattern[str], shown: str, judge: str) -> Iterator[tuple[int, int]]:
    match = expression.search(shown)
    while match:
        span = _secret_of(match, shown, judge)
        start, end = _value_span(match)
        if span:
            yield span
        # What is no secret may be the next key, as in `token: token: ...`; long values are not read twice.
        retry = not span and match.start() < start and end - start <= LONGEST
        match = expression.search(shown, start if retry else match.end())


def _secret_of(match: re.Match[str], shown: str, judge: str) -> tuple[int, int] | None:
    start, end = _value_span(match)
    quote = shown[start - 1] if start and shown[start - 1] in _QUOTES and shown[end : end + 1] in _CLOSERS else ""
    if judge == KEY and not match.lastindex:
        # What is glued to a key goes with it: else the mark would make a boundary at which another rule may start.
        while end < len(shown) and shown[end].isascii() and (shown[end].isalnum() or shown[end] in "_-"):
            end += 1
    elif match.lastindex and not quote:
        # The end of a sentence or of a bracket is not part of a bare value.
        while end > start and shown[end - 1] in ".:!?)]}>" and not _ends_with_mark(shown, start, end):
            end -= 1
    while end > start and shown[end - 1].isspace():
        end -= 1
    if end == start:
        return None
    sign = match.groupdict().get("sign") or ""
    after = shown[end : end + 8].partition("\n")[0]
    if sign and not sign.isspace() and shown[match.end("sign") : start].isspace():
        # `key = value` reads as code or prose where `key=value` is a setting.
        sign += " "
    before = shown[max(0, start - _BEFORE) : start].rpartition("\n")[2]
    value = _MASKED.sub("[REDACTED]", shown[start:end])
    return (start, end) if is_secret(judge, value, sign=sign, quote=quote, before=before, after=after) else None


def _ends_with_mark(shown: str, start: int, end: int) -> bool:
    opening = shown.rfind("[", start, end)
    return shown[end - 1] == "]" and opening >= 0 and _MASKED.fullmatch(shown, opening, end) is not None


def _value_span(match: re.Match[str]) -> tuple[int, int]:
    named = match.re.groupindex.get("sign")
    for group in range(match.re.groups, 0, -1):
        if group != named and match.start(group) >= 0:
            return match.span(group)
    return match.span()


def _merged(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The spans without overlaps, each with the lowest of the orders that it is made of."""
    merged: list[tuple[int, int, int]] = []
    for start, end, order in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), min(order, merged[-1][2]))
        else:
            merged.append((start, end, order))
    return merged
