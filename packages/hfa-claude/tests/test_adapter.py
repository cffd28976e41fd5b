"""What every adapter must pass, for Claude Code's."""

from __future__ import annotations

import pytest

from hfa_claude.plugin import ClaudeAdapter
from hfa_core.testing import HostAdapterSuite


class TestClaude(HostAdapterSuite):
    @pytest.fixture
    def adapter(self) -> ClaudeAdapter:
        return ClaudeAdapter()
