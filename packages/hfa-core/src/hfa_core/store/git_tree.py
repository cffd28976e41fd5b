"""What git has committed or ignores, asked of git itself: at a session's start and by writes, never before a prompt."""

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
_PROBE = "chunk_0000-000000.json"
FAILED = -1


def list_committed(folder: str, variables: Mapping[str, str], *, limit_s: float = LIMIT_S) -> frozenset[str] | None:
    """
    The names of the files in `folder` that the checked-out commit holds; None where nobody can tell: no git, no
    commit, an answer that took more than `limit_s` seconds, or a system that cannot start git this way (Windows).
    `variables` is the environment of this process.
    """
    code, data = _ask(folder, _LISTING, variables, limit_s)
    return frozenset(name for name in data.decode("utf-8", "replace").split("\0") if name) if code == 0 else None


def ignores(folder: str, variables: Mapping[str, str], *, limit_s: float = LIMIT_S) -> bool | None:
    """Whether git is told to ignore a record in `folder`; None and the rest as in `list_committed`."""
    code, _ = _ask(folder, ("check-ignore", "--quiet", "--", _PROBE), variables, limit_s)
    return {0: True, 1: False}.get(code)


def _ask(folder: str, arguments: tuple[str, ...], variables: Mapping[str, str], limit_s: float) -> tuple[int, bytes]:
    """
    How git ended and what it printed; `FAILED` where it could not be asked.

    It is started without the modules that do so elsewhere, which cost more than the rest of a session's start.
    """
    spawn = getattr(os, "posix_spawnp", None)
    if spawn is None or not os.path.isdir(folder):
        return FAILED, b""
    reader, writer = os.pipe()
    try:
        process = spawn(
            "git",
            ["git", "--no-optional-locks", "-C", folder, *arguments],
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
        return FAILED, b""
    finally:
        os.close(writer)
    data = None
    try:
        data = _read_until(reader, time.monotonic() + limit_s)
    finally:
        os.close(reader)
        code = _end(process, limit_s=limit_s if data is not None else 0.0)
    return (FAILED, b"") if data is None else (code, data)


def git_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """
    The environment to ask git in. Without git's own variables: where git itself runs a hook, they may point at another
    repository. And it neither asks anybody nor fetches what a partial clone left out.
    """
    kept = {name: value for name, value in variables.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}


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


def _end(process: int, *, limit_s: float) -> int:
    """Wait for a process that closed its output, and end one that did not; its exit code."""
    deadline = time.monotonic() + limit_s
    try:
        while time.monotonic() < deadline:
            done, status = os.waitpid(process, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            select.select([], [], [], 0.001)
        os.kill(process, 9)
        os.waitpid(process, 0)
    except (ChildProcessError, ProcessLookupError):
        # A host may have left this process with its children's ends ignored; then nobody learns how git ended.
        pass
    return FAILED
