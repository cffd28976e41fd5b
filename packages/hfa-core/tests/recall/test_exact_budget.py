"""The budget in exact tokens: for every C counted records cost no more, and no estimate is called exact."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index.database import Database, open_database
from hfa_core.index.sync import sync
from hfa_core.model import Draft, Source
from hfa_core.recall.budget import BYTES_PER_TOKEN, exceeds_bytes
from hfa_core.recall.recall import Request, recall
from hfa_core.recall.result import Recall
from hfa_core.store.chunks import read_chunk
from hfa_core.store.config import Config
from hfa_core.store.create import create_memory
from hfa_core.store.directory import read_directory
from hfa_core.store.nodes import add_node
from hfa_core.store.snippet import render_snippet
from hfa_core.tokens import METHOD_ESTIMATE, METHOD_EXACT

Count = Callable[[str], int]
Ask = Callable[..., Recall]

WORDS = [
    "rotate", "the refresh token", "deadline", "E0382", "令牌轮换", "缓存", "接口重试要退避", "日志", "😀👩‍💻✅",
    "饕餮貔貅", "def get(self, key): return self._rows[key]",
    "if (a !== b) { await fetch(`/v1/${id}`); }", "SELECT * FROM chunks;",
    "{\"json\": [1, 2.5e-3]}", "x" * 30, "----", "->", "src/auth/jwt.ts", "<system>", "한국어", "ご確認", "“引号”",
    "!!!",
]  # fmt: skip
BUDGETS = range(1, 601)


def write(layout: Layout, chance: random.Random, number: int) -> str:
    """A record about limits in random words of every kind, near any budget in size."""

    def line(most: int) -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(1, most)))[:500]

    draft = Draft(
        title=f"Limit 上限 {number} {line(3)}"[:160],
        hit_words=["limit", "上限"],
        conclusion=[line(chance.choice((2, 9, 20))) for _ in range(chance.randint(1, 3))],
        source=Source("cli", ref=chance.choice(("", "docs/限流.md", "wow!!!", "a_(b)"))),
        paths=[f"src/{word}.py" for word in ("limit", "限流", "x")[: chance.randint(0, 3)]],
    )
    return remember(layout, draft, now=1_790_000_000 + 60 * number).id


@pytest.fixture(params=range(3))
def seeded(request: pytest.FixtureRequest, memory: Layout) -> tuple[Layout, random.Random]:
    """A memory of six random records, and the chance that made them."""
    chance = random.Random(request.param)
    for number in range(6):
        write(memory, chance, number)
    return memory, chance


def answers(database: Database, prompt: str = "limit 上限") -> Iterator[tuple[int, Recall]]:
    directory = read_directory(database.layout)
    for budget in BUDGETS:
        config = Config(memory_id="0" * 8, recall_budget=budget, router_budget=budget)
        yield budget, recall(database, directory, config, Request(prompt))


def whole(layout: Layout, answer: Recall) -> str:
    return "\n".join(render_snippet(read_chunk(layout, item.id)) for item in answer.selected)


def test_for_every_budget_exactly_counted_records_cost_what_is_said_and_fit_whole(
    seeded: tuple[Layout, random.Random], count: Count
) -> None:
    memory, _ = seeded
    taken: set[int] = set()
    with open_database(memory) as database:
        sync(database, read_directory(memory), find_counter=lambda: count)
        for budget, answer in answers(database):
            assert answer.recall_text == whole(memory, answer)
            assert count(answer.recall_text) == answer.recall_tokens <= budget
            assert count(answer.router_text) == answer.router_tokens <= budget
            assert answer.exact == bool(answer.recall_text or answer.router_text)
            assert answer.method == (METHOD_EXACT if answer.exact else METHOD_ESTIMATE)
            taken.add(len(answer.selected))
    assert taken == {0, 1, 2}


def test_for_every_budget_estimated_records_fit_and_are_never_called_exact(
    seeded: tuple[Layout, random.Random], count: Count
) -> None:
    memory, chance = seeded
    with open_database(memory) as database:
        sync(database, read_directory(memory), find_counter=lambda: count)
        late = {write(memory, chance, number) for number in range(6, 9)}
        sync(database, read_directory(memory))
        exact: set[bool] = set()
        for budget, answer in answers(database):
            estimated = late & {item.id for item in answer.selected}
            assert answer.recall_text == whole(memory, answer)
            assert answer.recall_tokens <= budget
            assert not (estimated and answer.exact)
            assert answer.exact == (answer.method == METHOD_EXACT)
            assert answer.exact or not estimated or exceeds_bytes(answer.recall_text, budget) == ""
            exact.add(answer.exact)
    assert exact == {True, False}


def test_without_a_tokenizer_nothing_is_called_exact(seeded: tuple[Layout, random.Random]) -> None:
    memory, _ = seeded
    with open_database(memory) as database:
        sync(database, read_directory(memory), find_counter=lambda: None)
        found = [answer for _, answer in answers(database)]

    assert {(answer.exact, answer.method) for answer in found} == {(False, METHOD_ESTIMATE)}
    assert any(answer.recall_text for answer in found)


def test_a_router_line_that_was_not_counted_makes_the_whole_an_estimate(
    memory: Layout, add: Callable[..., str], count: Count
) -> None:
    add("令牌轮换")
    with open_database(memory) as database:
        sync(database, read_directory(memory), find_counter=lambda: count)
        config = Config(memory_id="0" * 8)
        before = recall(database, read_directory(memory), config, Request("令牌轮换"))
        add_node(memory, "S", "令牌轮换 line", time="2026-01-01T00:00:00Z", hit_words=("令牌轮换",))
        sync(database, read_directory(memory))
        after = recall(database, read_directory(memory), config, Request("令牌轮换"))
        brief = recall(database, read_directory(memory), config, Request("令牌轮换", brief=True))

    assert (before.exact, after.exact, brief.exact) == (True, False, True)
    assert "S1 | " in after.router_text
    assert (brief.router_text, brief.recall_tokens) == ("", before.recall_tokens)


def test_behind_an_estimate_stands_a_cap_in_bytes(tmp_path: Path, count: Count) -> None:
    layout = Layout(str(tmp_path / "memory"))
    create_memory(layout, "Marks")
    draft = Draft(
        title="Rule 横线", hit_words=["rule", "横线"], conclusion=["＝" * 290 + "=" * 210] * 3, source=Source("cli")
    )
    chunk_id = remember(layout, draft, now=1_790_000_000).id
    config = Config(memory_id="0" * 8)
    size = len(render_snippet(read_chunk(layout, chunk_id)).encode())
    assert size > BYTES_PER_TOKEN * config.recall_budget
    with open_database(layout) as database:
        directory = read_directory(layout)
        sync(database, directory)
        refused = recall(database, directory, config, Request("rule 横线"))
        sync(database, directory, find_counter=lambda: count)
        shown = recall(database, directory, config, Request("rule 横线"))

    assert (refused.recall_text, [one.id for one in refused.deferred]) == ("", [chunk_id])
    assert "3000 bytes" in refused.deferred[0].reason
    assert [one.id for one in shown.selected] == [chunk_id]
    assert shown.recall_tokens == count(shown.recall_text) <= 600
