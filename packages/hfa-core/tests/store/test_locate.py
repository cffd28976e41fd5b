"""Where a memory is found: who is asked first, where the search ends, and what is never taken for one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.errors import ConfigError, ForeignMemoryError, MemoryNotFoundError
from hfa_core.fs.layout import Layout
from hfa_core.settings import Environment
from hfa_core.store.create import create_memory
from hfa_core.store.locate import ancestors, find_memory, is_memory, is_off, read_project_settings, require_memory


def make(root: Path) -> Layout:
    layout = Layout(str(root))
    create_memory(layout, "Title")
    return layout


def with_memory_dir(environment: Environment, path: Path) -> Environment:
    return Environment(home=environment.home, user_dir=environment.user_dir, memory_dir=str(path))


def test_the_argument_beats_the_variable_which_beats_the_nearest_ancestor(
    memory: Layout, project: Path, tmp_path: Path, environment: Environment
) -> None:
    argued, named = make(tmp_path / "argued"), make(tmp_path / "named")
    switched = with_memory_dir(environment, tmp_path / "named")

    assert find_memory(argued.root, switched, str(project)) == argued
    assert find_memory("", switched, str(project)) == named
    assert find_memory("", environment, str(project)) == memory


def test_a_relative_argument_counts_from_the_start_folder(
    memory: Layout, project: Path, environment: Environment
) -> None:
    assert find_memory("memory", environment, str(project)) == memory


def test_the_nearest_of_two_memories_above_is_taken(memory: Layout, project: Path, environment: Environment) -> None:
    inner = project / "服务" / "deep"
    inner.mkdir(parents=True)
    assert find_memory("", environment, str(inner)) == memory

    nearer = make(project / "服务" / "memory")

    assert find_memory("", environment, str(inner)) == nearer


def test_the_search_stops_at_the_root_of_the_repository(
    memory: Layout, project: Path, environment: Environment, git: Callable[..., str]
) -> None:
    inner = project / "vendored"
    inner.mkdir()
    assert find_memory("", environment, str(inner)) == memory

    git("init", cwd=inner)

    assert find_memory("", environment, str(inner)) is None
    with pytest.raises(MemoryNotFoundError):
        require_memory("", environment, str(inner))


def test_a_file_in_place_of_the_git_folder_is_a_repository_root_too(
    memory: Layout, project: Path, environment: Environment
) -> None:
    submodule = project / "lib" / "sub"
    submodule.mkdir(parents=True)
    (submodule / ".git").write_text("gitdir: ../../.git/modules/sub\n", encoding="utf-8")

    assert find_memory("", environment, str(submodule)) is None
    assert find_memory("", environment, str(submodule.parent)) == memory


def test_a_worktree_has_the_memory_of_its_own_checkout(
    memory: Layout, project: Path, tmp_path: Path, environment: Environment, git: Callable[..., str]
) -> None:
    elsewhere = tmp_path / "worktree"
    inside = project / "trees" / "one"
    git("add", "-f", "memory")
    git("commit", "-m", "memory")
    git("worktree", "add", str(elsewhere))
    git("worktree", "add", "--detach", str(inside), "HEAD~1")

    assert find_memory("", environment, str(elsewhere)) == Layout(str(elsewhere.resolve() / "memory"))
    assert find_memory("", environment, str(inside)) is None


def test_outside_git_the_search_stops_below_the_home_folder(tmp_path: Path, own_environment: Path) -> None:
    environment = Environment(home=str(own_environment), user_dir="")
    make(own_environment / "memory")
    folder = own_environment / "work" / "code"
    folder.mkdir(parents=True)

    assert find_memory("", environment, str(folder)) is None
    assert find_memory("", environment, str(own_environment)) is None

    found = make(own_environment / "work" / "memory")
    assert find_memory("", environment, str(folder)) == found


def test_a_home_folder_kept_in_git_is_no_project(own_environment: Path, git: Callable[..., str]) -> None:
    environment = Environment(home=str(own_environment), user_dir="")
    git("init", cwd=own_environment)
    make(own_environment / "memory")
    (own_environment / "notes").mkdir()

    assert find_memory("", environment, str(own_environment / "notes")) is None
    assert find_memory("", environment, str(own_environment)) is None


def test_the_root_of_the_file_system_is_no_project(environment: Environment) -> None:
    assert ancestors("/", environment.home) == []
    assert "/" not in ancestors("/nowhere/at/all", environment.home)


def test_a_foreign_folder_of_that_name_is_passed_by(memory: Layout, project: Path, environment: Environment) -> None:
    package = project / "src" / "memory"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "config.json").write_text('{"format": "somebody/1"}', encoding="utf-8")

    assert find_memory("", environment, str(project / "src")) == memory


def test_a_foreign_or_missing_folder_that_was_named_is_an_error(tmp_path: Path, environment: Environment) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "a.py").write_text("", encoding="utf-8")
    (tmp_path / "empty").mkdir()

    for explicit, switches in (("foreign", environment), ("", with_memory_dir(environment, foreign))):
        with pytest.raises(ForeignMemoryError) as caught:
            find_memory(explicit, switches, str(tmp_path))
        assert caught.value.path == str(foreign)
    for name in ("missing", "empty", "foreign/a.py"):
        with pytest.raises(MemoryNotFoundError):
            find_memory(name, environment, str(tmp_path))
    assert os.listdir(foreign) == ["a.py"]


def test_project_settings_name_another_folder(project: Path, environment: Environment) -> None:
    (project / ".hfa.json").write_text('{"memory_dir": ".记忆"}', encoding="utf-8-sig")
    layout = make(project / ".记忆")
    make(project / "memory")

    assert find_memory("", environment, str(project)) == layout


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"memory_dir": "/abs"}', "memory_dir"),
        ('{"memory_dir": "../out"}', "memory_dir"),
        ('{"memory_dir": "a\\\\..\\\\..\\\\out"}', "memory_dir"),
        ('{"memory_dir": ""}', "memory_dir"),
        ('{"memory_dir": 5}', "memory_dir"),
        ('{"off": "yes"}', "off"),
        ("[]", "(whole file)"),
        ("{", "(whole file)"),
    ],
)
def test_project_settings_that_cannot_be_used_are_refused_by_key(project: Path, text: str, key: str) -> None:
    (project / ".hfa.json").write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError) as caught:
        read_project_settings(str(project))

    assert (caught.value.key, caught.value.path) == (key, str(project / ".hfa.json"))


def test_a_memory_is_off_by_the_variable_or_by_the_project(
    memory: Layout, project: Path, environment: Environment
) -> None:
    assert is_off(environment, memory) == ""
    assert "HFA_OFF" in is_off(Environment(home="", user_dir="", off=True), memory)

    (project / ".hfa.json").write_text('{"off": true}', encoding="utf-8")
    assert ".hfa.json" in is_off(environment, memory)


def test_a_memory_in_a_folder_of_its_own_is_off_by_the_root_of_its_project(
    project: Path, environment: Environment
) -> None:
    nested = Layout(str(project / "docs" / "memory"))
    (project / ".hfa.json").write_text('{"memory_dir": "docs/memory", "off": true}', encoding="utf-8")

    assert str(project / ".hfa.json") in is_off(environment, nested)


def test_a_memory_of_a_newer_format_is_still_a_memory(memory: Layout) -> None:
    Path(memory.config).write_text('{"format": "hfa-memory/7"}', encoding="utf-8")

    assert is_memory(memory.root)
