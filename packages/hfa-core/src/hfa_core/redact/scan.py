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

_QUOTES = "\"'`"
_CLOSERS = ("\\", *_QUOTES)
_compiled: dict[str, re.Pattern[str]] = {}


def find_spans(text: str, rules: Sequence[Rule]) -> list[tuple[int, int]]:
    """The places (start, end) of the secrets in `text`, in order, apart from one another; empty if there are none."""
    shown, places = plain_with_places(text)
    found: list[tuple[int, int]] = []
    for name, _, _, judge, pattern in rules:
        expression = _compiled.get(name)
        if expression is None:
            expression = _compiled[name] = re.compile(pattern, re.ASCII)
        found.extend(_found(expression, shown, judge))
    return _merged([(places[start], places[end - 1] + 1) for start, end in found])


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
        while end > start and shown[end - 1] in ".:!?)]}>" and not shown.endswith("[REDACTED]", start, end):
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
    return (start, end) if is_secret(judge, shown[start:end], sign=sign, quote=quote, after=after) else None


def _value_span(match: re.Match[str]) -> tuple[int, int]:
    named = match.re.groupindex.get("sign")
    for group in range(match.re.groups, 0, -1):
        if group != named and match.start(group) >= 0:
            return match.span(group)
    return match.span()


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
