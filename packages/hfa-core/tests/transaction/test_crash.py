"""Every operation stopped before each of its effects: the memory is as before or as after, and nothing is left over."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.atomic import TEMPORARY_PREFIX
from hfa_core.fs.layout import Layout
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft, Source
from hfa_core.store.nodes import activate_node, add_node, rename_node, tombstone_node
from hfa_core.transaction.commit import commit_files
from hfa_core.transaction.opening import ensure_recovered
from hfa_core.transaction.recover import writing

NOW = 1_790_000_000.0
TIME = "2026-01-01T00:00:00Z"
DOCS = Path(__file__).resolve().parents[4] / "docs" / "explanation" / "transactions.md"
JOURNAL = ".hfa-transaction.json"


class Crash(BaseException):
    """The process is gone: no handler of the code under test may go on."""


class Left(NamedTuple):
    """What was seen after a crash: the effect that did not happen, whether it was decided, and what lay about."""

    kind: str
    where: str
    decided: bool
    temporary: int
    journal: bool


def draft(title: str, *, supersedes: tuple[str, ...] = ()) -> Draft:
    lines = (f"{title}, as agreed.",)
    return Draft(title=title, hit_words=("令牌",), conclusion=lines, source=Source("cli"), supersedes=supersedes)


def supersede(memory: Layout) -> None:
    remember(memory, draft("Newer", supersedes=("chunk_0001",)), now=NOW)


OPERATIONS: dict[str, Callable[[Layout], object]] = {
    "add": lambda memory: remember(memory, draft("Added"), now=NOW),
    "supersede": supersede,
    "add with the milestone log": lambda memory: remember(memory, draft("Added"), now=NOW),
    "epoch roll": lambda memory: remember(memory, draft("Rolled"), now=NOW),
    "node add": lambda memory: add_node(memory, "S", "Mobile 客户端", time=TIME),
    "node activate": lambda memory: activate_node(memory, "M2", time=TIME),
    "node activate without a page": lambda memory: activate_node(memory, "M3", time=TIME),
    "node rename": lambda memory: rename_node(memory, "M2", "Renamed", time=TIME),
    "node rename with the milestone log": lambda memory: rename_node(memory, "M2", "Renamed", time=TIME),
    "tombstone": lambda memory: tombstone_node(memory, "S1", "given up", time=TIME),
}


@pytest.fixture
def prepared(memory: Layout) -> Layout:
    """Two records, side and main lines, and a limit that the operation `epoch roll` meets."""
    for title in ("First", "Second"):
        remember(memory, draft(title), now=NOW)
    add_node(memory, "S", "Side line", time=TIME)
    for title in ("Main line", "Another"):
        add_node(memory, "M", title, time=TIME)
    Path(memory.root, "main", "M3.md").unlink()
    return memory


def prepare(memory: Layout, operation: str) -> None:
    settings: dict[str, object] = {"topics_per_epoch": 2} if operation == "epoch roll" else {}
    if operation.endswith("milestone log"):
        settings = {"stream": True}
    content = json.loads(Path(memory.config).read_bytes())
    Path(memory.config).write_text(json.dumps({**content, **settings}), encoding="utf-8")


def copy_of(memory: Layout, place: Path) -> Layout:
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(memory.workspace, place, ignore=shutil.ignore_patterns(".git"))
    return Layout(str(place / "memory"))


def files_of(memory: Layout) -> dict[str, bytes]:
    """Every file of truth; no lock, journal, temporary or derived file."""
    found = {path.relative_to(memory.root).as_posix(): path for path in Path(memory.root).rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in sorted(found.items())
        if not name.startswith(("index/", ".hfa")) and TEMPORARY_PREFIX not in name
    }


def temporary_files(memory: Layout) -> list[Path]:
    return list(Path(memory.root).rglob(TEMPORARY_PREFIX + "*"))


def run_until(
    memory: Layout, run: Callable[[Layout], object], stop: int | None, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[str, str]]:
    """Run an operation as a process that dies before effect `stop`; the effects that it came to see."""
    seen: list[tuple[str, str]] = []

    def effect(kind: str, path: str) -> None:
        if stop is not None and len(seen) > stop:
            raise Crash
        name = os.path.relpath(path, memory.root).replace(os.sep, "/")
        folder, slash, last = name.rpartition("/")
        if last.startswith(TEMPORARY_PREFIX):
            name = f"{folder}{slash}*"
        seen.append((kind, re.sub(r"chunk_\d+-\w+", "ID", name)))
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
