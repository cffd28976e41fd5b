"""The generated page of an epoch: what it lists, and that it is written only when it changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from hfa_core.fs.layout import Layout
from hfa_core.store.chunks import read_chunk
from hfa_core.store.views import GENERATED, render_summaries, write_summaries


def test_the_page_lists_the_records_in_order_with_their_state(memory: Layout, add: Callable[..., str]) -> None:
    old = add("令牌每小时轮换")
    new = add("Tokens rotate daily", supersedes=(old,), hit_words=("token", "令牌"))

    page = render_summaries(1, [read_chunk(memory, old), read_chunk(memory, new)], {old: new})

    lines = page.splitlines()
    assert lines[:3] == ["# Epoch 1", "", GENERATED]
    assert [line for line in lines if line.startswith("## ")] == [
        "## Topic#01 令牌每小时轮换",
        "## Topic#02 Tokens rotate daily",
    ]
    assert f"`{old}` decision, M1, superseded by {new}; hit words: 令牌每小时轮换" in lines
    assert f"`{new}` decision, M1, current; hit words: token, 令牌" in lines


def test_a_page_is_written_only_when_it_changes(memory: Layout) -> None:
    path = Path(memory.summaries(7))

    assert write_summaries(memory, 7, "# 第七\n")
    os.utime(path, ns=(10**18, 10**18))
    assert not write_summaries(memory, 7, "# 第七\n")
    assert path.stat().st_mtime_ns == 10**18

    path.write_bytes(b"\xff broken")
    assert write_summaries(memory, 7, "# 第七\n")
    assert path.read_text(encoding="utf-8") == "# 第七\n"
