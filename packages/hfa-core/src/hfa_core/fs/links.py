"""Links: no file of a memory is read or written where a link leads out of it.

A repository that somebody cloned may hold links to anywhere, the user's own files included.
"""

from __future__ import annotations

import os

from hfa_core.errors import StorageError

LEAVES = "leaves the memory through a link; replace the link by a file or folder of its own"


def leaves(root: str, path: str) -> bool:
    """Whether a path below `root` is, links followed, somewhere else; neither need be there."""
    inside = os.path.realpath(root)
    real = os.path.realpath(path)
    return real != inside and not real.startswith(inside.rstrip(os.sep) + os.sep)


def ensure_within(root: str, path: str) -> None:
    """Raise StorageError where `path` leaves `root` through a link."""
    if leaves(root, path):
        raise StorageError(path, LEAVES)
