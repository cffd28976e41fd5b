"""Branch and commit as git's own files tell them, compared with what git says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.store.git_head import find_work_tree, read_head


@pytest.mark.parametrize("branch", ["feature/登录", "release-1.0", "a/b/c"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_branch_and_its_commit_are_read(project: Path, git: Callable[..., str], branch: str, packed: bool) -> None:
    git("checkout", "-q", "-b", branch)
    if packed:
        git("pack-refs", "--all")

    assert read_head(str(project)) == (branch, git("rev-parse", "HEAD").strip())


def test_a_folder_inside_the_work_tree_has_its_head(project: Path, git: Callable[..., str]) -> None:
    inner = project / "src" / "deep"
    inner.mkdir(parents=True)

    assert read_head(str(inner)) == ("main", git("rev-parse", "HEAD").strip())
    assert find_work_tree(str(inner)) == str(project.resolve())


def test_a_detached_head_has_a_commit_and_no_branch(project: Path, git: Callable[..., str]) -> None:
    git("checkout", "-q", "--detach")

    assert read_head(str(project)) == ("", git("rev-parse", "HEAD").strip())


def test_a_repository_without_a_commit_has_a_branch_only(tmp_path: Path, git: Callable[..., str]) -> None:
    git("init", "-q", cwd=tmp_path)

    assert read_head(str(tmp_path)) == ("main", "")


@pytest.mark.parametrize("packed", [False, True])
def test_a_worktree_has_a_head_of_its_own(project: Path, tmp_path: Path, git: Callable[..., str], packed: bool) -> None:
    tree = tmp_path / "tree"
    git("worktree", "add", "-q", "-b", "side", str(tree))
    (tree / "a.txt").write_text("a", encoding="utf-8")
    git("add", ".", cwd=tree)
    git("commit", "-q", "-m", "side", cwd=tree)
    if packed:
        git("pack-refs", "--all")

    assert read_head(str(tree)) == ("side", git("rev-parse", "HEAD", cwd=tree).strip())
    assert read_head(str(project))[0] == "main"
    assert read_head(str(tree))[1] != read_head(str(project))[1]


def test_a_submodule_has_the_head_of_its_own_repository(project: Path, tmp_path: Path, git: Callable[..., str]) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git("init", "-q", cwd=other)
    git("commit", "-q", "--allow-empty", "-m", "other", cwd=other)
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "lib")

    assert read_head(str(project / "lib")) == ("main", git("rev-parse", "HEAD", cwd=other).strip())


def test_outside_git_and_with_a_pointer_to_nowhere_nothing_is_known(tmp_path: Path) -> None:
    assert read_head(str(tmp_path)) == ("", "")
    assert find_work_tree(str(tmp_path)) == ""

    (tmp_path / ".git").write_text("gitdir: nowhere\n", encoding="utf-8")
    assert read_head(str(tmp_path)) == ("", "")

    (tmp_path / ".git").write_bytes(b"\xff\xfe garbage")
    assert read_head(str(tmp_path)) == ("", "")
