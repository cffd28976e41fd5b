"""What every adapter must pass, for Cursor's."""

from __future__ import annotations

import pytest

from hfa_core.testing import HostAdapterSuite
from hfa_cursor.plugin import CursorAdapter


class TestCursor(HostAdapterSuite):
    @pytest.fixture
    def adapter(self) -> CursorAdapter:
        return CursorAdapter()
