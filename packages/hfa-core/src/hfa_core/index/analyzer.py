"""The one analyzer: any text, of a record or of a prompt, to the terms under which it is found.

Latin words are folded and lightly stemmed beside their exact form; identifiers are kept whole and split; runs of Han,
kana, Hangul, Thai, Lao, Burmese and Khmer become overlapping pairs, and Latin glued to them is separated; other scripts
go by word. A term never contains a blank or a double quote, so no text is search syntax. Source of the pairs: measured,
pre-cut pairs find every two-character Chinese word, FTS5's own tokenizers next to none.
"""

from __future__ import annotations

from hfa_core.index.stemmer import stem
from hfa_core.index.stop_words import ASKING_WORDS, ORDER_WORDS, PARTICLES, STOP_PAIRS, STOP_WORDS
from hfa_core.index.tokenizer import Token, is_cjk, normalise, tokenize
from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

QUERY_CHARACTERS = 8_000
"""A longer prompt is analysed by its first and last half of this length; what a person asks stands there."""
MAXIMUM_GRAM = 8
"""A hit word is looked up by at most this many Latin words or CJK characters."""
TERM_CHARACTERS = 64
_LONGEST_FORM = 18
"""What NFKC makes of one character at most; source: U+FDFA in the Unicode data."""
NEGATORS = (
    *("not ", "not\n", "n't", "n’t", "dont ", "never", "neither", "instead of", "rather than", "no "),
    *("不", "别", "別", "勿", "无", "無", "禁", "甭", "而非"),
)
"""Without any of these, in small letters, a prompt denies nothing."""


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
    return terms_of(tokenize(text))


def terms_of(tokens: Iterable[Token]) -> Terms:
    """As `document_terms`, for a text that is cut already."""
    content: list[str] = []
    exact: dict[str, None] = {}
    for token in tokens:
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
    The informative units of a prompt, without stop words and repetitions, of what it does not deny.

    There are none, and no grams, for chatter and for an order about the work at hand that names no topic.
    """
    text = _both_ends(text)
    if len(text) > QUERY_CHARACTERS // _LONGEST_FORM and not text.isascii():
        text = _both_ends(normalise(text))
    text = _without_denials(text)
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


def _both_ends(text: str) -> str:
    half = QUERY_CHARACTERS // 2
    return text if len(text) <= QUERY_CHARACTERS else text[:half] + "\n" + text[-half:]


def _without_denials(text: str) -> str:
    lowered = text.lower()
    if not any(negator in lowered for negator in NEGATORS):
        return text
    # Most prompts deny nothing, and what cuts clauses is not loaded for them.
    from hfa_core.index.negation import affirmed

    return affirmed(text)


def _word_units(token: Token) -> list[QueryUnit]:
    whole, *parts = _word_forms(token)
    units = [QueryUnit(whole, (stem(whole),), identifier=token.identifier)]
    units.extend(QueryUnit(part, (stem(part),)) for part in parts if part not in STOP_WORDS and len(part) > 1)
    return units


def gram_key(text: str) -> str:
    """A hit word in the form in which prompts are searched for it: folded, stemmed, Latin and CJK apart."""
    return gram_of(tokenize(text))


def gram_of(tokens: Iterable[Token]) -> str:
    """As `gram_key`, for a text that is cut already."""
    pieces: list[str] = []
    after_cjk = False
    for token in tokens:
        if pieces and not (after_cjk and token.cjk):
            pieces.append(" ")
        pieces.append(token.text if token.cjk else stem(token.text[:TERM_CHARACTERS]))
        after_cjk = token.cjk
    return "".join(pieces)


def _elements(tokens: Iterable[Token]) -> list[str]:
    elements: list[str] = []
    for token in tokens:
        elements.extend(token.text if token.cjk else [stem(token.text[:TERM_CHARACTERS])])
    return elements


def _grams(tokens: list[Token]) -> list[str]:
    """Every run of up to `MAXIMUM_GRAM` elements of a prompt, shortest first, without repetitions."""
    elements = _elements(tokens)
    glues = [is_cjk(element[0]) for element in elements]
    sizes: list[list[str]] = [[] for _ in range(MAXIMUM_GRAM)]
    for start, element in enumerate(elements):
        text = element
        sizes[0].append(text)
        for place in range(start + 1, min(start + MAXIMUM_GRAM, len(elements))):
            text += elements[place] if glues[place - 1] and glues[place] else " " + elements[place]
            sizes[place - start].append(text)
    return list(dict.fromkeys(gram for grams in sizes for gram in grams))
