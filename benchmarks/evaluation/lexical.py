"""`lex-tuned`: a strong lexical ranker in plain Python that shares nothing with HFA's own; the floor to stay above."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import cast

import Stemmer
from bm25s.stopwords import STOPWORDS_EN_PLUS  # pyright: ignore[reportMissingTypeStubs] # none exist

from evaluation.sets import Document

K1 = 1.2
B = 0.75
TITLE_WEIGHT = 3
FEATURE_WEIGHT = 0.2
"""Of adjacent pairs and of character 4-grams, beside 1 for the words. choice: of pairs with and without stop
words, and of 4-grams within words and across them, what found most on the development sets."""
GRAM_CHARACTERS = 4

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PIECE = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+")
_STOP_WORDS = frozenset(map(str, STOPWORDS_EN_PLUS))
_stem_word = cast("Callable[[str], str]", Stemmer.Stemmer("english").stemWord)  # pyright: ignore[reportUnknownMemberType] # C

Analyzer = Callable[[str], Iterable[str]]


def pieces(text: str) -> list[str]:
    """The words and the CJK runs of a text in order, folded, without English stop words."""
    return [piece for piece in _split(text) if piece not in _STOP_WORDS]


def _split(text: str) -> list[str]:
    return _PIECE.findall(unicodedata.normalize("NFKC", text).casefold())


def is_cjk(piece: str) -> bool:
    """Whether a piece is a CJK run."""
    return "\u3040" <= piece[0] <= "\uffff"


def words(text: str) -> Iterator[str]:
    """Stemmed words, and CJK runs as overlapping pairs."""
    for piece in pieces(text):
        if is_cjk(piece):
            yield from [piece[start : start + 2] for start in range(len(piece) - 1)] or [piece]
        else:
            yield stem(piece)


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The Snowball stem of an English word."""
    return _stem_word(word)


def adjacent_pairs(text: str) -> Iterator[str]:
    """Two words that follow one another, stop words too: `my team` is not `the team`. CJK has its pairs already."""
    stems = [stem(piece) for piece in _split(text) if not is_cjk(piece)]
    for one, other in pairwise(stems):
        yield f"{one} {other}"


def character_grams(text: str) -> Iterator[str]:
    """The overlapping 4-grams of each word that is no stop word."""
    for piece in pieces(text):
        if not is_cjk(piece):
            for start in range(len(piece) - GRAM_CHARACTERS + 1):
                yield piece[start : start + GRAM_CHARACTERS]


class Bm25:
    """
    BM25 over one way to cut texts into terms, the title counted three times before length is normalised; source: the
    usual formula with its positive IDF, ln(1 + (N - n + .5) / (n + .5)).
    """

    def __init__(self, documents: Sequence[Document], analyze: Analyzer) -> None:
        self._analyze = analyze
        self._count = len(documents)
        bags = [self._count_terms(document) for document in documents]
        lengths = [sum(bag.values()) for bag in bags]
        mean = sum(lengths) / max(1, len(lengths)) or 1.0
        self._norms = [K1 * (1 - B + B * length / mean) for length in lengths]
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, bag in enumerate(bags):
            for term, frequency in bag.items():
                self._postings[term].append((place, frequency))

    def _count_terms(self, document: Document) -> Counter[str]:
        bag = Counter(self._analyze(document.text))
        for term in self._analyze(document.title):
            bag[term] += TITLE_WEIGHT
        return bag

    def add_scores(self, query: str, weight: float, scores: dict[int, float]) -> None:
        """Add `weight` times the score of each document that shares a term with the query."""
        for term in dict.fromkeys(self._analyze(query)):
            postings = self._postings.get(term, ())
            idf = math.log(1 + (self._count - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, frequency in postings:
                share = frequency * (K1 + 1) / (frequency + self._norms[place])
                scores[place] = scores.get(place, 0.0) + weight * idf * share


class LexTuned:
    """Words, adjacent pairs and character 4-grams, each by BM25 of its own, added up."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._ids = [document.id for document in documents]
        self._parts = [
            (Bm25(documents, words), 1.0),
            (Bm25(documents, adjacent_pairs), FEATURE_WEIGHT),
            (Bm25(documents, character_grams), FEATURE_WEIGHT),
        ]

    def order(self, query: str) -> list[str]:
        """The documents that share anything with the query, best first, equal ones in the order of the set."""
        scores: dict[int, float] = {}
        for part, weight in self._parts:
            part.add_scores(query, weight, scores)
        return [self._ids[place] for place in sorted(scores, key=lambda place: (-scores[place], place))]
