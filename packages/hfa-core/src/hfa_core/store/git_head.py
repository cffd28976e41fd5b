"""The branch and commit of a checkout, read from git's own files; git itself is never started in a hook."""

from __future__ import annotations

import os

_REF = "ref: "
_HEADS = "refs/heads/"


def read_head(workspace: str) -> tuple[str, str]:
    """Branch and commit that `workspace` has checked out; each is empty where it cannot be told, as outside git."""
    folder = _git_folder(workspace)
    head = _read_line(os.path.join(folder, "HEAD")) if folder else ""
    if not head.startswith(_REF):
        return "", head
    ref = head[len(_REF) :].strip()
    common = _read_line(os.path.join(folder, "commondir"))
    base = os.path.normpath(os.path.join(folder, common)) if common else folder
    commit = _read_line(os.path.join(base, *ref.split("/"))) or _read_packed(base, ref)
    return ref.removeprefix(_HEADS), commit


def find_work_tree(start: str) -> str:
    """The root of the git work tree that holds `start`; empty outside git."""
    folder = os.path.realpath(start)
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder


def _git_folder(workspace: str) -> str:
    root = find_work_tree(workspace)
    path = os.path.join(root, ".git") if root else ""
    if not path or os.path.isdir(path):
        return path
    pointer = _read_line(path)  # a worktree or submodule: "gitdir: PATH"
    target = pointer.removeprefix("gitdir:").strip()
    return os.path.normpath(os.path.join(root, target)) if target != pointer else ""


def _read_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.readline().strip()
    except OSError:
        return ""


def _read_packed(base: str, ref: str) -> str:
    try:
        with open(os.path.join(base, "packed-refs"), encoding="utf-8", errors="replace") as stream:
            return next((line.split(" ")[0] for line in stream if line.rstrip().endswith(" " + ref)), "")
    except OSError:
        return ""
