"""The system refuses each effect, once or from then on: a clear error, before or after, and nothing left over."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import StorageError, UnfinishedError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.pages import rebuild_derived, refresh_all_views
from hfa_core.index.sync import sync_to_read
from hfa_core.index.verify import verify_memory
from hfa_core.recall.recall import Request, recall
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.transaction.opening import ensure_recovered
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
)  # fmt: skip

REFUSALS = {
    "create": errno.EACCES,
    "write": errno.ENOSPC,
    "fsync": errno.EIO,
    "rename": errno.EACCES,
    "sync": errno.EIO,
    "unlink": errno.EROFS,
    "folder": errno.EROFS,
    "append": errno.ENOSPC,
    "mode": errno.EPERM,
}
"""What the system says to each kind of effect when it refuses it."""


class Fault(NamedTuple):
    """What was seen of a fault: the effect at which it began, the error, what lay about, and what was decided."""

    kind: str
    error: str
    exit_code: int
    temporary: int
    journal: bool
    decided: bool


def run_with_fault(
    memory: Layout,
    run: Callable[[Layout], object],
    begin: int | None,
    lasting: bool,
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: Callable[[], None] = lambda: None,
) -> tuple[StorageError | None, list[tuple[str, str]]]:
    """Run an operation on a disk that refuses effect `begin`; the error and the effects. `meanwhile` sees the fault."""
    seen: list[tuple[str, str]] = []

    def effect(kind: str, path: str) -> None:
        seen.append((kind, name_effect(memory, path)))
        number = len(seen) - 1
        if begin is not None and (number == begin or (lasting and number > begin)):
            raise OSError(REFUSALS[kind], os.strerror(REFUSALS[kind]), path)

    with monkeypatch.context() as patch:
        patch.setattr("hfa_core.fs.atomic._effect", effect)
        try:
            run(memory)
        except StorageError as error:
            meanwhile()
            return error, seen
    return None, seen


def recalled(memory: Layout) -> list[str]:
    """The titles that a prompt for an old record finds, as a command asks for them."""
    directory = read_directory(memory)
    with open_database(memory) as database:
        sync_to_read(database, directory)
        answer = recall(database, directory, read_config(memory), Request("Second 令牌", unlock="test"))
    return [item.id for item in answer.selected]


def fail_everywhere(
    prepared: Layout, run: Callable[[Layout], object], place: Path, monkeypatch: pytest.MonkeyPatch, *, lasting: bool
) -> list[Fault]:
    """Let each effect fail, check what the promise says of any fault, and give what was seen."""
    before = files_of(prepared)
    old = recalled(prepared)
    assert old
    whole = copy_of(prepared, place)
    _, effects = run_with_fault(whole, run, None, lasting, monkeypatch)
    after = files_of(whole)
    found: list[Fault] = []
    for begin, (kind, where) in enumerate(effects):
        memory = copy_of(prepared, place)

        def still_recalls(memory: Layout = memory) -> None:
            if not os.path.exists(memory.journal):
                assert recalled(memory) == old

        error, _ = run_with_fault(memory, run, begin, lasting, monkeypatch, still_recalls)

        temporary, journal = len(temporary_files(memory)), os.path.exists(memory.journal)
        if error is None:
            # A folder that cannot be synced is no failure: what was renamed is there.
            assert kind == "sync"
        else:
            assert error.path.startswith(memory.root)
            assert error.path in str(error)
            assert error.reason in str(error)
            assert "Errno" not in str(error)
        assert lasting or temporary == 0 or isinstance(error, UnfinishedError)
        assert ensure_recovered(memory) is journal
        state = files_of(memory)
        undone = error is not None and not isinstance(error, UnfinishedError)
        assert state == (before if undone else after), (begin, kind, where)
        assert recalled(memory)
        if undone:
            run(memory)
            assert files_of(memory) == after, "a retry succeeds"
        remember(memory, draft("The next write"), now=NOW)
        assert temporary_files(memory) == []
        assert verify_memory(memory) == []
        name, code = (type(error).__name__, error.exit_code) if error else ("success", 0)
        found.append(Fault(kind, name, code, temporary, journal, not undone))
    return found


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("operation", list(OPERATIONS))
def test_a_fault_at_any_effect_leaves_the_memory_before_or_after_and_a_retry_succeeds(
    prepared: Layout, operation: str, lasting: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(prepared, operation)

    found = fail_everywhere(prepared, OPERATIONS[operation], tmp_path / "copy", monkeypatch, lasting=lasting)

    assert {fault.error for fault in found} >= {"StorageError", "success"}
    assert any(fault.error == "UnfinishedError" for fault in found) is any(fault.journal for fault in found)


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("operation", ["epoch roll", "node add", "tombstone"])
def test_a_fault_in_recovery_leaves_the_operation_for_the_next_one(
    prepared: Layout, operation: str, lasting: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(prepared, operation)
    run = OPERATIONS[operation]
    whole = copy_of(prepared, tmp_path / "copy")
    _, effects = run_with_fault(whole, run, None, False, monkeypatch)
    after = files_of(whole)
    undone = copy_of(prepared, tmp_path / "undone")
    error, _ = run_with_fault(undone, run, effects.index(("rename", JOURNAL)) + 1, True, monkeypatch)
    assert isinstance(error, UnfinishedError)
    _, steps = run_with_fault(copy_of(undone, tmp_path / "copy"), ensure_recovered, None, False, monkeypatch)
    assert ("unlink", JOURNAL) in steps

    for begin, (kind, where) in enumerate(steps):
        memory = copy_of(undone, tmp_path / "copy")
        error, _ = run_with_fault(memory, ensure_recovered, begin, lasting, monkeypatch)
        assert (error is None) is (kind == "sync" and (not lasting or begin == len(steps) - 1)), (begin, kind, where)
        assert error is None or isinstance(error, UnfinishedError)
        ensure_recovered(memory)
        assert files_of(memory) == after
        assert not ensure_recovered(memory)
        remember(memory, draft("The next write"), now=NOW)
        assert temporary_files(memory) == []
        assert verify_memory(memory) == []


@pytest.mark.slow
@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("write", [refresh_all_views, rebuild_derived])
def test_a_fault_while_pages_and_views_are_written_touches_no_record_and_the_next_run_writes_them(
    prepared: Layout,
    write: Callable[[Layout], object],
    lasting: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = recalled(prepared)
    truth = {name: data for name, data in files_of(prepared).items() if not name.startswith("history/")}
    whole = copy_of(prepared, tmp_path / "copy")
    _, effects = run_with_fault(whole, write, None, False, monkeypatch)
    after = {path.name: path.read_bytes() for path in Path(whole.index).glob("*.json")}, files_of(whole)
    assert len(after[0]) == 3

    for begin, (kind, where) in enumerate(effects):
        memory = copy_of(prepared, tmp_path / "copy")
        error, _ = run_with_fault(memory, write, begin, lasting, monkeypatch)
        assert error is not None or kind == "sync", (begin, kind, where)
        assert truth.items() <= files_of(memory).items()
        assert recalled(memory) == old
        write(memory)
        assert ({path.name: path.read_bytes() for path in Path(memory.index).glob("*.json")}, files_of(memory)) == after
        assert temporary_files(memory) == []
        assert verify_memory(memory) == []


def describe(operation: str, found: list[Fault]) -> list[str]:
    """The rows of the docs: effects one after the other at which a fault that lasts has the same outcome."""
    rows: list[str] = []
    start = 0
    for end in range(1, len(found) + 1):
        outcome = [(one.error, one.exit_code, one.journal, one.decided) for one in found[start : end + 1]]
        if end < len(found) and outcome[0] == outcome[-1]:
            continue
        group = found[start:end]
        first = group[0]
        kinds = ", ".join(dict.fromkeys(one.kind for one in group))
        shown = f"`{first.error}`, {first.exit_code}" if first.exit_code else "success, 0"
        rows.append(
            f"| {operation} | {f'{start + 1}-' if end > start + 1 else ''}{end} | {kinds} | {shown} |"
            f" {max(one.temporary for one in group)} | {'yes' if first.journal else 'no'} |"
            f" {'after' if first.decided else 'before'} |"
        )
        start = end
    return rows


@pytest.mark.slow
def test_the_fault_table_in_the_docs_is_what_the_faults_left(
    prepared: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[str] = []
    for operation, run in OPERATIONS.items():
        memory = copy_of(prepared, tmp_path / "start")
        prepare(memory, operation)
        rows += describe(operation, fail_everywhere(memory, run, tmp_path / "copy", monkeypatch, lasting=True))

    section = DOCS.read_text(encoding="utf-8").partition("## What a fault leaves\n")[2].partition("\n## ")[0]
    assert [line for line in section.splitlines() if re.match(r"\| [a-z ]+ \| \d", line)] == rows, "\n".join(rows)
