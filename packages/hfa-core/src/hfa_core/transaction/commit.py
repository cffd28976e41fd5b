"""A change of several files of truth that happens as a whole: staged, decided by one rename, then applied."""

from __future__ import annotations

import os

from hfa_core.errors import StorageError
from hfa_core.fs.atomic import make_folder, remove_if_there, sync_folder, write_atomic, write_staged
from hfa_core.light.sha256 import sha256_hex
from hfa_core.transaction.journal import Journal, Step, is_inside, locate_part, render_journal
from hfa_core.transaction.recover import apply_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hfa_core.fs.layout import Layout


def commit_files(layout: Layout, operation: str, files: Mapping[str, bytes]) -> None:
    """
    Give files their new bytes, all or none, inside `writing`. A single file needs no journal: its rename decides.

    The order for several is: stage each file beside its target and sync it; write the journal and rename it to its
    name, **which is the commit point**; move the staged files in; remove the journal.

    Args:
        operation: A name for messages, such as `epoch roll`.
        files: Absolute paths in the memory, applied in this order. A link inside the memory stays a link.

    Raises:
        StorageError: The system refused. Before the commit point nothing has changed; after it, the operation is
            finished by whoever opens the memory next.
    """
    targets = {_name_part(layout, path): data for path, data in files.items()}
    if len(targets) == 1:
        for path, data in targets.items():
            write_atomic(_prepare(layout, path), data)
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
        write_atomic(layout.journal, render_journal(journal))
    except StorageError:
        # With the journal at its name the operation is decided, though its folder could not be synced.
        if not os.path.exists(layout.journal):
            for step in steps:
                remove_if_there(locate_part(layout, step.staged))
        raise
    apply_journal(layout, journal)


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
