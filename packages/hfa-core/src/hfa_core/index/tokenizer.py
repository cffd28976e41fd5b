"""A text cut into runs of one script: words, identifiers with their joiners, and CJK runs.

Cutting the records is much of what an index costs to build, so what is judged of a character, and what a word comes to,
is remembered. `re` would be quicker still, but a prompt may not load it.
"""

from __future__ import annotations

import unicodedata

from hfa_core.model import Record

REMEMBERED = 20_000
"""choice: how many words, or characters, are remembered; some megabytes."""
_LONGEST_REMEMBERED = 64

_JOINERS = "._-/\\:+#@'’"
_INNER_JOINERS = "_-./\\:"
_ASCII_CONTROLS = dict.fromkeys(code for code in range(128) if not (chr(code).isprintable() or chr(code).isspace()))
_VARIATION_SELECTORS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))


class Token(Record):
    """
    A run of one script: `text` folded, `cjk` for scripts that go by pairs, `camel` its parts if several. Tokens are
    shared by all texts, so nobody changes one.
    """

    __slots__ = ("camel", "cjk", "identifier", "text")

    def __init__(self, text: str, *, cjk: bool = False, identifier: bool = False, camel: tuple[str, ...] = ()) -> None:
        self.text = text
        self.cjk = cjk
        self.identifier = identifier
        self.camel = camel


class _Separated(dict[int, str | int | None]):
    """For `str.translate`: what belongs to no word becomes a blank, and what nobody sees goes."""

    def __missing__(self, code: int) -> str | int | None:
        character = chr(code)
        shown: str | int | None = " "
        if _is_invisible(character):
            shown = None
        # A mark belongs to the word before it.
        elif character.isalnum() or character in _JOINERS or (code > 127 and unicodedata.category(character)[0] == "M"):
            shown = code
        if len(self) < REMEMBERED:
            self[code] = shown
        return shown


class _Pairwise(dict[str, bool]):
    """Whether a character is one of `is_cjk`."""

    def __missing__(self, character: str) -> bool:
        pairwise = is_cjk(character)
        if len(self) < REMEMBERED:
            self[character] = pairwise
        return pairwise


_separated = _Separated()
_pairwise = _Pairwise()
_words: dict[str, tuple[Token, ...]] = {}


def normalise(text: str) -> str:
    """NFKC, without zero-width, bidirectional, variation and control characters; case is kept, for camel case."""
    if text.isascii():
        return text.translate(_ASCII_CONTROLS)
    return "".join(character for character in unicodedata.normalize("NFKC", text) if not _is_invisible(character))


def _is_invisible(character: str) -> bool:
    if character.isspace():
        return False
    return unicodedata.category(character) in ("Cf", "Cs", "Cc") or character in _VARIATION_SELECTORS


def fold(text: str) -> str:
    """Case folded, and diacritics of Latin, Greek and Cyrillic dropped: café and CAFE are one."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    kept = [character for character in unicodedata.normalize("NFD", folded) if not ("\u0300" <= character <= "\u036f")]
    return unicodedata.normalize("NFC", "".join(kept))


def is_cjk(character: str) -> bool:
    """Scripts written without blanks between words, or whose words take endings freely; Han, kana and Hangul first."""
    code = ord(character)
    if code < 0x0E00:
        return False
    return (
        0x3400 <= code <= 0x9FFF
        or 0x3040 <= code <= 0x30FF
        or 0xAC00 <= code <= 0xD7AF
        or 0x20000 <= code <= 0x3FFFF
        or 0xF900 <= code <= 0xFAFF
        or 0x31F0 <= code <= 0x31FF
        or code in (0x3005, 0x3007)
        or 0x0E00 <= code <= 0x0EFF  # Thai, Lao
        or 0x1000 <= code <= 0x109F  # Burmese
        or 0x1780 <= code <= 0x17FF  # Khmer
    )


def tokenize(text: str) -> list[Token]:
    """The runs of a text, normalised, in order."""
    tokens: list[Token] = []
    for word in unicodedata.normalize("NFKC", text).translate(_separated).split():
        known = _words.get(word)
        if known is None:
            known = _cut(word)
            # Clauses of CJK characters hardly ever come again.
            if len(word) <= _LONGEST_REMEMBERED and not any(token.cjk for token in known):
                if len(_words) >= REMEMBERED:
                    _words.clear()
                _words[word] = known
        tokens.extend(known)
    return tokens


def _cut(word: str) -> tuple[Token, ...]:
    """The runs of what stands between two blanks: CJK ones, and others, which keep the joiners inside them."""
    tokens: list[Token | None] = []
    start, cjk = -1, False
    for place, character in enumerate(word):
        pairwise = _pairwise[character]
        if start >= 0 and pairwise == cjk:
            continue
        if start >= 0:
            tokens.append(_token(word[start:place], cjk=cjk))
        # A joiner joins to what stands before it; a mark on its own is no word.
        begins = pairwise or character.isalnum() or (start >= 0 and character not in _JOINERS)
        start, cjk = place if begins else -1, pairwise
    if start >= 0:
        tokens.append(_token(word[start:], cjk=cjk))
    return tuple(token for token in tokens if token)


def _token(raw: str, *, cjk: bool) -> Token | None:
    if cjk:
        return Token(raw, cjk=True)
    # C++ and C# keep their signs; a dot, dash or apostrophe at the end is punctuation.
    core = raw.rstrip("._-/\\:@'’") if not raw.endswith(("++", "#")) else raw
    core = core.rstrip(_JOINERS) if len(core.rstrip("+#")) > 2 else core
    core = core.replace("’", "'").removesuffix("'s")
    folded = fold(core)
    if not folded:
        return None
    parts = _split_identifier(core)
    identifier = len(parts) > 1 or (any(character.isdigit() for character in core) and any(c.isalpha() for c in core))
    return Token(folded, identifier=identifier, camel=tuple(filter(None, map(fold, parts))))


def _split_identifier(raw: str) -> list[str]:
    """`UserService.getById` to User, Service, get, By, Id; a word with an apostrophe stays one."""
    parts: list[str] = []
    piece = ""
    previous = ""
    for position, character in enumerate(raw):
        following = raw[position + 1] if position + 1 < len(raw) else ""
        if character in _INNER_JOINERS or character in "@#+":
            parts.append(piece)
            piece = ""
        else:
            starts = character.isupper() and (previous.islower() or (previous.isupper() and following.islower()))
            if piece and starts:
                parts.append(piece)
                piece = ""
            piece += character
        previous = character
    return [part for part in [*parts, piece] if part]
