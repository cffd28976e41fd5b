"""The removal of secrets from text before it is hashed, stored, logged or shown.

A look-up of literals always runs first. Only if one hits is `re` imported, and only the rules that it belongs to are
compiled, because a hook pays more for that than for the rest of its work.
"""

from __future__ import annotations

from hfa_core.redact.plain import plain
from hfa_core.redact.rules import ANY, AT, CHINESE_SIGN, RULES, SIGN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.redact.rules import Rule

REDACTED = "[REDACTED]"
"""What stands in the place of a secret."""

_PASSES = 4  # choice: a secret inside a value can change how the value is judged, so the result is read again

_REACH = {
    SIGN: 48,  # choice: a key's suffix, closing quotes, type and blanks, before the sign that assigns it a value
    CHINESE_SIGN: 32,  # choice: as SIGN, with the few words that may stand between, such as 已经改为
    AT: 512,  # choice: the name and password in front of a URL's host
}


def redact(text: str) -> str:
    """`text` with each secret replaced by `REDACTED`; the same object if there is none.

    Key names, header names, the scheme and host of a URL and everything else stay. Redacting the result again changes
    nothing. No text raises; time is linear in its length. It is a net, not a proof: a secret without a known form, key
    or sign before it stays.
    """
    for _ in range(_PASSES):
        spans = _spans(text)
        if not spans:
            break
        text = _without(text, spans)
    return text


def contains_secret(text: str) -> bool:
    """Whether `redact` would change `text`."""
    return bool(_spans(text))


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    kept: list[str] = []
    end = 0
    for start, stop in spans:
        kept.append(text[end:start])
        kept.append(REDACTED)
        end = stop
    kept.append(text[end:])
    return "".join(kept)


def _spans(text: str) -> list[tuple[int, int]]:
    shown = plain(text).casefold()
    rules = [rule for rule in RULES if _may_hold(rule, shown)]
    if not rules:
        return []
    from hfa_core.redact.scan import find_spans

    return find_spans(text, rules)


def _may_hold(rule: Rule, shown: str) -> bool:
    _, literals, anchor, _, _ = rule
    return any(literal in shown and (anchor == ANY or _is_anchored(literal, anchor, shown)) for literal in literals)


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
