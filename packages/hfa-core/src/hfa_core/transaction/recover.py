"""Finishing what a crash interrupted: a decided operation is applied, whatever was only staged is dropped."""

from __future__ import annotations

import os

from hfa_core.errors import JournalError, StorageError, UnfinishedError, UnsupportedFormatError
from hfa_core.fs.atomic import TEMPORARY_PREFIX, move_in, remove_file, remove_if_there, sync_folder
from hfa_core.fs.lock import MemoryLock
from hfa_core.fs.reading import read_bytes
from hfa_core.light.sha256 import sha256_hex
from hfa_core.transaction.gate import ensure_writable
from hfa_core.transaction.journal import locate_part, read_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from hfa_core.fs.layout import Layout
    from hfa_core.transaction.journal import Journal

LOCK_TIMEOUT_S = 10.0
_NOT_OURS_TO_CLEAN = (".local", ".git")


class writing:  # noqa: N801  # a context manager reads as a word
    """
    A context in which this thread alone writes to a memory, free of what a killed writer left in it.

    With `only_to_recover` nothing else is going to be written, so that a newer format is no reason to refuse: a
    journal says which bytes belong where, whatever they mean.

    Raises on entering:
        JournalError: A journal is damaged, or what it needs is gone. Nothing was changed.
        UnsupportedFormatError: A newer HFA made the memory, so this one does not write to it.
        LockTimeoutError: Another process or thread is at work.
        UnfinishedError: The system refused to let a journal be finished; the next one goes on.
        StorageError: The lock file could not be made or locked.
    """

    def __init__(self, layout: Layout, *, timeout_s: float = LOCK_TIMEOUT_S, only_to_recover: bool = False) -> None:
        self._layout = layout
        self._only_to_recover = only_to_recover
        self._lock = MemoryLock(layout.lock, timeout_s=timeout_s)

    def __enter__(self) -> None:
        lock = self._lock.__enter__()
        try:
            journal = read_journal(self._layout)
            if journal is not None:
                apply_journal(self._layout, journal)
            if journal is not None or lock.interrupted:
                discard_staged(self._layout)
            if not self._only_to_recover:
                ensure_writable(self._layout)
        except BaseException as error:
            # A damaged journal was only looked at; else the next owner has to look for what this one left.
            looked = isinstance(error, JournalError) and not lock.interrupted
            self._lock.release(orderly=looked or isinstance(error, UnsupportedFormatError))
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.__exit__(kind, error, trace)


def apply_journal(layout: Layout, journal: Journal) -> None:
    """
    Carry out the steps that are not yet done, then remove the journal. Each step may be repeated, so a crash in here
    is mended by doing it again.

    Raises:
        JournalError: The new bytes of a file are gone or damaged. Nothing was changed, the journal stays.
        UnfinishedError: The system refused; the journal stays.
    """
    pending = [step for step in journal.steps if _digest_of(locate_part(layout, step.path)) != step.digest]
    for step in pending:
        if _digest_of(locate_part(layout, step.staged)) != step.digest:
            reason = f"belongs to an unfinished {journal.operation}, but the new bytes of {step.path} are gone"
            raise JournalError(layout.journal, f"{reason} ({step.staged})")
    try:
        for step in pending:
            move_in(locate_part(layout, step.staged), locate_part(layout, step.path), keep=True)
        for step in journal.steps:
            # A file that had its new bytes already was not moved in.
            staged = locate_part(layout, step.staged)
            if os.path.lexists(staged):
                remove_file(staged)
        remove_file(layout.journal)
    except StorageError as error:
        raise UnfinishedError(journal.operation, error.path, error.reason) from error
    sync_folder(layout.root)


def discard_staged(layout: Layout) -> int:
    """
    Remove the temporary files that interrupted writes left; how many there were. Only for a holder of the lock, and
    when no journal stands: then nobody else's write is on its way.
    """
    return sum(remove_if_there(path) for path in list_staged(layout))


def list_staged(layout: Layout) -> list[str]:
    """The temporary files in a memory; their writers may be at work for all but a holder of the lock."""
    found: list[str] = []
    for folder, folders, names in os.walk(layout.root):
        folders[:] = sorted(name for name in folders if name not in _NOT_OURS_TO_CLEAN)
        found += [os.path.join(folder, name) for name in sorted(names) if name.startswith(TEMPORARY_PREFIX)]
    return found


def _digest_of(path: str) -> str:
    try:
        return sha256_hex(read_bytes(path))
    except OSError:
        return ""
