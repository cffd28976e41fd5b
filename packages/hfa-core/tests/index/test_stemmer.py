"""English endings: words of one sense share a stem, others do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.index.stemmer import stem

FAMILIES = [
    ["cache", "caches", "cached", "caching"],
    ["retry", "retries", "retried"],
    ["index", "indexes", "indexed", "indexing"],
    ["process", "processes", "processed", "processing"],
    ["query", "queries", "queried"],
    ["stop", "stops", "stopped", "stopping"],
    ["size", "sizes"],
    ["prize", "prizes"],
    ["file", "files"],
    ["roll", "rolls", "rolled", "rolling"],
    ["dependency", "dependencies"],
    ["branch", "branches", "branched"],
    ["push", "pushes", "pushed", "pushing"],
    ["database", "databases"],
    ["buzz", "buzzes"],
    ["rotate", "rotates", "rotated", "rotating"],
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family[0])
def test_the_forms_of_a_word_share_a_stem(family: list[str]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_words_of_another_sense_have_another_stem() -> None:
    assert len({stem(family[0]) for family in FAMILIES}) == len(FAMILIES)


@pytest.mark.parametrize(
    ("one", "other"),
    [("string", "str"), ("status", "state"), ("class", "clas"), ("bus", "bu"), ("king", "k")],
)
def test_what_only_looks_like_an_ending_stays(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["", "as", "is", "bed", "JWTs", "e0382", "café", "令牌", "don't", "a.b"])
def test_a_word_that_is_short_or_not_plain_lower_case_stays_as_it_is(word: str) -> None:
    assert stem(word) == word


@given(st.text("abcdeginsrtyz", max_size=12))
def test_a_stem_is_never_longer_than_the_word_nor_empty(word: str) -> None:
    assert len(stem(word)) <= len(word)
    assert bool(stem(word)) == bool(word)
