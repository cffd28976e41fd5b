"""An index that cannot grow: what was decided is stored all the same, and is recalled."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import StorageError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.pages import rebuild_derived
from hfa_core.index.sync import sync, sync_to_read
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft
from hfa_core.recall.recall import Request, recall
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory

NOW = 1_790_000_000.0
LONG = tuple(" ".join(f"word{line}x{number}" for number in range(18)) for line in range(3))


@contextmanager
def full_disk() -> Generator[None, None, None]:
    """No file of SQLite gets another page, as on a full disk; an index in memory has room."""

    # Options are passed through as they come.
    open_file: Callable[..., sqlite3.Connection] = sqlite3.connect

    def connect(path: str, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = open_file(path, **options)
        if path != ":memory:":
            # SQLite takes the number of pages that there are for a lower limit.
            connection.execute("PRAGMA max_page_count = 1")
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hfa_core.index.database.connect", connect)
        yield


def recalled(memory: Layout, prompt: str, limit_s: float | None = None) -> list[str]:
    directory = read_directory(memory)
    with open_database(memory) as database:
        sync_to_read(database, directory, limit_s=limit_s)
        return [item.id for item in recall(database, directory, read_config(memory), Request(prompt)).selected]


def test_a_record_is_stored_and_recalled_though_the_index_has_no_room(
    memory: Layout, add: Callable[..., str], draft: Callable[..., Draft]
) -> None:
    old = add("刷新令牌每 24 小时轮换", hit_words=("刷新令牌",))

    with full_disk():
        new = [
            remember(memory, draft(f"Deploy {number}", conclusion=LONG, hit_words=(f"golive{number}",)), now=NOW).id
            for number in range(8)
        ]
        with open_database(memory) as database, pytest.raises(StorageError, match="full"):
            sync(database, read_directory(memory))
        assert len({*new, old}) == 9
        assert recalled(memory, "golive7") == [new[7]]
        assert recalled(memory, "刷新令牌怎么轮换") == [old]
        assert recalled(memory, "刷新令牌怎么轮换", limit_s=1.0) == [old], "a hook answers with what the index had"
        assert verify_memory(memory) == []

    assert recalled(memory, "golive7") == [new[7]]
    assert verify_memory(memory) == []


def test_an_index_that_cannot_be_made_at_all_loses_nothing(memory: Layout, draft: Callable[..., Draft]) -> None:
    golive = draft("Golive on Friday", hit_words=("golive",))

    with full_disk():
        one = remember(memory, golive, now=NOW)
        assert recalled(memory, "golive") == [one.id]
        assert remember(memory, golive, now=NOW).duplicate


def test_a_rebuild_without_room_is_an_error_and_the_next_one_succeeds(
    memory: Layout, add: Callable[..., str], draft: Callable[..., Draft]
) -> None:
    old = add("First", hit_words=("golive",))
    with full_disk():
        for number in range(8):
            remember(memory, draft(f"Deploy {number}", conclusion=LONG), now=NOW)
        with pytest.raises(StorageError, match="full"):
            rebuild_derived(memory)
        assert recalled(memory, "golive") == [old]

    assert rebuild_derived(memory)[0] == 9
    assert verify_memory(memory) == []


LIMITED = """
import resource, sys
from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft, Source
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
draft = Draft(title="Golive 上线", hit_words=["golive"], conclusion=["On Fridays."], source=Source("cli"))
print(remember(Layout(sys.argv[1]), draft, now=1.79e9).id)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_process_that_may_write_small_files_only_stores_its_record(memory: Layout, add: Callable[..., str]) -> None:
    add("First")

    done = subprocess.run([sys.executable, "-c", LIMITED, memory.root], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert recalled(memory, "golive") == [done.stdout.strip()]
    assert verify_memory(memory) == []
