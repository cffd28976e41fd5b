from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.memory import Memory, open_memory
from evaluation.sets import read_set

SETS = Path(__file__).parents[2] / "benchmarks" / "sets"
CHATTER = (SETS / "chatter.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    documents = read_set(SETS / "own").documents[""]
    with open_memory(tmp_path_factory.mktemp("own") / "memory", documents) as opened:
        yield opened


def test_chatter_is_plentiful_and_in_both_languages() -> None:
    chinese = [line for line in CHATTER if any("\u4e00" <= character <= "\u9fff" for character in line)]
    assert len(set(CHATTER)) == len(CHATTER) >= 200
    assert min(len(chinese), len(CHATTER) - len(chinese)) >= 80


def test_chatter_injects_nothing_into_a_project_with_many_decisions(memory: Memory) -> None:
    told = {line: found.shown for line in CHATTER if (found := memory.recall(line)).shown}
    assert told == {}


def test_a_question_of_the_set_does_inject_so_silence_means_something(memory: Memory) -> None:
    assert memory.recall("database is locked errors with BEGIN DEFERRED on fts.sqlite").shown
    assert memory.recall("jieba 为什么没有采用").shown
