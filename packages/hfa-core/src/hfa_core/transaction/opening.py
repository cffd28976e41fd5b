"""What everything that opens a memory asks first: whether an operation stands unfinished in it."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout

LOCK_TIMEOUT_S = 10.0


def ensure_recovered(layout: Layout, *, lock_timeout_s: float = LOCK_TIMEOUT_S) -> bool:
    """
    Finish the operation that stands in a memory, if one does; whether there was one. It costs one look at the disk.

    Raises:
        JournalError: The journal is damaged, or what it needs is gone. Nothing was changed.
        LockTimeoutError: Another process is at work, perhaps at that very operation.
        UnfinishedError, StorageError: The system refused; the journal stands, and the next one goes on.
    """
    if not os.path.exists(layout.journal):
        return False
    # Hardly ever needed, so a prompt does not load it.
    from hfa_core.transaction.recover import writing

    with writing(layout, timeout_s=lock_timeout_s, only_to_recover=True):
        return True
