"""The generated pages after a write command."""

from __future__ import annotations

import sys

from hfa_core.errors import LockTimeoutError, StorageError
from hfa_core.fs.layout import Layout
from hfa_core.index.pages import refresh_views
from hfa_core.tokens.exact import load_counter


def refresh_after_write(layout: Layout) -> None:
    """Refresh the pages after a record was stored; one that cannot be written lags, which is no fault of the write."""
    try:
        refresh_views(layout, find_counter=load_counter)
    except (LockTimeoutError, StorageError) as error:
        print(f"hfa: the record is stored; its page is behind until the next write ({error})", file=sys.stderr)
