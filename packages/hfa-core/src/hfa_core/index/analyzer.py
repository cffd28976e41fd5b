"""The one analyzer: any text, of a record or of a prompt, to the terms under which it is found.

Latin words are folded and lightly stemmed beside their exact form; identifiers are kept whole and split; runs of Han,
kana, Hangul, Thai, Lao, Burmese and Khmer become overlapping pairs, and Latin glued to them is separated; other scripts
go by word. A term never contains a blank or a double quote, so no text is search syntax. Source of the pairs: measured,
pre-cut pairs find every two-character Chinese word, FTS5's own tokenizers next to none.
"""

from __future__ import annotations

import unicodedata

from hfa_core.index.stemmer import stem
from hfa_core.index.stop_words import ASKING_WORDS, ORDER_WORDS, PARTICLES, STOP_PAIRS, STOP_WORDS
from hfa_core.model import Record

QUERY_CHARACTERS = 8_000
"""A longer prompt is analysed by its first and last half of this length; what a person asks stands there."""
MAXIMUM_GRAM = 8
"""A hit word is looked up by at most this many Latin words or CJK characters."""
TERM_CHARACTERS = 64

_JOINERS = "._-/\\:+#@'’"
_INNER_JOINERS = "_-./\\:"
_ASCII_CONTROLS = dict.fromkeys(code for code in range(128) if not (chr(code).isprintable() or chr(code).isspace()))
_VARIATION_SELECTORS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))


class Token(Record):
    """A run of one script: `text` folded, `cjk` for scripts that go by pairs, `camel` its parts if several."""

    __slots__ = ("camel", "cjk", "identifier", "text")

    def __init__(self, text: str, *, cjk: bool = False, identifier: bool = False, camel: tuple[str, ...] = ()) -> None:
        self.text = text
        self.cjk = cjk
        self.identifier = identifier
        self.camel = camel


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
    """The runs of a text in order: words, identifiers with their joiners, and CJK runs."""
    tokens: list[Token] = []
    run: list[str] = []
    cjk = False
    for character in normalise(text):
        joins = bool(run) and not cjk and character in _JOINERS
        # A mark belongs to the word before it; on its own it is none.
        wordlike = character.isalnum() or (
            character > "\x7f" and (bool(run) or is_cjk(character)) and unicodedata.category(character)[0] == "M"
        )
        if not (wordlike or joins):
            _flush(run, cjk, tokens)
            run = []
            continue
        is_pairwise = wordlike and is_cjk(character)
        if run and is_pairwise != cjk:
            _flush(run, cjk, tokens)
            run = []
        cjk = is_pairwise
        run.append(character)
    _flush(run, cjk, tokens)
    return tokens


def _flush(run: list[str], cjk: bool, tokens: list[Token]) -> None:
    if not run:
        return
    if cjk:
        tokens.append(Token("".join(run), cjk=True))
        return
    raw = "".join(run)
    # C++ and C# keep their signs; a dot, dash or apostrophe at the end is punctuation.
    core = raw.rstrip("._-/\\:@'’") if not raw.endswith(("++", "#")) else raw
    core = core.rstrip(_JOINERS) if len(core.rstrip("+#")) > 2 else core
    core = core.replace("’", "'").removesuffix("'s")
    folded = fold(core)
    if not folded:
        return
    parts = _split_identifier(core)
    identifier = len(parts) > 1 or (any(character.isdigit() for character in core) and any(c.isalpha() for c in core))
    tokens.append(Token(folded, identifier=identifier, camel=tuple(filter(None, map(fold, parts)))))


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


class Terms(Record):
    """
    The terms of a record's text: `content` in order and with repetitions, stemmed, without stop words; `exact` once
    each, the stop words and the words that differ from their stem.
    """

    __slots__ = ("content", "exact")

    def __init__(self, content: list[str], exact: list[str]) -> None:
        self.content = content
        self.exact = exact


def document_terms(text: str) -> Terms:
    """The terms of a record's text, as the index stores them."""
    content: list[str] = []
    exact: dict[str, None] = {}
    for token in tokenize(text):
        if token.cjk:
            content.extend(_pairs(token.text) or [token.text])
            continue
        for word in _word_forms(token):
            if word in STOP_WORDS:
                exact[word] = None
                continue
            root = stem(word)
            content.append(root)
            if root != word:
                exact[word] = None
    return Terms(content, list(exact))


def _word_forms(token: Token) -> list[str]:
    """A word, and the parts of an identifier after it."""
    parts = token.camel if len(token.camel) > 1 else ()
    return [part[:TERM_CHARACTERS] for part in (token.text, *parts)]


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


