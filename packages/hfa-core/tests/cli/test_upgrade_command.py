"""`hfa upgrade`: what it says, what it leaves, and the way back, as a user sees it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from tests.payloads.hfa_command import Hfa

Snapshot = Callable[[], dict[str, bytes]]


@pytest.fixture
def old(memory: Layout) -> Layout:
    """A memory of the earlier form, under a heading of its author's, with one record."""
    Path(memory.config).write_text("{}\n", encoding="utf-8")
    directory = Path(memory.directory)
    directory.write_text(directory.read_text("utf-8").replace("# Directory", "# 目录"), encoding="utf-8")
    record = {"title": "令牌每天轮换", "conclusion": "每天。 Daily.", "hit_words": "令牌, token"}
    Path(memory.chunk("chunk_0001")).write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    return memory


def test_a_dry_run_names_the_step_and_every_file_and_changes_nothing(hfa: Hfa, old: Layout, snapshot: Snapshot) -> None:
    before = snapshot()

    text, document = hfa("upgrade", "--dry-run").out, hfa("upgrade", "--dry-run", "--json").json

    assert snapshot() == before
    assert text.startswith(f"hfa-memory/0 to hfa-memory/1 in {old.root}:\n")
    assert "  would write chunks/chunk_0001.json\n" in text
    assert text.endswith("Nothing was changed (--dry-run).\n")
    assert document["files"] == ["chunks/chunk_0001.json", "config.json"]
    assert (document["from"], document["to"], document["dry_run"]) == ("hfa-memory/0", "hfa-memory/1", True)


def test_afterwards_the_record_is_recalled_and_verified_and_undo_goes_back(
    hfa: Hfa, old: Layout, snapshot: Snapshot
) -> None:
    before = snapshot()

    done = hfa("upgrade")

    assert done.code == 0
    assert "what they held is kept in " in done.out
    assert "每天。 Daily." in hfa("recall", "令牌怎么轮换").out
    assert "每天。 Daily." in hfa("recall", "what about the token").out
    assert hfa("verify").out == "Everything is sound.\n"
    undone = hfa("upgrade", "--undo", "--json")
    assert (undone.code, undone.json["undo"], undone.json["to"]) == (0, True, "hfa-memory/0")
    assert {name: snapshot()[name] for name in before if "summaries" not in name} == {
        name: data for name, data in before.items() if "summaries" not in name
    }


def test_where_there_is_nothing_to_do_it_says_so(hfa: Hfa, memory: Layout) -> None:
    for options in ((), ("--dry-run",)):
        done = hfa("upgrade", *options)
        assert done.code == 0
        assert done.out == "The memory is of format hfa-memory/1; there is nothing to do. Nothing was changed.\n"
    assert "no upgrade made it so" in hfa("upgrade", "--undo").out
    assert hfa("upgrade", "--json").json["files"] == []


def test_a_record_that_cannot_be_understood_is_named_and_nothing_is_changed(
    hfa: Hfa, old: Layout, snapshot: Snapshot
) -> None:
    Path(old.chunk("chunk_0001")).write_text("{}", encoding="utf-8")
    before = snapshot()

    for options in (("--dry-run",), ()):
        done = hfa("upgrade", *options)
        assert done.code == 17
        assert done.err.startswith(f"hfa: {old.chunk('chunk_0001')}: has neither a title nor a conclusion; nothing")
    assert {name: data for name, data in snapshot().items() if not name.endswith(".lock")} == {
        name: data for name, data in before.items() if not name.endswith(".lock")
    }


def test_no_memory_an_off_one_and_a_foreign_folder_are_left_alone(
    hfa: Hfa, old: Layout, project: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.makedirs(project / "package" / "memory")
    (project / "package" / "memory" / "config.json").write_text("{}", encoding="utf-8")
    before = snapshot()

    assert hfa("upgrade", "--memory-dir", str(project / "package" / "memory")).code == 11
    assert hfa("upgrade", "--memory-dir", str(project / "nowhere")).code == 10
    monkeypatch.setenv("HFA_OFF", "1")
    assert hfa("upgrade").code == 15
    assert snapshot() == before


def test_the_memory_is_found_from_below_and_by_its_name(hfa: Hfa, old: Layout, project: Path) -> None:
    (project / "src").mkdir()

    assert hfa("upgrade", "--dry-run", "--json", cwd=project / "src").json["memory_dir"] == old.root
    assert hfa("upgrade", "--json", "--memory-dir", "memory").json["memory_dir"] == old.root
