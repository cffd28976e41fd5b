"""Verification: each fault is found, named by code and file, and a sound memory has none."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.index.database import Database, open_database
from hfa_core.index.sync import sync
from hfa_core.index.verify import verify_memory
from hfa_core.model import Chunk
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import read_directory
from hfa_core.store.schema import digest_of, parse_chunk, render_chunk


def settle(memory: Layout) -> None:
    """Bring the index into step with files as old as those of a checkout."""
    for path in [*Path(memory.chunks).iterdir(), Path(memory.chunks)]:
        os.utime(path, ns=(10**18, 10**18))
    with open_database(memory) as database:
        sync(database, read_directory(memory))


def write(memory: Layout, chunk: Chunk) -> None:
    """Write a record as if by hand, with a digest that fits."""
    from json import loads

    content: dict[str, object] = loads(render_chunk(chunk))
    chunk.digest = digest_of(content)
    data = render_chunk(chunk)
    parse_chunk(data, "")
    Path(memory.chunk(chunk.id)).write_bytes(data)


def codes(memory: Layout) -> list[str]:
    return [problem.code for problem in verify_memory(memory)]


@pytest.fixture
def ids(memory: Layout, add: Callable[..., str]) -> list[str]:
    old = add("令牌轮换")
    return [old, add("令牌每天轮换", supersedes=(old,)), add("Use SQLite")]


def test_a_sound_memory_has_no_fault(memory: Layout, ids: list[str]) -> None:
    assert verify_memory(memory) == []
    settle(memory)
    assert verify_memory(memory) == []


def test_verifying_changes_no_file_of_truth(memory: Layout, ids: list[str]) -> None:
    before = {path: path.read_bytes() for path in Path(memory.chunks).iterdir()}

    verify_memory(memory)

    assert {path: path.read_bytes() for path in Path(memory.chunks).iterdir()} == before


def test_every_flipped_bit_of_a_record_is_found(memory: Layout, ids: list[str]) -> None:
    path = Path(memory.chunk(ids[2]))
    sound = path.read_bytes()
    missed: list[int] = []
    for place in range(0, len(sound), 7):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1 << place % 8]) + sound[place + 1 :])
        if path.read_bytes().split() != sound.split() and not verify_memory(memory):
            missed.append(place)
    path.write_bytes(sound)

    assert [place for place in missed if sound[place : place + 1].strip()] == []


def test_a_damaged_record_is_named_with_the_step_that_mends_it(memory: Layout, ids: list[str]) -> None:
    path = memory.chunk(ids[2])
    Path(path).write_bytes(b"")

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.path, problem.text) == ("memory_damaged", path, "is empty")
    assert problem.fix == f"git checkout -- memory/chunks/{ids[2]}.json"


def test_a_record_of_a_newer_format_is_named(memory: Layout, ids: list[str]) -> None:
    Path(memory.chunk(ids[2])).write_text('{"format": "hfa-chunk/2"}', encoding="utf-8")

    assert codes(memory) == ["unsupported_format"]


def test_a_link_to_a_missing_record_is_found(memory: Layout, ids: list[str]) -> None:
    os.unlink(memory.chunk(ids[0]))

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.path) == ("link_broken", memory.chunk(ids[1]))
    assert ids[0] in problem.text


@pytest.mark.parametrize("by", [0, 1], ids=["itself", "its successor"])
def test_records_that_supersede_each_other_are_found(memory: Layout, ids: list[str], by: int) -> None:
    chunk = read_chunk(memory, ids[0])
    chunk.supersedes = (ids[by],)
    write(memory, chunk)

    problems = verify_memory(memory)

    assert {problem.code for problem in problems} == {"link_cycle"}
    assert {problem.path for problem in problems} == {memory.chunk(chunk_id) for chunk_id in ids[: by + 1]}


def test_a_request_id_used_twice_is_a_warning_that_names_the_first(memory: Layout, ids: list[str]) -> None:
    first, later = read_chunk(memory, ids[0]), read_chunk(memory, ids[2])
    later.request_id = first.request_id
    write(memory, later)

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.path) == ("request_id_twice", memory.chunk(ids[2]))
    assert ids[0] in problem.text


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chunks SET digest = 'forged' WHERE number = 3",
        "UPDATE chunks SET title_terms = 'forged' WHERE number = 3",
        "UPDATE chunks SET body_terms = 'forged' WHERE number = 3",
        "UPDATE chunks SET word_terms = '' WHERE number = 3",
        "DELETE FROM chunks WHERE number = 3",
        "INSERT INTO chunks(id, problem, title_terms, word_terms, body_terms) VALUES ('chunk_9', '', '', '', '')",
    ],
)
def test_an_edited_index_that_says_it_is_current_is_found(memory: Layout, ids: list[str], statement: str) -> None:
    settle(memory)
    with open_database(memory) as database:
        database.connection.execute(statement)

    assert codes(memory) == ["index_wrong"]


def test_a_text_index_that_differs_from_its_rows_is_damage(memory: Layout, ids: list[str]) -> None:
    settle(memory)
    with open_database(memory) as database:
        database.connection.execute("DROP TRIGGER chunks_changed")
        database.connection.execute("UPDATE chunks SET title_terms = 'forged' WHERE number = 3")

    assert codes(memory) == ["index_damaged"]


def test_an_index_that_lags_or_is_missing_is_no_fault(memory: Layout, ids: list[str], add: Callable[..., str]) -> None:
    with open_database(memory) as database:
        database.begin()
        database.connection.execute("DELETE FROM chunks")
        database.set_meta(folder="")
        database.commit()
    assert verify_memory(memory) == []

    os.unlink(memory.database)
    assert verify_memory(memory) == []
    assert not os.path.exists(memory.database)


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("config.json", b"{", "memory_damaged"),
        ("config.json", b'{"format": "hfa-memory/2"}', "unsupported_format"),
        ("config.json", b'{"format": "hfa-memory/1", "memory_id": ""}', "config"),
        ("directory.md", b"", "memory_damaged"),
        ("directory.md", "| 主线 |".encode("gbk"), "memory_damaged"),
        (".hfa-transaction.json", b"{}", "journal_damaged"),
    ],
)
def test_a_fault_outside_the_records_is_named(
    memory: Layout, ids: list[str], name: str, data: bytes, code: str
) -> None:
    path = Path(memory.root, name)
    path.write_bytes(data)

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.path) == (code, str(path))
    assert not problem.text.startswith(str(path))


def test_all_faults_are_reported_at_once(memory: Layout, ids: list[str], index: Database) -> None:
    Path(memory.config).write_bytes(b"")
    Path(memory.chunk(ids[2])).write_bytes(b"")
    os.unlink(memory.chunk(ids[0]))

    assert codes(memory) == ["memory_damaged", "memory_damaged", "link_broken"]