class QueryUnit(Record):
    """
    One informative piece of a prompt, shown as it was written; the record has it if its terms hold any of `forms`.
    """

    __slots__ = ("forms", "identifier", "shown")

    def __init__(self, shown: str, forms: tuple[str, ...], *, identifier: bool = False) -> None:
        self.shown = shown
        self.forms = forms
        self.identifier = identifier


class Query(Record):
    """
    A prompt as the index understands it: its informative `units`, each once, and the `grams` that may be hit words.

    `neighbours` are the pairs of words that follow one another, by their first forms; `characters` those of its CJK
    runs and `stop_words` its stop words, which weigh a little once the units have found a record.
    """

    __slots__ = ("characters", "grams", "neighbours", "stop_words", "units")

    def __init__(
        self,
        units: tuple[QueryUnit, ...],
        grams: tuple[str, ...],
        *,
        neighbours: tuple[tuple[str, str], ...] = (),
        characters: str = "",
        stop_words: tuple[str, ...] = (),
    ) -> None:
        self.units = units
        self.grams = grams
        self.neighbours = neighbours
        self.characters = characters
        self.stop_words = stop_words


def analyze_query(text: str) -> Query:
    """
    The informative units of a prompt, without stop words and repetitions.

    There are none, and no grams, for chatter and for an order about the work at hand that names no topic.
    """
    if len(text) > QUERY_CHARACTERS:
        half = QUERY_CHARACTERS // 2
        text = text[:half] + "\n" + text[-half:]
    units: dict[str, QueryUnit] = {}
    words: list[str] = []
    characters: dict[str, None] = {}
    stop_words: dict[str, None] = {}
    tokens = tokenize(text)
    for token in tokens:
        if token.cjk:
            characters.update(dict.fromkeys(token.text))
            words.append("")
            for pair in _pairs(token.text):
                if pair not in STOP_PAIRS:
                    units.setdefault(pair, QueryUnit(pair, (pair,)))
            continue
        if token.text in STOP_WORDS:
            stop_words[token.text] = None
        elif len(token.text) > 1:
            for unit in _word_units(token):
                words.append(unit.forms[0])
                units.setdefault(unit.shown, unit)
    if not units or (all(map(_names_nothing, tokens)) and not any(map(_asks, tokens))):
        return Query((), ())
    return Query(
        tuple(units.values()),
        tuple(_grams(tokens)),
        neighbours=_neighbours(words),
        characters="".join(characters),
        stop_words=tuple(stop_words),
    )


def _names_nothing(token: Token) -> bool:
    """Whether a run is made of stop words and of orders about the work at hand alone."""
    if not token.cjk:
        return len(token.text) < 2 or token.text in STOP_WORDS or token.text in ORDER_WORDS
    place = 0
    while place < len(token.text):
        pair = token.text[place : place + 2]
        if pair in STOP_PAIRS or pair in ORDER_WORDS:
            place += 2
        elif token.text[place] in PARTICLES:
            place += 1
        else:
            return False
    return True


def _asks(token: Token) -> bool:
    if not token.cjk:
        return token.text in ASKING_WORDS
    return any(pair in ASKING_WORDS for pair in _pairs(token.text))


def _neighbours(words: list[str]) -> tuple[tuple[str, str], ...]:
    """The pairs of words that follow one another; a blank stands for what parts two words."""
    pairs = [(words[place], words[place + 1]) for place in range(len(words) - 1)]
    return tuple(dict.fromkeys(pair for pair in pairs if all(pair)))


def _word_units(token: Token) -> list[QueryUnit]:
    whole, *parts = _word_forms(token)
    units = [QueryUnit(whole, (stem(whole),), identifier=token.identifier)]
    units.extend(QueryUnit(part, (stem(part),)) for part in parts if part not in STOP_WORDS and len(part) > 1)
    return units


def gram_key(text: str) -> str:
    """A hit word in the form in which prompts are searched for it: folded, stemmed, Latin and CJK apart."""
    return _join(_elements(tokenize(text)))


def _elements(tokens: list[Token]) -> list[str]:
    elements: list[str] = []
    for token in tokens:
        elements.extend(token.text if token.cjk else [stem(token.text[:TERM_CHARACTERS])])
    return elements


def _join(elements: list[str]) -> str:
    text = ""
    for element in elements:
        glued = text and is_cjk(text[-1]) and is_cjk(element[0])
        text += element if glued or not text else " " + element
    return text


def _grams(tokens: list[Token]) -> list[str]:
    """Every run of up to `MAXIMUM_GRAM` elements of a prompt, shortest first, without repetitions."""
    elements = _elements(tokens)
    grams: dict[str, None] = {}
    for size in range(1, MAXIMUM_GRAM + 1):
        for start in range(len(elements) - size + 1):
            grams.setdefault(_join(elements[start : start + size]), None)
    return list(grams)
