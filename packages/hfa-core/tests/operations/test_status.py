"""What status says of a memory in a bad state stays short enough for an agent to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hfa_core.fs.layout import Layout
from hfa_core.light.json_codec import as_texts
from hfa_core.operations.status import MAXIMUM_PROBLEMS, read_status
from hfa_core.settings import Environment


def test_of_many_problems_the_first_are_told_and_the_others_counted(
    memory: Layout, environment: Environment, add: Callable[..., str]
) -> None:
    for number in range(MAXIMUM_PROBLEMS):
        add(f"Decision number {number} 决定")
    damaged = sorted(Path(memory.chunks).iterdir())
    for path in damaged[1:]:
        path.write_text("{ broken", encoding="utf-8")
    assert len(as_texts(read_status(memory, environment)["problems"])) == MAXIMUM_PROBLEMS - 1
    for number in range(100, 132):
        Path(memory.chunk(f"chunk_{number:04}-0a0b0c")).write_text("{ broken", encoding="utf-8")

    *told, rest = as_texts(read_status(memory, environment)["problems"])

    assert len(told) == MAXIMUM_PROBLEMS
    assert all(any(path.stem in problem for path in damaged) for problem in told[: MAXIMUM_PROBLEMS - 1])
    assert rest == "31 more; `hfa verify` lists all"
