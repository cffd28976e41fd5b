"""What git's history says of one file; nothing where there is no git."""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

from hfa_core.settings import current_environment
from hfa_core.store.git_tree import git_environment

TIMEOUT_S = 10
_FORMAT = "--format=%h%x09%as%x09%an%x09%s"


class Commit(NamedTuple):
    """One commit that touched the file."""

    commit: str
    date: str
    author: str
    subject: str


def log_file(path: str) -> list[Commit]:
    """The commits that touched a file, oldest first; none outside git, without git, or where it takes too long."""
    command = ["git", "-c", "i18n.logOutputEncoding=utf-8", "log", "--no-color", "--no-show-signature", _FORMAT]
    folder, name = os.path.split(path)
    try:
        done = subprocess.run(
            [*command, "--", name],
            cwd=folder,
            env=git_environment(current_environment().variables),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    rows = [line.split("\t", 3) for line in done.stdout.splitlines()] if done.returncode == 0 else []
    return [Commit(*row) for row in reversed(rows) if len(row) == len(Commit._fields)]
