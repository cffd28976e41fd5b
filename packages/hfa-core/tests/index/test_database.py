"""The index file where it is missing, garbage, of another version, or cannot be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hfa_core.errors import StorageError
from hfa_core.fs.layout import Layout
from hfa_core.index.analyzer import analyze_query
from hfa_core.index.database import SCHEMA_VERSION, Database, open_database
from hfa_core.index.lookup import list_ids
from hfa_core.index.rebuild import rebuild
from hfa_core.index.search import search
from hfa_core.index.sync import sync
from hfa_core.store.directory import read_directory

NOBODY = 65534

BECOME_READER = f"""
import json, os, sys
from hfa_core.capture.remember import remember
from hfa_core.errors import HfaError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.lookup import list_ids
from hfa_core.index.sync import sync
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft, Source
from hfa_core.store.directory import read_directory
memory = Layout(sys.argv[1])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
"""
"""Imports come first: the interpreter may stand where only root can read."""


def spoil(path: Path, kind: str) -> None:
    data = path.read_bytes()
    if kind == "garbage":
        path.write_bytes(b"not a database, at all " * 500)
    elif kind == "truncated":
        path.write_bytes(data[: len(data) // 2 // 4096 * 4096])
    elif kind == "header only":
        path.write_bytes(data[:100])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "pages overwritten":
        path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
    else:
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()


KINDS = ["garbage", "truncated", "header only", "empty", "pages overwritten", "another version"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_index_is_set_aside_and_built_anew(
    memory: Layout, add: Callable[..., str], resync: Callable[[], Database], kind: str
) -> None:
    ids = [add("令牌轮换"), add("Use SQLite")]
    spoil(Path(memory.database), kind)

    with resync() as database:
        assert list_ids(database) == ids
        assert database.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert os.path.exists(memory.database + ".damaged") is (kind != "empty")


@pytest.mark.parametrize("kind", KINDS)
def test_rebuilding_mends_a_damaged_index(memory: Layout, add: Callable[..., str], kind: str) -> None:
    add("令牌轮换")
    add("Use SQLite")
    spoil(Path(memory.database), kind)

    assert rebuild(memory) == (2, [])


def test_damage_that_only_a_search_meets_is_mended_by_the_next_call(
    memory: Layout, add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    chunk_id = add("令牌轮换 rotation")
    with resync() as database:
        database.connection.execute("UPDATE chunks_fts_data SET block = x'ffffffffffff' WHERE id > 10")
        with pytest.raises(StorageError, match="next call builds it anew"):
            search(database, analyze_query("令牌轮换 rotation"))
    with resync() as database:
        assert [candidate.id for candidate in search(database, analyze_query("令牌轮换")).candidates] == [chunk_id]


def test_a_deleted_index_is_built_anew(memory: Layout, add: Callable[..., str], resync: Callable[[], Database]) -> None:
    ids = [add("令牌轮换"), add("Use SQLite")]
    shutil.rmtree(memory.index)

    with resync() as database:
        assert list_ids(database) == ids


def test_the_index_has_its_version_and_a_write_ahead_log(index: Database) -> None:
    assert index.connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert index.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert index.writable


def test_a_lock_held_by_another_connection_is_an_error_that_leaves_both_sound(
    memory: Layout, index: Database, add: Callable[..., str]
) -> None:
    chunk_id = add("令牌轮换")
    Path(memory.chunk(chunk_id)).touch()
    with open_database(memory, timeout_s=0) as other:
        index.begin()
        with pytest.raises(StorageError, match="locked"):
            sync(other, read_directory(memory))
        index.commit()
        assert sync(other, read_directory(memory)).complete
        assert list_ids(other) == [chunk_id]


def test_a_transaction_rolled_back_leaves_no_trace(index: Database) -> None:
    index.begin()
    index.set_meta(colour="蓝")
    index.roll_back()
    index.roll_back()

    assert index.get_meta("colour") is None


def test_where_something_else_stands_in_the_place_of_the_index_it_is_built_in_memory(
    memory: Layout, add: Callable[..., str]
) -> None:
    chunk_id = add("令牌轮换 rotation")
    shutil.rmtree(memory.index)
    os.makedirs(memory.database)

    with open_database(memory) as database:
        sync(database, read_directory(memory))

        assert list_ids(database) == [chunk_id]


@pytest.fixture
def readable() -> Iterator[Path]:
    """A folder that any user may enter; those of pytest are for the owner only."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def as_reader(script: str, memory: Layout) -> str:
    """What a script prints, run by a user who may read the memory and write nothing in it."""
    for path in [Path(memory.root), *Path(memory.root).rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    command = [sys.executable, "-c", BECOME_READER + script, memory.root]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd="/")
    for path in [Path(memory.root), *Path(memory.root).rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def shelved(readable: Path, memory: Layout, add: Callable[..., str]) -> Layout:
    """A memory with two records where another user can read it."""
    add("令牌轮换")
    add("Use SQLite")
    shutil.copytree(memory.root, readable / "memory")
    return Layout(str(readable / "memory"))


READ = """
with open_database(memory) as database:
    report = sync(database, read_directory(memory))
    print(database.writable, len(list_ids(database)), report.complete)
"""

posix_only = pytest.mark.skipif(os.name != "posix", reason="another user and permission bits of POSIX")


@posix_only
def test_a_read_only_index_answers_and_says_whether_it_is_current(shelved: Layout) -> None:
    with open_database(shelved) as database:
        sync(database, read_directory(shelved))
    os.utime(shelved.chunks, ns=(10**18, 10**18))
    with open_database(shelved) as database:
        sync(database, read_directory(shelved))
    assert as_reader(READ, shelved) == "False 2 True\n"

    (Path(shelved.chunks) / "chunk_0003-abcdef.json").write_bytes(b"")
    assert as_reader(READ, shelved) == "False 2 False\n"


@posix_only
@pytest.mark.parametrize("kind", [*KINDS, "missing"])
def test_where_no_index_can_be_made_one_in_memory_takes_its_place(shelved: Layout, kind: str) -> None:
    if kind == "missing":
        shutil.rmtree(shelved.index)
    else:
        spoil(Path(shelved.database), kind)
    before = sorted(os.listdir(shelved.root))

    output = as_reader(READ, shelved)

    assert output == "True 2 True\n"
    assert sorted(os.listdir(shelved.root)) == before


WRITE = """
try:
    remember(memory, Draft(title="t", hit_words=["w"], conclusion=["c"], source=Source("cli")), now=1.0)
except HfaError as error:
    print(type(error).__name__)
"""


@posix_only
def test_a_memory_that_cannot_be_written_refuses_a_record_by_name(shelved: Layout) -> None:
    assert as_reader(WRITE, shelved) == "StorageError\n"
    assert len(os.listdir(shelved.chunks)) == 2


@posix_only
def test_verifying_a_read_only_memory_finds_nothing_wrong(shelved: Layout) -> None:
    assert as_reader("print(verify_memory(memory))", shelved) == "[]\n"
