from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.sets import REPORT, TUNE, SetError, part_of, read_set


def test_the_two_parts_share_no_question_and_lose_none(make_set: Callable[..., Path]) -> None:
    queries: list[dict[str, object]] = [{"id": f"q{number}", "query": "?", "relevant": []} for number in range(200)]
    folder = make_set(queries=queries)
    tune = {one.id for one in read_set(folder, part=TUNE).questions[""]}
    report = {one.id for one in read_set(folder, part=REPORT).questions[""]}
    assert not tune & report
    assert len(tune | report) == 200
    assert 70 < len(tune) < 130


def test_a_question_stays_in_its_part_whatever_is_added_to_the_set() -> None:
    # Known values: were the hash or its use changed, tuning and reporting would mix.
    assert [part_of(name) for name in ("adr/2", "pep/1", "own/paraphrase_zh-01", "问")] == [TUNE, TUNE, REPORT, REPORT]


def test_a_limit_takes_questions_across_the_set_and_keeps_their_order(make_set: Callable[..., Path]) -> None:
    queries: list[dict[str, object]] = [{"id": f"q{number:03}", "query": "?", "relevant": []} for number in range(200)]
    found = [one.id for one in read_set(make_set(queries=queries), limit=10).questions[""]]
    assert len(found) == 10
    assert found == sorted(found)
    assert found[-1] > "q050"


def test_links_of_supersession_are_read_from_either_end(make_set: Callable[..., Path]) -> None:
    corpus = [
        {"id": "1", "text": "x", "superseded_by": ["2"], "current": ["3"]},
        {"id": "2", "text": "x"},
        {"id": "3", "text": "x", "supersedes": ["2", "gone"]},
        {"id": "4", "text": "x", "superseded_by": ["gone"], "current": ["3"]},
    ]
    found = {one.id: one.supersedes for one in read_set(make_set(corpus=corpus)).documents[""]}
    assert found == {"1": (), "2": ("1",), "3": ("2", "4"), "4": ()}


@pytest.mark.parametrize(
    ("line", "reason"),
    [('{"id": "1"', "corpus.jsonl:1: is not JSON"), ('{"id": "1"}', "corpus.jsonl:1: has no text")],
)
def test_a_line_that_is_not_of_the_form_is_named(make_set: Callable[..., Path], line: str, reason: str) -> None:
    folder = make_set()
    (folder / "corpus.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(SetError, match=reason):
        read_set(folder)
