"""A stuffed list of hit words is told by verification, and gains nothing in recall."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.index.analyzer import analyze_query
from hfa_core.index.database import Database
from hfa_core.index.problem import WARNING
from hfa_core.index.search import search
from hfa_core.index.stuffing import NODE_HIT_WORDS, check_hit_words
from hfa_core.index.verify import verify_memory
from hfa_core.model import Chunk
from hfa_core.recall.rank import rank
from hfa_core.recall.recall import Request, recall
from hfa_core.store.chunks import read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory

COMMON = ("the", "how", "do", "we", "what", "怎么", "我们", "什么")


def set_main_words(memory: Layout, words: list[str]) -> None:
    path = Path(memory.directory)
    row = next(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| M1"))
    cells = row.split(" | ")
    text = path.read_text(encoding="utf-8").replace(row, " | ".join([*cells[:5], ", ".join(words) + " |"]))
    path.write_text(text, encoding="utf-8")
    assert read_directory(memory).nodes[0].hit_words == tuple(words)


def findings(memory: Layout, chunks: list[Chunk]) -> list[str]:
    return [one.text for one in check_hit_words(memory, chunks, read_directory(memory))]


def test_a_node_with_hundreds_of_hit_words_is_told(memory: Layout) -> None:
    set_main_words(memory, [f"word{number}" for number in range(300)])

    (problem,) = [one for one in verify_memory(memory) if one.code == "hit_words_stuffed"]
    assert (problem.path, problem.severity) == (memory.directory, WARNING)
    assert "M1" in problem.text
    assert "300" in problem.text
    assert problem.fix


@pytest.mark.parametrize("count", [1, NODE_HIT_WORDS])
def test_a_node_with_a_few_is_not(memory: Layout, count: int) -> None:
    set_main_words(memory, [f"word{number}" for number in range(count)])

    assert findings(memory, []) == []


def test_common_words_are_told_of_nodes_and_records(memory: Layout, add: Callable[..., str]) -> None:
    stuffed = read_chunk(memory, add("Stuffed 塞满", hit_words=COMMON))
    plain = read_chunk(memory, add("Plain", hit_words=("how", "we", "gateway", "网关")))
    set_main_words(memory, list(COMMON))

    node, record = findings(memory, [stuffed, plain])
    assert "M1" in node
    assert record.startswith("Stuffed 塞满 has 8 hit words")


def test_common_words_gain_a_record_nothing(add: Callable[..., str], resync: Callable[[], Database]) -> None:
    honest = add("How the gateway limits requests", hit_words=("gateway",), conclusion="By token bucket.")
    add("Palette 配色", hit_words=COMMON, conclusion="Blue.")

    with resync() as database:
        for prompt in ("how do we limit requests in the gateway", "what do we do", "我们怎么做"):
            found = [one.candidate.id for one in rank(search(database, analyze_query(prompt)))]
            assert found in ([honest], [])


def test_a_stuffed_node_gains_its_records_nothing(
    memory: Layout, add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    add("Gateway limits", hit_words=("limits",), conclusion="By token bucket.")
    add("Palette", hit_words=("colours",), conclusion="Blue.")
    prompt = "how do we limit requests in the gateway"
    with resync() as database:
        before = [one.candidate.id for one in rank(search(database, analyze_query(prompt)))]

    set_main_words(memory, [*COMMON, "gateway", *(f"word{number}" for number in range(300))])

    with resync() as database:
        assert [one.candidate.id for one in rank(search(database, analyze_query(prompt)))] == before


def test_common_hit_words_route_no_prompt_to_a_node(
    memory: Layout, add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    add("Palette", hit_words=("colours",), conclusion="Blue.")
    set_main_words(memory, [*COMMON, "gateway"])

    with resync() as database:
        asked = {
            prompt: recall(database, read_directory(memory), read_config(memory), Request(prompt)).router_text
            for prompt in ("how do we limit requests", "我们怎么限流", "limits of the gateway")
        }

    assert [bool(text) for text in asked.values()] == [False, False, True]
