"""The names of a memory's files: all inside it, each its own."""

from __future__ import annotations

import os

from hfa_core.fs.layout import Layout, UserLayout

LAYOUT = Layout(os.path.join(os.sep, "项目", "memory"))


def test_every_file_of_a_memory_is_inside_it_and_has_a_name_of_its_own() -> None:
    names = [name for name in dir(Layout) if isinstance(getattr(Layout, name), property) and name != "workspace"]
    paths = [getattr(LAYOUT, name) for name in names]

    assert len(set(paths)) == len(paths)
    assert all(path.startswith(LAYOUT.root + os.sep) for path in paths)


def test_the_workspace_is_the_folder_that_holds_the_memory() -> None:
    assert LAYOUT.workspace == os.path.join(os.sep, "项目")


def test_an_epoch_has_two_digits_or_more() -> None:
    assert [os.path.basename(LAYOUT.epoch(number)) for number in (1, 12, 123)] == ["epoch_01", "epoch_12", "epoch_123"]


def test_private_files_are_under_the_memorys_id_or_beside_all_memories() -> None:
    root = os.path.join(os.sep, "state")

    assert UserLayout(root, "0123456789abcdef").folder == os.path.join(root, "0123456789abcdef")
    assert UserLayout(root).folder == root
