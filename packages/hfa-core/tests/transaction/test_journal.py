"""The journal: one that is damaged blocks and changes nothing; what a dead writer left goes with the next write."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import JournalError, LockTimeoutError, StorageError
from hfa_core.fs.atomic import TEMPORARY_PREFIX
from hfa_core.fs.layout import Layout
from hfa_core.index.verify import verify_memory
from hfa_core.light.sha256 import sha256_hex
from hfa_core.model import Draft
from hfa_core.transaction.commit import commit_files
from hfa_core.transaction.journal import Journal, Step, render_journal
from hfa_core.transaction.opening import ensure_recovered
from hfa_core.transaction.recover import writing

NEW = b"# New page\n"


def snapshot(memory: Layout) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in sorted(Path(memory.root).rglob("*"))
        if path.is_file() and path.parent.name != "index"
    }


def leave_journal(memory: Layout, path: str = "main/M1.md", staged: str = "", *, data: bytes | None = NEW) -> Path:
    """A journal with one step, as a crash after its commit point leaves it; gives the journal's path."""
    folder = path[: path.rfind("/") + 1]
    name = staged or f"{folder}{TEMPORARY_PREFIX}1-staged"
    if data is not None:
        Path(memory.root, name).write_bytes(data)
    journal = Path(memory.journal)
    journal.write_bytes(render_journal(Journal("test", (Step(path, name, sha256_hex(NEW)),))))
    return journal


def test_an_undamaged_journal_is_finished_first(memory: Layout) -> None:
    leave_journal(memory)

    assert ensure_recovered(memory)

    assert Path(memory.root, "main", "M1.md").read_bytes() == NEW
    assert not os.path.exists(memory.journal)
    assert verify_memory(memory) == []


def truncate(memory: Layout) -> None:
    journal = leave_journal(memory)
    journal.write_bytes(journal.read_bytes()[:-30])


def spoil(memory: Layout) -> None:
    journal = leave_journal(memory)
    journal.write_bytes(journal.read_bytes().replace(b"M1.md", b"M2.md"))


def empty(memory: Layout) -> None:
    Path(memory.journal).write_bytes(b"")


def from_a_newer_version(memory: Layout) -> None:
    Path(memory.journal).write_text('{"format": "hfa-transaction/2"}', encoding="utf-8")


def link_outside(memory: Layout) -> None:
    outside = Path(memory.workspace, "outside")
    outside.mkdir()
    Path(memory.root, "link").symlink_to(outside)
    leave_journal(memory, "link/file.md")


DAMAGES: list[Callable[[Layout], object]] = [
    truncate,
    spoil,
    empty,
    from_a_newer_version,
    link_outside,
    lambda memory: leave_journal(memory, "../outside.md"),
    lambda memory: leave_journal(memory, "/outside.md", data=None),
    lambda memory: leave_journal(memory, "main/../M1.md", data=None),
    lambda memory: leave_journal(memory, "main\\M1.md", data=None),
    lambda memory: leave_journal(memory, "C:/M1.md", "C:/.hfa-tmp-1", data=None),
    lambda memory: leave_journal(memory, "main/M1.md", "config.json", data=None),
    lambda memory: leave_journal(memory, "main/M1.md", "branches/.hfa-tmp-1"),
    lambda memory: leave_journal(memory, data=None),
    lambda memory: leave_journal(memory, data=b"half of the b"),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_journal_blocks_with_instructions_and_nothing_is_changed(
    memory: Layout, draft: Callable[..., Draft], damage: Callable[[Layout], object]
) -> None:
    damage(memory)
    before = snapshot(memory)

    for attempt in (
        lambda: ensure_recovered(memory),
        lambda: remember(memory, draft("令牌轮换"), now=1_790_000_000),
    ):
        with pytest.raises(JournalError, match="keep a copy of the file"):
            attempt()

    assert snapshot(memory) == before
    assert {problem.code for problem in verify_memory(memory)} <= {"journal_open", "journal_damaged", "link_leaves"}
    assert verify_memory(memory)


def test_an_operation_that_is_refused_while_staging_changes_nothing(memory: Layout) -> None:
    Path(memory.root, "blocked").write_bytes(b"a file where a folder would be")
    before = snapshot(memory)

    with writing(memory), pytest.raises(StorageError):
        commit_files(memory, "test", {memory.directory: NEW, os.path.join(memory.root, "blocked", "file"): NEW})

    assert snapshot(memory).keys() - before.keys() == set()
    assert Path(memory.directory).read_bytes() == before[memory.directory]


def test_a_file_that_is_a_link_inside_the_memory_stays_a_link_and_one_that_leaves_it_is_refused(memory: Layout) -> None:
    inside, outside = Path(memory.root, "linked.md"), Path(memory.root, "leaving.md")
    inside.symlink_to(Path(memory.root, "main", "M1.md"))
    outside.symlink_to(Path(memory.workspace, "README.md"))

    with writing(memory):
        commit_files(memory, "test", {str(inside): NEW, memory.tombstones: b"{}\n"})
        with pytest.raises(StorageError):
            commit_files(memory, "test", {str(outside): NEW, memory.tombstones: b""})

    assert inside.is_symlink()
    assert Path(memory.root, "main", "M1.md").read_bytes() == NEW
    assert Path(memory.tombstones).read_bytes() == b"{}\n"


KILLED = """
import os, sys
from hfa_core.fs.layout import Layout
from hfa_core.transaction.recover import writing
with writing(Layout(sys.argv[1])):
    open(os.path.join(sys.argv[1], "chunks", ".hfa-tmp-dead"), "w").close()
    print("at work", flush=True)
    sys.stdin.read()
    os.kill(os.getpid(), 9)
"""


def test_files_of_a_killed_writer_go_with_the_next_write_and_those_of_a_living_one_stay(
    memory: Layout, draft: Callable[..., Draft]
) -> None:
    leftover = Path(memory.chunks, ".hfa-tmp-dead")
    command = [sys.executable, "-c", KILLED, memory.root]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"at work\n"
        with pytest.raises(LockTimeoutError):
            remember(memory, draft("令牌轮换"), now=1_790_000_000, lock_timeout_s=0)
        assert leftover.exists()

    assert leftover.exists()
    remember(memory, draft("令牌轮换"), now=1_790_000_000)
    assert not leftover.exists()


def test_a_write_after_an_orderly_one_looks_for_no_leftovers(memory: Layout, add: Callable[..., str]) -> None:
    add("First")
    planted = Path(memory.chunks, ".hfa-tmp-planted")
    planted.touch()

    add("Second")

    assert planted.exists(), "the cost of a write must not grow with the memory"
