"""Whether a commit holds a file, read from git's loose objects: what a prompt may ask, where git cannot be started."""

from __future__ import annotations

import os

from hfa_core.store.git_head import find_git_folders, find_work_tree

_MAXIMUM_BYTES = 1 << 23
"""choice: a listing of 100,000 records; more is not looked through before a prompt."""


def commit_holds(commit: str, path: str) -> bool | None:
    """
    Whether `commit`, of the repository that holds the file `path`, has a file there; None where that cannot be told.

    Objects of a commit made a moment ago are loose; those that were packed or fetched are not looked for.
    """
    folder, name = os.path.split(path)
    folder = os.path.realpath(folder)
    root = find_work_tree(folder)
    _, common = find_git_folders(folder)
    if not common or not commit:
        return None
    inside = os.path.relpath(os.path.join(folder, name), root)
    listed = _read_object(common, commit)
    _, _, tree = listed.partition(b"tree ")
    digest = tree[: len(commit)].decode("ascii", "replace")
    for part in inside.split(os.sep):
        content = _read_object(common, digest)
        if not content:
            return None
        digest = _find_entry(content, os.fsencode(part), len(commit) // 2)
        if not digest:
            return False
    return True


def _find_entry(tree: bytes, name: bytes, size: int) -> str:
    """The digest of the entry with that name. Source: git's object format, `MODE NAME\\0` and `size` raw bytes."""
    place = 0
    while place < len(tree):
        blank, end = tree.find(b" ", place), tree.find(b"\0", place)
        if not place < blank < end:
            return ""
        if tree[blank + 1 : end] == name:
            return tree[end + 1 : end + 1 + size].hex()
        place = end + 1 + size
    return ""


def _read_object(common: str, digest: str) -> bytes:
    """The content of a loose object after its header; nothing where it is packed, missing, damaged or too long."""
    try:
        # Hardly a prompt needs it.
        import zlib
    except ImportError:
        return b""
    try:
        with open(os.path.join(common, "objects", digest[:2], digest[2:]), "rb") as stream:
            reader = zlib.decompressobj()
            data = reader.decompress(stream.read(), _MAXIMUM_BYTES)
    except (OSError, zlib.error):
        return b""
    return data.partition(b"\0")[2] if reader.eof else b""
