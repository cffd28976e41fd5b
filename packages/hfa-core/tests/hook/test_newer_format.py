"""Hooks in a memory that a newer HFA made: prompts are answered, turns are not stored, and the log says why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from tests.payloads.claude_hook import ClaudeHook

BLOCK = "Done. 完成。\n```hfa-memory\ntitle: 重试 Retries\nhit words: backoff, 退避\nconclusion: 五次。 Five.\n```"


@pytest.fixture
def newer(memory: Layout, add: Callable[..., str]) -> Layout:
    add("令牌每天轮换 tokens rotate daily", hit_words=("令牌", "token rotation"))
    text = Path(memory.config).read_text("utf-8").replace('"hfa-memory/1"', '"hfa-memory/2", "colour": "蓝"')
    Path(memory.config).write_text(text, encoding="utf-8")
    return memory


@pytest.mark.parametrize("prompt", ["how does token rotation work", "令牌怎么轮换"])
def test_a_prompt_is_answered(claude: ClaudeHook, newer: Layout, prompt: str) -> None:
    assert "令牌每天轮换 tokens rotate daily" in claude.prompt(prompt).context


def test_a_turn_is_not_stored_and_doctor_shows_the_cause(
    claude: ClaudeHook, newer: Layout, failures: Callable[[], list[str]]
) -> None:
    before = sorted(path.name for path in Path(newer.chunks).iterdir())

    assert claude.stop(BLOCK).reply == {}

    assert sorted(path.name for path in Path(newer.chunks).iterdir()) == before
    (failure,) = failures()
    assert "'hfa-memory/2' is newer" in failure
    assert "install a newer HFA to write it" in failure
