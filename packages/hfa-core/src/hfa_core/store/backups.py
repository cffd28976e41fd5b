"""Copies of what a person wrote, kept before anything of ours takes its place: `history/legacy-backups/`."""

from __future__ import annotations

import os

from hfa_core.errors import StorageError
from hfa_core.fs.atomic import make_folder, write_atomic
from hfa_core.fs.reading import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout


def backups_folder(layout: Layout) -> str:
    """The folder of the copies."""
    return os.path.join(layout.root, "history", "legacy-backups")


def back_up(layout: Layout, name: str, data: bytes) -> str:
    """
    Keep a copy under a name that is free, or find the copy that is there; its path.

    Raises:
        StorageError: The system refused.
    """
    path, is_there = place_backup(layout, name, data)
    if not is_there:
        make_folder(os.path.dirname(path), within=layout.root)
        write_atomic(path, data, within=layout.root)
    return path


def place_backup(layout: Layout, name: str, data: bytes) -> tuple[str, bool]:
    """
    Where a copy of `data` belongs, and whether it is there already; no copy is ever overwritten by another.

    Args:
        name: The file's name, such as `epoch_01-summaries.md`; it may lie in folders, separated by slashes.

    Raises:
        StorageError: A copy that is there cannot be read.
    """
    stem, ending = os.path.splitext(os.path.join(backups_folder(layout), *name.split("/")))
    number = 1
    while True:
        path = f"{stem}{'' if number == 1 else f'-{number}'}{ending}"
        try:
            if read_bytes(path) == data:
                return path, True
        except FileNotFoundError:
            return path, False
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from error
        number += 1
