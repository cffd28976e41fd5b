"""What git has committed, asked of git itself: at a session's start and by writes, never before a prompt."""

from __future__ import annotations

import os
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT_S = 1.0
"""An answer that takes longer is none; listing 100,000 files takes a tenth of it (measured)."""
_PIECE_BYTES = 1 << 16
_LISTING = ("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", ".")


def list_committed(folder: str, variables: Mapping[str, str], *, limit_s: float = LIMIT_S) -> frozenset[str] | None:
    """
    The names of the files in `folder` that the checked-out commit holds; None where nobody can tell: no git, no
    commit, an answer that took more than `limit_s` seconds, or a system that cannot start git this way (Windows).
    `variables` is the environment of this process.

    It starts git without the modules that do so elsewhere, which cost more than the rest of a session's start.
    """
    spawn = getattr(os, "posix_spawnp", None)
    if spawn is None or not os.path.isdir(folder):
        return None
    reader, writer = os.pipe()
    try:
        process = spawn(
            "git",
            ["git", "--no-optional-locks", "-C", folder, *_LISTING],
            git_environment(variables),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, writer, 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_CLOSE, reader),
            ],
        )
    except OSError:
        os.close(reader)
        return None
    finally:
        os.close(writer)
    try:
        data = _read_until(reader, time.monotonic() + limit_s)
    finally:
        os.close(reader)
        failed = _end(process, limit_s=limit_s)
    if data is None or failed:
        return None
    return frozenset(name for name in data.decode("utf-8", "replace").split("\0") if name)


def git_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Without git's own variables: where git itself runs a hook, they may point at another repository."""
    return {name: value for name, value in variables.items() if not name.startswith("GIT_")}


def _read_until(reader: int, deadline: float) -> bytes | None:
    pieces: list[bytes] = []
    while True:
        ready, _, _ = select.select([reader], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        piece = os.read(reader, _PIECE_BYTES)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def _end(process: int, *, limit_s: float) -> bool:
    """Wait for a process that closed its output, and end one that did not; whether it failed."""
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return status != 0
        select.select([], [], [], 0.001)
    os.kill(process, 9)
    os.waitpid(process, 0)
    return True
