"""What every adapter must pass, for Antigravity's, which is a profile."""

from __future__ import annotations

import pytest

from hfa_core.testing import HostAdapterSuite
from hfa_generic_hook.plugin import AntigravityAdapter


class TestAntigravity(HostAdapterSuite):
    @pytest.fixture
    def adapter(self) -> AntigravityAdapter:
        return AntigravityAdapter()
