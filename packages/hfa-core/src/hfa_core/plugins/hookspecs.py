"""The extension points: what a package can register."""

from __future__ import annotations

from collections.abc import Sequence

import pluggy

from hfa_core.hosts.adapter import HostAdapter
from hfa_core.plugins.services import IndexBackend, MaintenanceModel

PROJECT = "hfa"
"""The pluggy project name and the group of entry points."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def hfa_register_host() -> HostAdapter | Sequence[HostAdapter]:  # pyright: ignore[reportReturnType]
    """The hosts that a package speaks for. Called once, when plugins are loaded; must not touch the disk."""


@hookspec
def hfa_register_index_backend() -> IndexBackend | Sequence[IndexBackend]:  # pyright: ignore[reportReturnType]
    """Search engines that a package offers to `hfa recall --backend`. Called as `hfa_register_host` is."""


@hookspec
def hfa_register_maintenance_model() -> MaintenanceModel | Sequence[MaintenanceModel]:  # pyright: ignore[reportReturnType]
    """Models that a package offers for the background upkeep. Called as `hfa_register_host` is."""
