"""What authors of adapters test with: a suite that every adapter must pass, and a host that is only its hooks."""

from __future__ import annotations

from hfa_core.testing.fake_host import Answer, FakeHost, Told
from hfa_core.testing.suite import HostAdapterSuite

__all__ = ["Answer", "FakeHost", "HostAdapterSuite", "Told"]
