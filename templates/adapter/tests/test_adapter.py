"""What every adapter must pass, for Newhost's."""

from __future__ import annotations

import pytest
from hfa_newhost.plugin import NewhostAdapter

from hfa_core.testing import HostAdapterSuite


class TestNewhost(HostAdapterSuite):
    @pytest.fixture
    def adapter(self) -> NewhostAdapter:
        """The adapter under test."""
        return NewhostAdapter()
