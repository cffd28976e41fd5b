"""A memory made unasked: only where a project is, never in a stranger's folder, unseen by git until shared."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.errors import ForeignMemoryError, NoProjectError
from hfa_core.fs.layout import Layout
from hfa_core.settings import Environment
from hfa_core.store.auto_create import create_own_memory, place_for_own_memory, share_memory
from hfa_core.store.locate import find_memory, is_memory


def test_it_is_made_at_the_root_of_the_work_tree_and_git_does_not_see_it(
    project: Path, environment: Environment, git: Callable[..., str]
) -> None:
    (project / "src" / "auth").mkdir(parents=True)

    layout = place_for_own_memory(environment, str(project / "src" / "auth"))

    assert layout.root == str(project / "memory")
    assert create_own_memory(layout)
    assert find_memory("", environment, str(project / "src")) == layout
    assert git("status", "--short", "--ignored").split() == ["!!", "memory/"]


def test_sharing_shows_it_to_git_and_leaves_other_lines_as_they_were(
    project: Path, environment: Environment, git: Callable[..., str]
) -> None:
    exclude = project / ".git" / "info" / "exclude"
    exclude.write_bytes(b"# mine\r\n*.log\n\xff\nlast line without an end")
    before = exclude.read_bytes()
    layout = place_for_own_memory(environment, str(project))
    create_own_memory(layout)
    assert exclude.read_bytes() == before + b"\n/memory/\n"
    assert not create_own_memory(layout)
    assert exclude.read_bytes() == before + b"\n/memory/\n"

    assert share_memory(layout)

    assert exclude.read_bytes() == before + b"\n"
    assert git("status", "--short").split() == ["??", "memory/"]
    assert not share_memory(layout)


def test_a_worktree_and_a_folder_of_another_name_are_excluded_where_git_looks(
    project: Path, environment: Environment, git: Callable[..., str], tmp_path: Path
) -> None:
    git("worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "linked" / ".hfa.json").write_text('{"memory_dir": "docs/our [notes]"}', encoding="utf-8")
    git("add", ".hfa.json", cwd=tmp_path / "linked")

    layout = place_for_own_memory(environment, str(tmp_path / "linked"))
    create_own_memory(layout)

    assert is_memory(str(tmp_path / "linked" / "docs" / "our [notes]"))
    assert git("status", "--short", "-uall", cwd=tmp_path / "linked").split() == ["A", ".hfa.json"]


def test_it_is_not_made_outside_a_work_tree_nor_in_home_root_or_the_temporary_folder(
    tmp_path: Path, environment: Environment, project: Path
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    at_home = Environment(home=str(project), user_dir=environment.user_dir)
    in_temporary = Environment(home=environment.home, user_dir=environment.user_dir, variables={"TMPDIR": str(project)})
    cases = [(environment, plain), (environment, Path(os.sep)), (at_home, project), (in_temporary, project)]

    for switches, start in cases:
        with pytest.raises(NoProjectError):
            place_for_own_memory(switches, str(start))


def test_a_folder_of_somebody_elses_is_left_as_it_was(project: Path, environment: Environment) -> None:
    (project / "memory").mkdir()
    (project / "memory" / "allocator.py").write_text("pool = []\n", encoding="utf-8")
    exclude = project / ".git" / "info" / "exclude"
    before = exclude.read_bytes()

    with pytest.raises(ForeignMemoryError):
        create_own_memory(place_for_own_memory(environment, str(project)))

    assert [path.name for path in (project / "memory").iterdir()] == ["allocator.py"]
    assert exclude.read_bytes() == before


def test_outside_git_there_is_nothing_to_share(tmp_path: Path) -> None:
    assert not share_memory(Layout(str(tmp_path / "memory")))
