"""Another search engine proposes, and what may be seen is decided as for any recall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hfa_core.errors import BackendError
from hfa_core.fs.layout import Layout
from hfa_core.operations.recall import answer_query
from hfa_core.plugins.services import LOOKED_AT, propose
from hfa_core.settings import Environment


class Engine:
    """Finds what it was made with."""

    name = "engine"

    def __init__(self, found: Sequence[object] | Exception) -> None:
        self.found = found

    def find(self, memory: Path, text: str, limit: int) -> Sequence[str]:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found  # pyright: ignore[reportReturnType]  # some are wrong on purpose


def ask(memory: Layout, environment: Environment, found: Sequence[object], query: str = "anything 什么") -> list[str]:
    engine = Engine(found)
    answer = answer_query(memory, environment, query, propose=lambda text: propose(engine, Path(memory.root), text))
    return [one.id for one in answer.selected]


def test_what_an_engine_proposes_is_shown_in_its_order_and_within_the_budget(
    memory: Layout, environment: Environment, add: Callable[..., str]
) -> None:
    ids = [add("Deployments", hit_words=("deploy",)), add("备份保留七份", hit_words=("备份",)), add("Third")]

    assert ask(memory, environment, [ids[1], ids[0], ids[2]]) == [ids[1], ids[0]]
    assert ask(memory, environment, [ids[2], ids[2]]) == [ids[2]]


def test_a_record_that_was_replaced_stays_hidden_whatever_an_engine_says(
    memory: Layout, environment: Environment, add: Callable[..., str]
) -> None:
    old = add("Daily backup 每日备份")
    new = add("Hourly backup 每小时备份", supersedes=(old,))

    assert ask(memory, environment, [old]) == [new]


@pytest.mark.parametrize("found", [[], ["chunk_9999-abcdef"], ["../../etc/passwd", "\udcff", ""]])
def test_ids_that_the_memory_does_not_have_are_passed_over(
    memory: Layout, environment: Environment, add: Callable[..., str], found: list[str]
) -> None:
    add("A record 记录")

    assert ask(memory, environment, found) == []


@pytest.mark.parametrize(
    ("found", "problem"),
    [(ValueError("坏了"), "ValueError: 坏了"), ([1], "no list of ids"), ([None], "no list of ids")],
)
def test_an_engine_that_fails_is_named(found: Sequence[object] | Exception, problem: str) -> None:
    with pytest.raises(BackendError, match=problem):
        propose(Engine(found), Path("memory"), "text")


def test_an_engine_that_finds_a_flood_is_cut(tmp_path: Path) -> None:
    assert (
        len(propose(Engine([f"chunk_{number:04d}-abcdef" for number in range(9_000)]), tmp_path, "text")) == LOOKED_AT
    )
