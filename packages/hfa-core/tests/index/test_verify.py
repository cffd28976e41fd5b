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
    assert f"git diff -- memory/chunks/{ids[2]}.json" in problem.fix


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
    assert problem.severity == "warning"
    assert ids[0] in problem.text


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chunks SET digest = 'forged' WHERE number = 3",
        "UPDATE chunks SET title_terms = 'forged' WHERE number = 3",
        "UPDATE chunks SET body_terms = 'forged' WHERE number = 3",
        "UPDATE chunks SET word_terms = '' WHERE number = 2",
        "UPDATE chunks SET exact_terms = '' WHERE number = 3",
        "UPDATE terms SET records = 9",
        "DELETE FROM chunks WHERE number = 3",
        "INSERT INTO chunks(id, problem, title_terms, word_terms, body_terms, exact_terms)"
        " VALUES ('chunk_9', '', '', '', '', '')",
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
        ("config.json", b'{"format": "hfa-memory/x"}', "unsupported_format"),
        ("config.json", b'{"format": "hfa-memory/1", "memory_id": ""}', "config"),
        ("directory.md", b"", "main_line_unclear"),
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


# --- what is no error ------------------------------------------------------------------------------------------


def severities(memory: Layout) -> dict[str, str]:
    return {problem.code: problem.severity for problem in verify_memory(memory)}


def twin(memory: Layout, chunk_id: str, new_id: str, **changes: object) -> str:
    """A second record like `chunk_id`, as a merge of another branch brings it."""
    chunk = read_chunk(memory, chunk_id)
    chunk.id, chunk.request_id = new_id, f"request of {new_id}"
    for name, value in changes.items():
        setattr(chunk, name, value)
    write(memory, chunk)
    return new_id


def test_two_records_that_share_a_number_both_stand(memory: Layout, ids: list[str]) -> None:
    twin(memory, ids[2], "chunk_0003-ffffff")

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.severity) == ("number_shared", "info")
    assert ids[2] in problem.text


def test_a_fork_is_disputed_until_one_record_settles_it(
    memory: Layout, ids: list[str], add: Callable[..., str]
) -> None:
    rival = twin(memory, ids[1], "chunk_0009-ffffff", title="另一个分支")

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.severity, problem.path) == ("disputed", "warning", memory.chunk(ids[0]))
    assert ids[1] in problem.text
    assert rival in problem.text
    assert f"--supersedes {ids[1]} --supersedes {rival}" in problem.fix
    add("Settled", supersedes=(ids[1], rival))
    assert verify_memory(memory) == []


def test_a_record_of_an_unknown_node_is_a_warning(memory: Layout, ids: list[str]) -> None:
    twin(memory, ids[2], "chunk_0009-ffffff", node="S7")

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.severity) == ("node_unknown", "warning")
    assert "S7" in problem.text
    assert "S7" in problem.fix


@pytest.mark.parametrize("name", ["notes.txt", "chunk_0001-de474f.json.orig", "chunk_1.json", "记录.json", "folder"])
def test_a_foreign_file_among_the_records_is_an_error(memory: Layout, ids: list[str], name: str) -> None:
    path = Path(memory.chunks, name)
    path.mkdir() if name == "folder" else path.write_bytes(b"{}")

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.severity, problem.path) == ("foreign_file", "error", str(path))


@pytest.mark.parametrize("name", [".hfa-tmp-1-2", ".gitkeep", ".gitattributes"])
def test_what_writers_and_git_leave_is_nothing_to_report(memory: Layout, ids: list[str], name: str) -> None:
    Path(memory.chunks, name).write_bytes(b"x")

    assert verify_memory(memory) == []


DROPPINGS = [
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    "._chunk_0001-de474f.json",
    ".chunk_0001-de.json.swp",
    "chunk_0001-de474f.json~",
    "#chunk_0001-de474f.json#",
    ".#记录.json",
    ".~lock.chunk_0001.json#",
]


@pytest.mark.parametrize("name", DROPPINGS)
def test_what_file_managers_and_editors_leave_is_a_warning(memory: Layout, ids: list[str], name: str) -> None:
    path = Path(memory.chunks, name)
    path.write_bytes(b"x")

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.severity, problem.path) == ("dropping", "warning", str(path))


@pytest.mark.parametrize("data", [b"garbage", b"SQLite format 3\0" + b"\0" * 4096], ids=["garbage", "header only"])
def test_a_garbage_index_is_named_and_left_where_it_is(memory: Layout, ids: list[str], data: bytes) -> None:
    Path(memory.database).write_bytes(data)

    assert codes(memory) == ["index_damaged"]
    assert Path(memory.database).read_bytes() == data
    assert not os.path.exists(memory.database + ".damaged")


def test_an_index_of_another_version_is_no_fault_and_stays(memory: Layout, ids: list[str]) -> None:
    with open_database(memory) as database:
        database.connection.execute("PRAGMA user_version = 99")
        database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    assert codes(memory) == []
    assert not os.path.exists(memory.database + ".damaged")


def test_a_newer_format_is_a_warning_that_names_the_way_out(memory: Layout, ids: list[str]) -> None:
    text = Path(memory.config).read_text("utf-8")
    Path(memory.config).write_text(text.replace("hfa-memory/1", "hfa-memory/2"), encoding="utf-8")

    (problem,) = verify_memory(memory)

    assert (problem.code, problem.severity, problem.path) == ("format_newer", "warning", memory.config)
    assert "'hfa-memory/2'" in problem.text
    assert "install" in problem.fix


def test_a_conflict_marker_is_named_with_its_line_in_every_file_of_truth(memory: Layout, ids: list[str]) -> None:
    places = [memory.config, memory.directory, str(Path(memory.root, "tombstones.jsonl")), memory.chunk(ids[1])]
    places.append(str(Path(memory.root, "main", "M1.md")))
    for path in places:
        with open(path, "a", encoding="utf-8", newline="") as stream:
            stream.write("<<<<<<< HEAD\r\n一\r\n=======\r\n二\r\n>>>>>>> 分支\r\n")

    problems = verify_memory(memory)

    assert [(one.code, one.path) for one in problems] == [("conflict_marker", path) for path in places]
    assert all("<<<<<<< HEAD" in one.text and "git add" in one.fix for one in problems)
    first = Path(memory.directory).read_text("utf-8").splitlines().index("<<<<<<< HEAD") + 1
    assert problems[1].text.startswith(f"line {first} ")


def test_a_marker_that_a_page_shows_as_an_example_is_no_conflict(memory: Layout, ids: list[str]) -> None:
    Path(memory.root, "main", "M1.md").write_text("Git writes\n\n<<<<<<< HEAD\n\nat the top.\n", encoding="utf-8")

    assert verify_memory(memory) == []


def test_a_link_to_a_damaged_record_is_not_called_broken(memory: Layout, ids: list[str]) -> None:
    Path(memory.chunk(ids[0])).write_bytes(b"{")

    assert codes(memory) == ["memory_damaged"]


def test_the_gravest_come_first(memory: Layout, ids: list[str]) -> None:
    twin(memory, ids[2], "chunk_0003-ffffff", node="S7")
    Path(memory.chunks, "notes.txt").write_bytes(b"")
    Path(memory.chunk(ids[1])).write_bytes(b"")

    assert severities(memory) == {
        "memory_damaged": "error",
        "foreign_file": "error",
        "node_unknown": "warning",
        "number_shared": "info",
    }
    assert list(severities(memory)) == ["memory_damaged", "foreign_file", "node_unknown", "number_shared"]
