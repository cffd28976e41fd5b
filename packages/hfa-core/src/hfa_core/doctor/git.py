"""What git knows that a repair needs: the committed bytes of a file, and the other worktrees; git is only read."""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

from hfa_core.settings import current_environment
from hfa_core.store.git_tree import git_environment

TIMEOUT_S = 20


class Worktree(NamedTuple):
    """Another checkout of the same repository; `branch` is empty on a detached head."""

    path: str
    branch: str


def read_committed(path: str) -> bytes | None:
    """The bytes of a file as the checked-out commit has it, else as they are staged; None where git knows neither."""
    folder, name = os.path.split(path)
    for revision in ("HEAD:./", ":./"):
        data = _run_git(folder, "show", revision + name)
        if data is not None:
            return data
    return None


def list_other_worktrees(folder: str) -> list[Worktree]:
    """The other checkouts of the repository that holds `folder`, those that are on disk; none outside git."""
    top = _read_top(folder)
    listed = _run_git(folder, "worktree", "list", "--porcelain") if top else None
    found: list[Worktree] = []
    for block in (listed or b"").decode("utf-8", "surrogateescape").split("\n\n"):
        facts: dict[str, str] = {}
        for line in block.splitlines():
            key, _, value = line.partition(" ")
            facts[key] = value
        path = facts.get("worktree", "")
        if path and "bare" not in facts and os.path.isdir(path) and os.path.realpath(path) != os.path.realpath(top):
            found.append(Worktree(path, facts.get("branch", "").removeprefix("refs/heads/")))
    return found


def path_in_repository(folder: str) -> str:
    """A folder relative to the top of its work tree; empty outside git."""
    top = _read_top(folder)
    return os.path.relpath(os.path.realpath(folder), os.path.realpath(top)) if top else ""


def list_committed(worktree: str, folder: str) -> frozenset[str]:
    """The names of the files that the commit checked out in a worktree has in `folder`, which is relative to it."""
    listed = _run_git(worktree, "ls-tree", "-z", "--name-only", "HEAD", "--", folder.replace(os.sep, "/") + "/")
    names = (listed or b"").decode("utf-8", "surrogateescape").split("\0")
    return frozenset(name.rpartition("/")[2] for name in names if name)


def _read_top(folder: str) -> str:
    found = _run_git(folder, "rev-parse", "--show-toplevel")
    return os.fsdecode(found.rstrip(b"\r\n")) if found else ""


def _run_git(folder: str, *arguments: str) -> bytes | None:
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", *arguments],
            cwd=folder,
            env=git_environment(current_environment().variables),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
