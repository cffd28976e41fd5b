"""The branch and commit of a checkout, read from git's own files; git itself is never started in a hook."""

from __future__ import annotations

import os

from hfa_core.redact import redact
from hfa_core.store.schema import ITEM_CHARACTERS, clean_text

_REF = "ref: "
_HEADS = "refs/heads/"
_NOWHERE = ".invalid"
"""What a repository whose references are in tables writes into HEAD for programs that read files. Source: git's
reftable documentation."""
_HEX = frozenset("0123456789abcdef")
_COMMIT_DIGITS = (40, 64)


def read_head(folder: str) -> tuple[str, str]:
    """
    Branch and commit that are checked out where `folder` is; each is empty where it cannot be told, as outside git.

    The branch is in the form in which a record holds it: cleaned, without secrets, and cut. A memory's own folder is
    the one to ask about, for it may be a repository of its own inside the project's.
    """
    private, common = find_git_folders(folder)
    head = _read_line(os.path.join(private, "HEAD")) if private else ""
    if not head.startswith(_REF):
        return "", _as_commit(head)
    ref = head[len(_REF) :].strip()
    if not ref.startswith("refs/") or ref.endswith(_NOWHERE) or ".." in ref:
        return "", ""
    commit = _as_commit(_read_line(os.path.join(common, *ref.split("/")))) or _read_packed(common, ref)
    return clean_text(redact(ref.removeprefix(_HEADS)))[:ITEM_CHARACTERS], commit


def find_work_tree(start: str) -> str:
    """The root of the git work tree that holds `start`; empty outside git."""
    folder = os.path.realpath(start)
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder


def find_git_folders(start: str) -> tuple[str, str]:
    """
    The folder with the HEAD of the checkout that holds `start`, and the one with what its worktrees share; they differ
    in a linked worktree, and both are empty outside git.
    """
    root = find_work_tree(start)
    path = os.path.join(root, ".git") if root else ""
    if path and not os.path.isdir(path):
        pointer = _read_line(path)  # a worktree or submodule: "gitdir: PATH"
        target = pointer.removeprefix("gitdir:").strip()
        path = os.path.normpath(os.path.join(root, target)) if target != pointer else ""
    common = _read_line(os.path.join(path, "commondir")) if path else ""
    return path, os.path.normpath(os.path.join(path, common)) if common else path


def _as_commit(text: str) -> str:
    """A commit's name, or nothing: a record must not take in a line of whatever file a reference leads to."""
    return text if len(text) in _COMMIT_DIGITS and _HEX.issuperset(text) else ""


def _read_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.readline().strip()
    except OSError:
        return ""


def _read_packed(common: str, ref: str) -> str:
    try:
        with open(os.path.join(common, "packed-refs"), encoding="utf-8", errors="replace") as stream:
            return next((_as_commit(line.split(" ")[0]) for line in stream if line.rstrip().endswith(" " + ref)), "")
    except OSError:
        return ""
