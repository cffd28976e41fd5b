"""What git's history says of files; nothing where there is no git."""

from __future__ import annotations

import subprocess
from typing import NamedTuple

from hfa_core.settings import current_environment
from hfa_core.store.git_tree import git_environment

TIMEOUT_S = 10
_FORMAT = "--format=%x01%h%x09%as%x09%an%x09%s"
_BEGIN = "\x01"


class Commit(NamedTuple):
    """One commit that touched a file."""

    commit: str
    date: str
    author: str
    subject: str


def log_files(folder: str, names: list[str]) -> dict[str, list[Commit]]:
    """
    The commits that touched each of some files of a folder, oldest first; none outside git, without git, or where it
    takes too long.
    """
    command = ["git", "-c", "i18n.logOutputEncoding=utf-8", "log", "--no-color", "--no-show-signature"]
    try:
        done = subprocess.run(
            [*command, "--no-renames", "--relative", "--name-only", _FORMAT, "--", *names],
            cwd=folder,
            env=git_environment(current_environment().variables),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    found: dict[str, list[Commit]] = {}
    blocks = done.stdout.split(_BEGIN) if done.returncode == 0 else list[str]()
    for block in reversed(blocks):
        head, *touched = block.split("\n")
        row = head.split("\t", 3)
        if len(row) == len(Commit._fields):
            for name in filter(None, touched):
                found.setdefault(name, []).append(Commit(*row))
    return found
