"""The removal of secrets from text before it is hashed, stored, logged or shown.

A look-up of literals always runs first. Only if one hits is `re` imported, and only the rules that it belongs to are
compiled, because a hook pays more for that than for the rest of its work.
"""

from __future__ import annotations

from hfa_core.redact.plain import plain
from hfa_core.redact.rules import ANY, AT, CHINESE_SIGN, LONG_RUN, RULES, RUN, SIGN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.redact.rules import Rule

_PASSES = 4  # choice: a secret inside a value can change how the value is judged, so the result is read again

_REACH = {
    SIGN: 48,  # choice: a key's suffix, closing quotes, type and blanks, before the sign that assigns it a value
    CHINESE_SIGN: 32,  # choice: as SIGN, with the few words that may stand between, such as 已经改为
    AT: 512,  # choice: the name and password in front of a URL's host
}
_RUNS = {RUN: 20, LONG_RUN: 32}
_SMALL, _LARGE, _DIGITS = b"abcdefghijklmnopqrstuvwxyz", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"0123456789"
_ONLY_RUNS = bytes(code if code in _SMALL + _LARGE + _DIGITS + b"+/_-" else 32 for code in range(256))


def redact(text: str) -> str:
    """`text` with each secret replaced by `[REDACTED:KIND]`, KIND the name of a rule; the same object if there is none.

    Key names, header names, the scheme and host of a URL and everything else stay. Redacting the result again changes
    nothing. No text raises; time is linear in its length. It is a net, not a proof: a secret without a known form, key
    or sign before it stays.
    """
    for _ in range(_PASSES):
        spans = find_secrets(text)
        if not spans:
            break
        text = _without(text, spans)
    return text


def find_secrets(text: str) -> list[tuple[int, int, str]]:
    """Where the secrets of `text` stand, in order and apart from one another: start, end, kind; empty if none does."""
    clear = plain(text)
    shown, longest = clear.casefold(), _longest_run(clear)
    rules = [rule for rule in RULES if _may_hold(rule, shown, longest)]
    if not rules:
        return []
    from hfa_core.redact.scan import find_spans

    return find_spans(text, rules)


def _without(text: str, spans: list[tuple[int, int, str]]) -> str:
    kept: list[str] = []
    end = 0
    for start, stop, kind in spans:
        kept += (text[end:start], f"[REDACTED:{kind}]")
        end = stop
    kept.append(text[end:])
    return "".join(kept)


def _longest_run(clear: str) -> int:
    """The length of the longest run of a key's characters with both cases and digits, as no name has them."""
    runs = clear.encode("ascii", "replace").translate(_ONLY_RUNS).split()
    least = _RUNS[RUN]
    return max((len(run) for run in runs if len(run) >= least and _is_mixed(run)), default=0)


def _is_mixed(run: bytes) -> bool:
    return all(len(run) - len(run.translate(None, kind)) >= 2 for kind in (_LARGE, _DIGITS, _SMALL))


def _may_hold(rule: Rule, shown: str, longest: int) -> bool:
    _, literals, anchor, _, _ = rule
    if longest < _RUNS.get(anchor, 0):
        return False
    anywhere = anchor == ANY or anchor in _RUNS
    return any(literal in shown and (anywhere or _is_anchored(literal, anchor, shown)) for literal in literals)


def _is_anchored(literal: str, anchor: str, shown: str) -> bool:
    place = shown.find(literal)
    while place >= 0:
        behind = place + len(literal)
        reach = _REACH.get(anchor)
        if reach:
            following = shown[behind : behind + reach]
            if any(sign in following for sign in anchor):
                return True
        elif not place or not (shown[place - 1].isascii() and shown[place - 1].isalnum()):
            return True
        place = shown.find(literal, behind)
    return False
