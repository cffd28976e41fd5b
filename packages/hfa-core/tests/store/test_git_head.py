"""Branch and commit as git's own files tell them, compared with what git says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.store.git_head import find_work_tree, read_head
from hfa_core.store.git_objects import commit_holds
from hfa_core.store.schema import ITEM_CHARACTERS


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


@pytest.mark.parametrize(
    "head",
    [
        "ref: refs/heads/.invalid",
        "ref: ../secret",
        "ref: refs/heads/../../../secret",
        "ref: secret",
        "a secret line",
        "",
    ],
)
def test_a_head_that_is_no_plain_one_tells_nothing_and_leads_nowhere(
    project: Path, git: Callable[..., str], head: str
) -> None:
    for place in (project / "secret", project / ".git" / "secret"):
        place.write_text("password\n", encoding="utf-8")
    (project / ".git" / "HEAD").write_text(head + "\n", encoding="utf-8")

    assert read_head(str(project)) == ("", "")


def test_a_reference_that_holds_no_commit_gives_none(project: Path) -> None:
    (project / ".git" / "refs" / "heads" / "main").write_text("the password is x\n", encoding="utf-8")

    assert read_head(str(project)) == ("main", "")


def test_a_branch_has_the_form_in_which_a_record_holds_it(project: Path, git: Callable[..., str]) -> None:
    secret = "ghp_" + "a1B2" * 9
    long = "/".join(["x" * 200] * 2)
    for name, form in (("fix/cafe\u0301", "fix/café"), (long, long[:ITEM_CHARACTERS])):
        git("checkout", "-q", "-b", name)
        assert read_head(str(project))[0] == form != name
    git("checkout", "-q", "-b", f"feature/{secret}")
    assert secret not in read_head(str(project))[0]


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_loose_commit_tells_which_files_it_holds(tmp_path: Path, git: Callable[..., str], algorithm: str) -> None:
    root = tmp_path / "other"
    (root / "memory" / "chunks").mkdir(parents=True)
    git("init", "-q", f"--object-format={algorithm}", cwd=root)
    for name in ("memory/chunks/one.json", "memory/chunks/一.json"):
        (root / name).write_text("{}", encoding="utf-8")
    git("add", ".", cwd=root)
    git("commit", "-q", "-m", "one", cwd=root)
    (root / "memory" / "chunks" / "two.json").write_text("{}", encoding="utf-8")
    _, commit = read_head(str(root))

    assert len(commit) == {"sha1": 40, "sha256": 64}[algorithm]
    held = {
        name: commit_holds(commit, str(root / "memory" / "chunks" / name))
        for name in ("one.json", "一.json", "two.json")
    }
    assert held == {"one.json": True, "一.json": True, "two.json": False}
    assert commit_holds(commit, str(root / "elsewhere" / "one.json")) is False
    assert commit_holds("0" * len(commit), str(root / "memory" / "chunks" / "one.json")) is None


@pytest.mark.parametrize(
    "damage", [b"", b"not zlib", b"x\x9c\x03\x00\x00\x00\x00\x01"], ids=["empty", "text", "nothing"]
)
def test_what_is_packed_damaged_or_outside_git_cannot_be_told(
    project: Path, tmp_path: Path, git: Callable[..., str], damage: bytes
) -> None:
    _, commit = read_head(str(project))
    path = str(project / "README.md")
    assert commit_holds(commit, path) is True
    assert commit_holds(commit, str(tmp_path / "README.md")) is None
    loose = project / ".git" / "objects" / commit[:2] / commit[2:]
    loose.chmod(0o644)
    loose.write_bytes(damage)
    assert commit_holds(commit, path) is None
    loose.unlink()
    assert commit_holds(commit, path) is None
