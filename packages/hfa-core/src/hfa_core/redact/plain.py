"""The plain form of a text, in which no width, dash, quote or invisible character disguises a secret."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u300c\u300d\u300e\u300f\uff02\uff07"
# Invisible though Unicode does not file them under Cf: joiners, Hangul fillers, variation selectors.
_UNSEEN = "\u034f\u115f\u1160\u3164\uffa0" + "".join(chr(code) for code in range(0xFE00, 0xFE10))
# Full-width marks that end a Chinese clause: narrowed, they would count as characters of the password before them.
_CLAUSE_MARKS = "\uff01\uff08\uff09\uff0c\uff1b\uff1f"


def plain(text: str) -> str:
    """The plain form of `text` for looking up literals; its places do not correspond to those of `text`.

    It costs a few passes at C speed: a printable ASCII text comes back as it is.
    """
    if text.isascii():
        return (
            text if _without_line_ends(text).isprintable() else "".join(char for char in text if not _is_unseen(char))
        )
    from unicodedata import normalize

    text = normalize("NFKC", text)
    for dash in _DASHES:
        if dash in text:
            text = text.replace(dash, "-")
    # Line ends and tabs are the only ordinary characters that `isprintable` refuses.
    if any(char in text for char in _UNSEEN) or not _without_line_ends(text).isprintable():
        return "".join(char for char in text if not _is_unseen(char))
    return text


def plain_with_places(text: str) -> tuple[str, Sequence[int]]:
    """The plain form of `text`, and for each of its characters the place in `text` that it comes from."""
    if text.isascii() and _without_line_ends(text).isprintable():
        return text, range(len(text))
    chars: list[str] = []
    places: list[int] = []
    known: dict[str, str] = {}
    for place, char in enumerate(text):
        image = known.get(char)
        if image is None:
            image = known[char] = _image(char)
        for piece in image:
            chars.append(piece)
            places.append(place)
    return "".join(chars), places


def _image(char: str) -> str:
    from unicodedata import normalize

    if char in _CLAUSE_MARKS:
        return char
    if char in _DASHES:
        return "-"
    if char in _QUOTES:
        return '"'
    return "" if _is_unseen(char) else normalize("NFKC", char)


def _is_unseen(char: str) -> bool:
    from unicodedata import category

    # Control characters and halves of surrogate pairs go when a text is cleaned, so they hide a secret until then.
    return char in _UNSEEN or (category(char) in ("Cf", "Cc", "Cs") and not char.isspace())


def _without_line_ends(text: str) -> str:
    return text.replace("\n", "").replace("\r", "").replace("\t", "")
