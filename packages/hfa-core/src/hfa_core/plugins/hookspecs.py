"""The extension points: what a package can register."""

from __future__ import annotations

from collections.abc import Sequence

import pluggy

from hfa_core.hosts.adapter import HostAdapter

PROJECT = "hfa"
"""The pluggy project name and the group of entry points."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def hfa_register_host() -> HostAdapter | Sequence[HostAdapter]:  # pyright: ignore[reportReturnType]
    """The hosts that a package speaks for. Called once, when plugins are loaded; must not touch the disk."""
