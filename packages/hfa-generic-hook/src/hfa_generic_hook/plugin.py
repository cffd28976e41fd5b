"""The registration of the adapter for hosts described as data, which supports nothing in this version and says so."""

from __future__ import annotations

from hfa_core.hosts.adapter import HostAdapter, UnsupportedAdapter
from hfa_core.plugins import hookimpl


@hookimpl
def hfa_register_host() -> HostAdapter:
    """The adapter for hosts described as data."""
    return UnsupportedAdapter("generic", "Any host described as data")
