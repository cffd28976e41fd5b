"""The journal of an operation that is decided and not yet applied."""

from __future__ import annotations

import os

from hfa_core.errors import JournalError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout


def refuse_open_journal(layout: Layout) -> None:
    """Raise JournalError where a decided operation is not finished: until then nothing may be read or written."""
    if os.path.exists(layout.journal):
        raise JournalError(layout.journal, "an earlier operation was not finished")
