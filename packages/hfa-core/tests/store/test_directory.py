"""L0: the table that a person edits, what it may say, and the rows that are refused by line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.errors import MemoryDamagedError, StorageError
from hfa_core.fs.layout import Layout
from hfa_core.model import Node
from hfa_core.store.directory import Directory, parse_directory, read_directory, render_directory
from hfa_core.store.schema import clean_text

HEAD = "| id | title | path | state | branch | hit words |\n| --- | --- | --- | --- | --- | --- |\n"
MAIN = "| M1 | Main | main/M1.md | ACTIVE |  |  |\n"

texts = st.text(max_size=12).map(clean_text)
nodes = st.builds(
    Node,
    id=st.sampled_from("MSP").flatmap(lambda letter: st.integers(1, 999).map(lambda number: f"{letter}{number}")),
    title=texts,
    path=st.from_regex(r"([a-z主]{1,6}/)?[a-z线]{1,6}\.md", fullmatch=True) | st.just(""),
    state=st.sampled_from(["ACTIVE", "OPEN", "TOMBSTONED"]),
    branch=texts,
    hit_words=st.lists(texts.filter(lambda word: bool(word) and not set(word) & set(",，、;；")), max_size=3).map(
        tuple
    ),
)


def parse(rows: str) -> Directory:
    return parse_directory(HEAD + rows, "directory.md")


@given(st.lists(nodes, max_size=5, unique_by=lambda node: node.id), st.integers(1, 999_999))
def test_a_rendered_table_reads_back(rows: list[Node], epoch: int) -> None:
    directory = Directory(tuple(rows), epoch=epoch)

    assert parse_directory(render_directory(directory), "directory.md") == directory


def test_a_table_is_read_with_prose_around_it_crlf_and_a_byte_order_mark(memory: Layout) -> None:
    row = "| M1 | 登录与认证 | main/M1.md | ACTIVE | 主干 | JWT、令牌；token |"
    text = f"# 目录\n\nNotes of ours.\n\n{HEAD}{row}\n\nActive epoch: 3\n"
    Path(memory.directory).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())

    directory = read_directory(memory)

    assert directory.epoch == 3
    assert directory.nodes == (
        Node(
            id="M1",
            title="登录与认证",
            path="main/M1.md",
            state="ACTIVE",
            branch="主干",
            hit_words=("JWT", "令牌", "token"),
        ),
    )


@pytest.mark.parametrize(
    ("cell", "title"),
    [(r"a \| b", "a | b"), (r"\|", "|"), (r"a \\| b", r"a \| b"), ("C:\\dir", "C:\\dir"), ("管\\|道", "管|道")],
)
def test_an_escaped_pipe_belongs_to_its_cell(cell: str, title: str) -> None:
    assert parse(f"| M1 | {cell} | main/M1.md | ACTIVE |  |  |\n").nodes[0].title == title


def test_a_title_with_line_breaks_still_gives_one_row() -> None:
    node = Node(id="M1", title="a\nb | c", path="", state="ACTIVE", branch="", hit_words=())

    assert parse_directory(render_directory(Directory((node,))), "d").nodes[0].title == "a b | c"


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("", "none"),
        ("| M1 | One | | OPEN | | |\n", "none"),
        ("| P1 | Me | | ACTIVE | | |\n| S1 | Side | | ACTIVE | | |\n", "none"),
        ("| M1 | One | | ACTIVE | | |\n| M2 | Two | | ACTIVE | | |\n", "M1, M2"),
    ],
)
def test_none_or_several_active_main_lines_are_an_error(rows: str, found: str) -> None:
    with pytest.raises(MemoryDamagedError, match=f"found {found}"):
        parse(rows).active_main("directory.md")


def test_the_active_main_line_is_found_among_others() -> None:
    directory = parse("| M1 | One | | TOMBSTONED | | |\n| M2 | Two | | ACTIVE | | |\n| P1 | Me | | ACTIVE | | |\n")

    assert directory.active_main("d").id == "M2"
    assert directory.find("P1") == directory.nodes[2]
    assert directory.find("M9") is None


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("| M1 | One | main/M1.md | ACTIVE |\n", "line 3 has 4 cells, not 6"),
        ("| M1 | a | b | c | d | e | f |\n", "line 3 has 7 cells"),
        ("| X1 | One | | ACTIVE | | |\n", "node id 'X1'"),
        ("| M | One | | ACTIVE | | |\n", "node id 'M'"),
        ("| m1 | One | | ACTIVE | | |\n", "node id 'm1'"),
        ("| M² | One | | ACTIVE | | |\n", "node id 'M²'"),
        ("| M１ | One | | ACTIVE | | |\n", "node id"),
        ("| M1 | One | | active | | |\n", "state 'active'"),
        ("| M1 | One | | | | |\n", "state ''"),
        ("|  |  |  |  |  |  |\n", "node id ''"),
        ("| M1 | One | /etc/passwd | OPEN | | |\n", "must stay inside"),
        ("| M1 | One | ~/a.md | OPEN | | |\n", "must stay inside"),
        ("| M1 | One | ../a.md | OPEN | | |\n", "must stay inside"),
        ("| M1 | One | main\\..\\..\\a.md | OPEN | | |\n", "must stay inside"),
        ("| M1 | One | C:\\a.md | OPEN | | |\n", "must stay inside"),
        ("| M1 | One | main/\x00.md | OPEN | | |\n", "must stay inside"),
        (MAIN + MAIN, "node M1 stands in two rows"),
        ("Active epoch: soon\n", "needs a number"),
        ("Active epoch: ²\n", "needs a number"),
        ("Active epoch: 0\n", "needs a number"),
        ("Active epoch: " + "9" * 5000 + "\n", "needs a number"),
        ("<<<<<<< HEAD\n", "line 3 holds a git conflict marker"),
        (MAIN + ">>>>>>> feature/登录\n", "line 4 holds a git conflict marker"),
    ],
)
def test_a_row_that_breaks_the_form_is_refused_with_its_line(row: str, reason: str) -> None:
    with pytest.raises(MemoryDamagedError) as caught:
        parse(row)

    assert caught.value.path == "directory.md"
    assert reason in caught.value.reason


def test_a_node_whose_file_is_a_link_out_of_the_memory_is_refused(memory: Layout, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("secret", encoding="utf-8")
    os.symlink(outside, Path(memory.root, "main", "S1.md"))
    os.symlink(tmp_path, Path(memory.root, "elsewhere"))

    for target in ("main/S1.md", "elsewhere/outside.md"):
        Path(memory.directory).write_text(f"{HEAD}{MAIN}| S1 | Side | {target} | OPEN | | |\n", encoding="utf-8")
        with pytest.raises(MemoryDamagedError, match="leaves the memory through a link"):
            read_directory(memory)


def test_a_memory_reached_through_a_link_is_read(memory: Layout, tmp_path: Path) -> None:
    link = tmp_path / "link"
    os.symlink(memory.root, link)

    assert read_directory(Layout(str(link))) == read_directory(memory)


def test_an_active_node_whose_file_is_missing_is_an_error_that_names_it(memory: Layout) -> None:
    os.unlink(os.path.join(memory.root, "main", "M1.md"))

    with pytest.raises(MemoryDamagedError, match=r"M1 points to 'main/M1\.md', which is missing"):
        read_directory(memory)


def test_a_missing_or_wrongly_encoded_file_is_named(memory: Layout) -> None:
    Path(memory.directory).write_bytes("| M1 | 主线 |".encode("gbk"))
    with pytest.raises(MemoryDamagedError, match="is not UTF-8 at byte"):
        read_directory(memory)

    os.unlink(memory.directory)
    with pytest.raises(MemoryDamagedError, match=r"directory\.md: is missing"):
        read_directory(memory)

    os.mkdir(memory.directory)
    with pytest.raises(StorageError, match=r"directory\.md"):
        read_directory(memory)
