"""Light English stemming: plural and tense endings only, so that two words share a stem only if they share a sense."""

from __future__ import annotations

_VOWELS = "aeiouy"
_SHORTEST = 4


def stem(word: str) -> str:
    """
    `word` without plural, -ed or -ing ending; words that are short or not plain lower-case ASCII stay as they are.

    choice: after Harman's S-stemmer, with -ed and -ing cut where a vowel stays in front; a final e goes last, so that
    "cache", "caches", "cached" and "caching" are one.
    """
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    word = _cut_plural(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and _has_vowel(word[: -len(ending)]):
            word = _undouble(word[: -len(ending)])
            break
    if word.endswith("y") and len(word) > 3 and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _cut_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _has_vowel(text: str) -> bool:
    return any(character in _VOWELS for character in text)


def _undouble(text: str) -> str:
    """stopp to stop; but -ll, -ss and -zz belong to their word (roll, pass, buzz)."""
    if len(text) > 3 and text[-1] == text[-2] and text[-1] not in "lsz" + _VOWELS:
        return text[:-1]
    return text
