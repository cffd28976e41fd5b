"""A change of several files of truth that happens as a whole: staged, decided by one rename, then applied."""

from __future__ import annotations

import os

from hfa_core.errors import EditedMeanwhileError, HfaError, StorageError
from hfa_core.fs.atomic import make_folder, move_in, remove_if_there, sync_folder, write_staged
from hfa_core.fs.reading import read_bytes
from hfa_core.light.sha256 import sha256_hex
from hfa_core.transaction.journal import Journal, Step, is_inside, locate_part, render_journal
from hfa_core.transaction.recover import apply_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hfa_core.fs.layout import Layout


def commit_files(
    layout: Layout, operation: str, files: Mapping[str, bytes], *, edited: Mapping[str, bytes] | None = None
) -> None:
    """
    Give files their new bytes, all or none, inside `writing`. A single file needs no journal: its rename decides.

    The order is, for several: stage each file beside its target and sync it; write the journal and rename it to its
    name, **which is the commit point**; move the staged files in; remove the journal.

    Args:
        operation: A name for messages, such as `epoch roll`.
        files: Absolute paths in the memory, applied in this order. A link inside the memory stays a link.
        edited: The bytes that files had when their change was planned. The lock keeps no editor out, so they are
            compared once more right before the commit point.

    Raises:
        StorageError: The system refused. Nothing has changed.
        EditedMeanwhileError: A file of `edited` has other bytes by now. Nothing has changed.
        UnfinishedError: The system refused after the commit point. Whoever opens the memory next finishes it.
    """
    targets = {_name_part(layout, path): data for path, data in files.items()}
    if len(targets) == 1:
        for path, data in targets.items():
            target = _prepare(layout, path)
            staged = write_staged(target, data)
            _ensure_unedited(edited, staged)
            move_in(staged, target)
        return
    steps: list[Step] = []
    try:
        for path, data in targets.items():
            staged = write_staged(_prepare(layout, path), data)
            folder = path[: path.rfind("/") + 1]
            steps.append(Step(path, folder + os.path.basename(staged), sha256_hex(data)))
        # A journal must not outlive a power cut that takes the names of what it promises.
        for folder in dict.fromkeys(os.path.dirname(locate_part(layout, step.staged)) for step in steps):
            sync_folder(folder)
        journal = Journal(operation, tuple(steps))
        staged_journal = write_staged(layout.journal, render_journal(journal))
        _ensure_unedited(edited, staged_journal)
        move_in(staged_journal, layout.journal)
    except HfaError:
        for step in steps:
            remove_if_there(locate_part(layout, step.staged))
        raise
    apply_journal(layout, journal)


def _ensure_unedited(edited: Mapping[str, bytes] | None, staged: str) -> None:
    """Raise EditedMeanwhileError if a file has not the bytes with which it was read; the file `staged` is gone then."""
    for path, data in (edited or {}).items():
        try:
            found = read_bytes(path)
        except OSError:
            found = None
        if found != data:
            remove_if_there(staged)
            raise EditedMeanwhileError(path)


def _name_part(layout: Layout, path: str) -> str:
    """A file of the memory by its path relative to it, links followed."""
    root = os.path.realpath(layout.root)
    name = os.path.relpath(os.path.realpath(path), root).replace(os.sep, "/")
    if not is_inside(layout, name):
        raise StorageError(path, "leaves the memory through a link")
    return name


def _prepare(layout: Layout, path: str) -> str:
    target = locate_part(layout, path)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        make_folder(folder)
        sync_folder(os.path.dirname(folder))
    return target
