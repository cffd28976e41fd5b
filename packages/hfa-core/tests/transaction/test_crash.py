"""Every operation stopped before each of its effects: the memory is as before or as after, and nothing is left over."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index.verify import verify_memory
from hfa_core.transaction.commit import commit_files
from hfa_core.transaction.opening import ensure_recovered
from hfa_core.transaction.recover import writing
from tests.operations import (
    DOCS,
    JOURNAL,
    NOW,
    OPERATIONS,
    copy_of,
    draft,
    files_of,
    name_effect,
    prepare,
    temporary_files,
)


class Crash(BaseException):
    """The process is gone: no handler of the code under test may go on."""


class Left(NamedTuple):
    """What was seen after a crash: the effect that did not happen, whether it was decided, and what lay about."""

    kind: str
    where: str
    decided: bool
    temporary: int
    journal: bool


def run_until(
    memory: Layout, run: Callable[[Layout], object], stop: int | None, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[str, str]]:
    """Run an operation as a process that dies before effect `stop`; the effects that it came to see."""
    seen: list[tuple[str, str]] = []

    def effect(kind: str, path: str) -> None:
        if stop is not None and len(seen) > stop:
            raise Crash
        seen.append((kind, name_effect(memory, path)))
        if stop is not None and len(seen) > stop:
            raise Crash

    with monkeypatch.context() as patch:
        patch.setattr("hfa_core.fs.atomic._effect", effect)
        if stop is None:
            run(memory)
        else:
            with pytest.raises(Crash):
                run(memory)
    return seen


def crash_everywhere(
    prepared: Layout, run: Callable[[Layout], object], place: Path, monkeypatch: pytest.MonkeyPatch
) -> list[Left]:
    """Stop before each effect, check what the promise says of any crash, and give what was seen."""
    before = files_of(prepared)
    whole = copy_of(prepared, place)
    effects = run_until(whole, run, None, monkeypatch)
    after = files_of(whole)
    assert after != before
    found: list[Left] = []
    for stop, (kind, where) in enumerate(effects):
        memory = copy_of(prepared, place)
        run_until(memory, run, stop, monkeypatch)
        temporary, journal = len(temporary_files(memory)), os.path.exists(memory.journal)

        ensure_recovered(memory)

        state = files_of(memory)
        assert state in (before, after), (stop, kind, where)
        assert not ensure_recovered(memory)
        assert files_of(memory) == state
        assert verify_memory(memory) == []
        remember(memory, draft("The next write"), now=NOW)
        assert temporary_files(memory) == []
        assert verify_memory(memory) == []
        found.append(Left(kind, where, state == after, temporary, journal))
    return found


@pytest.mark.parametrize("operation", list(OPERATIONS))
def test_a_crash_before_any_effect_leaves_the_memory_before_or_after(
    prepared: Layout, operation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(prepared, operation)

    left = crash_everywhere(prepared, OPERATIONS[operation], tmp_path / "copy", monkeypatch)

    assert len(left) >= 5
    decided = [one.decided for one in left]
    assert decided == sorted(decided), "what is decided stays decided"
    decisive = left[decided.index(True) - 1]
    assert decisive.kind == "rename"


@pytest.mark.parametrize("operation", ["epoch roll", "node add", "tombstone"])
def test_recovery_may_itself_be_stopped_before_any_effect(
    prepared: Layout, operation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(prepared, operation)
    effects = run_until(copy_of(prepared, tmp_path / "copy"), OPERATIONS[operation], None, monkeypatch)
    after = files_of(Layout(str(tmp_path / "copy" / "memory")))
    undone = Layout(str(tmp_path / "undone" / "memory"))
    copy_of(prepared, tmp_path / "undone")
    run_until(undone, OPERATIONS[operation], effects.index(("rename", JOURNAL)) + 1, monkeypatch)
    assert os.path.exists(undone.journal)

    steps = run_until(copy_of(undone, tmp_path / "copy"), ensure_recovered, None, monkeypatch)

    assert ("unlink", JOURNAL) in steps
    for stop in range(len(steps)):
        memory = copy_of(undone, tmp_path / "copy")
        run_until(memory, ensure_recovered, stop, monkeypatch)
        ensure_recovered(memory)
        assert files_of(memory) == after, (stop, steps[stop])
        assert not ensure_recovered(memory)
        remember(memory, draft("The next write"), now=NOW)
        assert temporary_files(memory) == []
        assert verify_memory(memory) == []


@pytest.mark.parametrize("operation", ["add", "epoch roll"])
def test_the_table_in_the_docs_is_what_the_crashes_left(
    prepared: Layout, operation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(prepared, operation)

    left = crash_everywhere(prepared, OPERATIONS[operation], tmp_path / "copy", monkeypatch)

    rows = [
        f"| {number} | {one.kind} | `{one.where}` | {one.temporary} | {'yes' if one.journal else 'no'} |"
        f" {'after' if one.decided else 'before'} |"
        for number, one in enumerate(left, 1)
    ]
    section = DOCS.read_text(encoding="utf-8").partition(f"### {operation}\n")[2].partition("\n#")[0]
    assert [line for line in section.splitlines() if re.match(r"\| \d", line)] == rows, "\n".join(rows)


def test_a_file_that_has_its_new_bytes_already_leaves_no_staged_one(memory: Layout) -> None:
    page = Path(memory.root, "main", "M1.md")
    same, new = page.read_bytes(), "新的一页\n".encode()

    with writing(memory):
        commit_files(memory, "test", {str(page): same, str(page.with_name("M2.md")): new})

    assert temporary_files(memory) == []
    assert (page.read_bytes(), page.with_name("M2.md").read_bytes()) == (same, new)


def test_a_prompt_asks_the_disk_once_and_loads_no_recovery(memory: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def exists(path: str) -> bool:
        asked.append(path)
        return False

    with monkeypatch.context() as patch:
        patch.setattr("hfa_core.transaction.opening.os.path.exists", exists)
        assert not ensure_recovered(memory)

    assert asked == [memory.journal]
