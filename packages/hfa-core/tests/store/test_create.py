"""Making a memory: once, whole, and never in a folder that somebody else uses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.errors import ForeignMemoryError
from hfa_core.fs.layout import Layout
from hfa_core.index.verify import verify_memory
from hfa_core.store.create import create_memory
from hfa_core.store.directory import read_directory
from hfa_core.store.locate import is_memory

FILES = [
    "directory.md",
    "main/M1.md",
    "tombstones.jsonl",
    ".gitignore",
    ".gitattributes",
    "history/epoch_01/framework.md",
    "history/epoch_01/summaries.md",
    "config.json",
]
"""In the order in which they are written."""


def contents(root: str) -> dict[str, bytes]:
    files = sorted(path for path in Path(root).rglob("*") if path.is_file() and path.name != ".hfa.lock")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def test_a_new_memory_is_sound_and_has_the_template(memory: Layout) -> None:
    assert sorted(contents(memory.root)) == sorted(FILES)
    assert all(os.path.isdir(os.path.join(memory.root, name)) for name in ("chunks", "profile", "branches"))
    assert read_directory(memory).active_main(memory.directory).title == "Project"
    assert verify_memory(memory) == []


def test_making_it_twice_changes_no_byte(memory: Layout) -> None:
    before = contents(memory.root)

    assert not create_memory(memory, "Another title")

    assert contents(memory.root) == before


def test_a_title_of_any_form_gives_a_directory_that_reads_back(tmp_path: Path) -> None:
    layout = Layout(str(tmp_path / "memory"))

    create_memory(layout, "项目 | one\\two\n| M1 | x |")

    assert read_directory(layout).nodes[0].title == "项目 | one\\two | M1 | x |"


@pytest.mark.parametrize("done", range(len(FILES)))
def test_a_run_cut_short_at_any_file_is_finished_by_the_next(memory: Layout, done: int) -> None:
    whole = contents(memory.root)
    for name in FILES[done:]:
        os.unlink(os.path.join(memory.root, name))
    for name in ("main", "history/epoch_01", "history"):
        if not os.listdir(os.path.join(memory.root, name)):
            os.rmdir(os.path.join(memory.root, name))
    folder = Path(memory.root, FILES[done]).parent
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".hfa-tmp-1f-0badcafe").write_bytes(b"half")

    assert not is_memory(memory.root)
    assert create_memory(memory, "Project")

    made = {name: data for name, data in contents(memory.root).items() if ".hfa-tmp-" not in name}
    assert {name: data for name, data in made.items() if name != "config.json"} == {
        name: data for name, data in whole.items() if name != "config.json"
    }
    assert verify_memory(memory) == []


@pytest.mark.parametrize(
    "name",
    ["__init__.py", "config.json", "directory.md", "main", "chunks/notes.txt", "history/old.md", "profile/me.md"],
)
def test_a_foreign_folder_is_refused_and_untouched(tmp_path: Path, name: str) -> None:
    layout = Layout(str(tmp_path / "memory"))
    file = tmp_path / "memory" / name
    file.parent.mkdir(parents=True)
    file.write_text("{}", encoding="utf-8")
    before = contents(layout.root)

    with pytest.raises(ForeignMemoryError) as caught:
        create_memory(layout, "Project")

    assert caught.value.path == layout.root
    assert contents(layout.root) == before


def test_git_sees_the_files_of_truth_and_no_derived_one(
    memory: Layout, project: Path, add: Callable[..., str], git: Callable[..., str]
) -> None:
    chunk = add("令牌轮换")
    git("add", "memory")
    git("commit", "-m", "memory")

    tracked = git("ls-files", "memory").split()
    assert f"memory/chunks/{chunk}.json" in tracked
    assert not [name for name in tracked if "index/" in name or ".hfa.lock" in name]
    assert git("status", "--porcelain") == ""
    assert (project / "memory" / "index" / "fts.sqlite").exists()
