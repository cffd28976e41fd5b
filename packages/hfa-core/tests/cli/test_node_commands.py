"""`hfa node` and `hfa tombstone`: what they change, what they refuse, what they leave alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.index.verify import verify_memory
from hfa_core.store.directory import read_directory
from tests.payloads.hfa_command import Hfa

BY_HAND = """# Our lines

Kept by hand, 手写。

| id | title | path | state | branch | hit words |
|----|-------|------|-------|--------|-----------|
| M1 | Main \\| 主线   | main/M1.md | ACTIVE |   | JWT |
|S1|Side|branches/S1.md|OPEN|feature/x||

More text."""


@pytest.fixture
def by_hand(memory: Layout) -> Layout:
    """A memory whose L0 a person wrote."""
    Path(memory.directory).write_text(BY_HAND, encoding="utf-8")
    return memory


def states(memory: Layout) -> dict[str, str]:
    return {node.id: node.state for node in read_directory(memory).nodes}


def tombstones(memory: Layout) -> list[dict[str, str]]:
    return [json.loads(line) for line in Path(memory.tombstones).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("kind", "node_id", "page"),
    [("main", "M2", "main/M2.md"), ("side", "S2", "branches/S2.md"), ("profile", "P1", "profile/P1.md")],
)
def test_a_new_node_has_a_row_and_a_page_and_the_text_around_the_table_stays(
    hfa: Hfa, by_hand: Layout, kind: str, node_id: str, page: str
) -> None:
    done = hfa("node", "add", "移动端 | Mobile", "--kind", kind, "--hit-words", "iOS，安卓", "--branch", "m", "--json")

    assert done.code == 0
    assert done.json["changed"] == [page, "directory.md"]
    row = f"| {node_id} | 移动端 \\| Mobile | {page} | OPEN | m | iOS, 安卓 |\n"
    assert Path(by_hand.directory).read_text(encoding="utf-8") == BY_HAND.replace("\n\nMore", f"\n{row}\nMore")
    assert Path(by_hand.root, page).read_text(encoding="utf-8") == "# 移动端 | Mobile\n"
    node = read_directory(by_hand).find(node_id)
    assert node is not None
    assert (node.title, node.hit_words) == ("移动端 | Mobile", ("iOS", "安卓"))
    assert verify_memory(by_hand) == []


def test_activating_swaps_both_rows_and_nothing_else(hfa: Hfa, by_hand: Layout) -> None:
    hfa("node", "add", "Second", "--kind", "main")
    before = Path(by_hand.directory).read_text(encoding="utf-8")

    done = hfa("node", "activate", "M2", "--json")

    assert done.json["changed"] == ["directory.md"]
    assert states(by_hand) == {"M1": "OPEN", "S1": "OPEN", "M2": "ACTIVE"}
    expected = before.replace("ACTIVE", "OPEN").replace("main/M2.md | OPEN", "main/M2.md | ACTIVE")
    assert Path(by_hand.directory).read_text(encoding="utf-8") == expected
    assert hfa("node", "activate", "M2", "--json").json["changed"] == []


def test_a_tombstone_closes_the_node_and_says_why_once(hfa: Hfa, by_hand: Layout) -> None:
    reason = "given up, password=hunter2hunter2 放弃"
    done = hfa("tombstone", "S1", "--reason", reason, "--json")

    assert done.json["changed"] == ["tombstones.jsonl", "directory.md"]
    assert states(by_hand)["S1"] == "TOMBSTONED"
    (line,) = tombstones(by_hand)
    assert line.keys() == {"id", "reason", "time"}
    assert line["id"] == "S1"
    assert "放弃" in line["reason"]
    assert "hunter2" not in line["reason"]
    assert hfa("node", "tombstone", "S1", "--reason", "again").code == 23
    assert len(tombstones(by_hand)) == 1
    assert hfa("add-topic", "--title", "t", "--hit-words", "w", "--conclusion", "c", "--node", "S1").code == 23


def test_renaming_changes_the_title_alone(hfa: Hfa, by_hand: Layout) -> None:
    assert hfa("node", "rename", "M1", "认证 | auth").code == 0

    text = Path(by_hand.directory).read_text(encoding="utf-8")
    assert text == BY_HAND.replace("| Main \\| 主线   |", "| 认证 \\| auth   |")


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (("node", "activate", "M9"), 23, "M1, S1"),
        (("node", "activate", "S1"), 23, "main line"),
        (("node", "activate", "M"), 23, "no node id"),
        (("node", "rename", "../x", "t"), 23, "no node id"),
        (("node", "rename", "m1", "t"), 23, "no node id"),
        (("node", "rename", "S1", " \n "), 20, "must not be empty"),
        (("node", "rename", "S1", "x" * 161), 20, "160"),
        (("tombstone", "M1", "--reason", "r"), 23, "activate another"),
        (("tombstone", "S1", "--reason", "  "), 20, "reason"),
        (("tombstone", "S7", "--reason", "r"), 23, "M1, S1"),
        (("tombstone", "S1"), 2, "--reason"),
        (("node", "add", ""), 20, "title"),
        (("node", "add", "t", "--path", "../x.md"), 20, "path"),
        (("node", "add", "t", "--path", "/etc/x.md"), 20, "path"),
        (("node", "add", "t", "--path", "branches/../x.md"), 20, "path"),
        (("node", "add", "t", "--path", "chunks/x.md"), 20, "path"),
        (("node", "add", "t", "--path", "branches/x.json"), 20, "path"),
        (("node", "add", "t", "--path", "branches/S1.md"), 20, "another node"),
        (("node", "add", "t", "--hit-words", ",".join("abcdefghi")), 20, "at most 8"),
        (("node", "add", "t", "--kind", "other"), 2, "kind"),
    ],
)
def test_what_breaks_a_rule_is_refused_and_changes_nothing(
    hfa: Hfa, by_hand: Layout, snapshot: Callable[[], dict[str, bytes]], command: tuple[str, ...], code: int, said: str
) -> None:
    before = snapshot()

    done = hfa(*command)

    assert (done.code, said in done.err) == (code, True), done
    assert snapshot() == before


def test_a_page_folder_that_is_a_link_out_of_the_memory_is_refused(hfa: Hfa, memory: Layout, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    Path(memory.root, "branches").rmdir()
    Path(memory.root, "branches").symlink_to(tmp_path / "outside")

    assert hfa("node", "add", "t").code == 20
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        ("node", "add", "Mobile"),
        ("node", "rename", "S1", "Other"),
        ("tombstone", "S1", "--reason", "r"),
    ],
)
def test_a_dry_run_shows_the_change_and_makes_none(
    hfa: Hfa, by_hand: Layout, snapshot: Callable[[], dict[str, bytes]], command: tuple[str, ...]
) -> None:
    before = snapshot()

    shown = hfa(*command, "--dry-run")

    assert shown.code == 0
    assert "+++ b/directory.md" in shown.out
    assert hfa(*command, "--dry-run", "--json").json["dry_run"] is True
    before.setdefault("memory/.hfa.lock", b"")
    assert snapshot() == before


def test_the_nodes_are_listed(hfa: Hfa, by_hand: Layout) -> None:
    nodes = cast("list[dict[str, object]]", hfa("node", "list", "--json").json["nodes"])

    assert [(node["id"], node["state"], node["title"]) for node in nodes] == [
        ("M1", "ACTIVE", "Main | 主线"),
        ("S1", "OPEN", "Side"),
    ]
    assert "Main | 主线" in hfa("node", "list").out


@pytest.mark.usefixtures("by_hand")
def test_nothing_is_changed_while_the_memory_is_off(hfa: Hfa, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HFA_OFF", "1")

    assert hfa("node", "add", "t").code == 15
