"""What a prompt denies is not searched for; what it asks about, symptoms included, is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.index.analyzer import NEGATORS, QUERY_CHARACTERS, analyze_query
from hfa_core.index.negation import affirmed


def read_cases(name: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The lines of a table: a sentence, the words that must stay, the words that must go."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines if line and not line.startswith("#")]
    return [(text.strip(), split_words(stay), split_words(go)) for text, stay, go in rows]


def split_words(cell: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in cell.split(",") if word.strip())


ENGLISH = read_cases("negation_english.txt")
CHINESE = read_cases("negation_chinese.txt")

PIECES = """don't|do not |not |never |use |but |instead of |rather than |neither |nor |no need |why |you |we |yarn |
|and |, |. |? |不要|不用|别|不是|而是|而不是|但|改用|部署|和|、|，|。|吗|没有|先不|与|无关|只|不|用|查|请|"""
SPEECH = st.lists(st.sampled_from(PIECES.split("|")), max_size=24).map("".join)
REPEATED = "not |no |is not |don't |不|不要|别|don't x but |不是，而是|never |, and |吗？"


@pytest.mark.parametrize(("text", "stay", "go"), [*ENGLISH, *CHINESE], ids=[case[0] for case in [*ENGLISH, *CHINESE]])
def test_a_sentence_keeps_what_it_asks_and_loses_what_it_denies(
    text: str, stay: tuple[str, ...], go: tuple[str, ...]
) -> None:
    left = affirmed(text).casefold()

    assert [word for word in stay if word.casefold() not in left] == []
    assert [word for word in go if word.casefold() in left] == []


def test_the_table_is_large_and_half_of_it_is_chinese() -> None:
    assert len(ENGLISH) >= 60
    assert len(CHINESE) >= 60
    assert sum(bool(case[2]) for case in [*ENGLISH, *CHINESE]) >= 60


@pytest.mark.parametrize("case", [*ENGLISH, *CHINESE], ids=lambda case: case[0])
def test_the_analyzer_searches_only_for_what_is_left(case: tuple[str, tuple[str, ...], tuple[str, ...]]) -> None:
    text, _, go = case
    units = {unit.shown for unit in analyze_query(text).units}
    gone = {unit.shown for word in go for unit in analyze_query(word).units}

    assert units & gone == set()


def test_every_sentence_that_denies_holds_a_negator_that_the_analyzer_looks_for() -> None:
    for text, _, go in [*ENGLISH, *CHINESE]:
        assert not go or any(negator in text.lower() for negator in NEGATORS)


@given(st.one_of(st.text(st.characters()), SPEECH))
def test_what_is_left_is_the_text_with_gaps(text: str) -> None:
    rest = iter(text)

    assert all(character in rest for character in affirmed(text))


@given(SPEECH)
def test_what_was_affirmed_once_stays(text: str) -> None:
    left = affirmed(text)

    assert affirmed(left) == left


@given(st.text(st.characters()))
def test_a_text_without_a_negator_is_left_alone(text: str) -> None:
    if not any(negator in text.lower() for negator in NEGATORS):
        assert affirmed(text) == text


@pytest.mark.parametrize(
    "piece",
    ["not ", "no ", "is not ", "don't ", "不", "不要", "别", "don't x but ", "不是，而是", "never ", ", and ", "吗？"],
)
def test_the_work_grows_with_the_text_and_not_faster(piece: str) -> None:
    half, whole = (
        lines_run(affirmed, piece * (size // len(piece))) for size in (QUERY_CHARACTERS // 4, QUERY_CHARACTERS // 2)
    )

    assert whole < 3 * half


def lines_run(function: Callable[[str], str], text: str) -> int:
    """How many lines of Python a call runs: a measure of its work that no other process disturbs."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(text)
    finally:
        sys.settrace(before)
    return count
