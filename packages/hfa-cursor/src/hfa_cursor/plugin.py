"""The registration of Cursor's adapter, which supports nothing in this version and says so."""

from __future__ import annotations

from hfa_core.hosts.adapter import HostAdapter, UnsupportedAdapter
from hfa_core.plugins import hookimpl


@hookimpl
def hfa_register_host() -> HostAdapter:
    """Cursor's adapter."""
    return UnsupportedAdapter("cursor", "Cursor", ".cursor")
