"""The registry of format steps: from which format to which, what happens, and the pure function that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hfa_core.model import MEMORY_FORMAT
from hfa_core.upgrade.seed import SEED_FORMAT, convert_seed

Files: TypeAlias = Mapping[str, bytes]
"""Files of a memory: paths relative to it, with forward slashes, to bytes."""


@dataclass(frozen=True, slots=True)
class Step:
    """
    One step from a format to the next.

    Attributes:
        before, after: The format keys.
        text: What it does, in a sentence.
        convert: From all files of a memory to those that change or are added. It is pure, it never takes a file away,
            and it raises UpgradeError where a file cannot be understood.
    """

    before: str
    after: str
    text: str
    convert: Callable[[Files], dict[str, bytes]]


STEPS: tuple[Step, ...] = (
    Step(
        SEED_FORMAT,
        "hfa-memory/1",
        "names the format, and gives every record all fields and a digest; ids stay as they are",
        convert_seed,
    ),
)
"""In order; a new format adds a step at the end, and the steps before it never change again."""


def plan_steps(found: str, *, steps: Sequence[Step] = STEPS, wanted: str = MEMORY_FORMAT) -> list[Step]:
    """
    The steps from a format to another, in order; none if it is there.

    Raises:
        LookupError: No steps lead there.
    """
    path: list[Step] = []
    while found != wanted:
        step = next((step for step in steps if step.before == found), None)
        if step is None:
            raise LookupError(found)
        path.append(step)
        found = step.after
    return path


def convert_files(files: Files, steps: Sequence[Step]) -> dict[str, bytes]:
    """The files that a chain of steps changes or adds, with their bytes after the last one. Raises UpgradeError."""
    now = dict(files)
    for step in steps:
        now |= step.convert(now)
    return {path: data for path, data in now.items() if files.get(path) != data}
