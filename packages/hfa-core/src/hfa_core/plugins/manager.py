"""Loading the packages that registered themselves under the entry point group `hfa`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

import pluggy

from hfa_core.errors import UnknownHostError
from hfa_core.hosts.adapter import HostAdapter
from hfa_core.hosts.findings import Finding
from hfa_core.plugins import hookspecs


@dataclass(frozen=True, slots=True)
class LoadedPlugin:
    """
    A package that was loaded.

    Attributes:
        name: The name of its entry point.
        distribution: The name to install or uninstall it by.
        version: Of the distribution.
        hosts: The names of the hosts it registered; may be empty.
    """

    name: str
    distribution: str
    version: str
    hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plugins:
    """
    What loading brought.

    Attributes:
        hosts: Adapters by name, sorted by it.
        loaded: The packages that work, sorted by the name of their entry point.
        findings: One for each package that is broken and was left out.
    """

    hosts: Mapping[str, HostAdapter]
    loaded: tuple[LoadedPlugin, ...]
    findings: tuple[Finding, ...]


def load_plugins(only: str | None = None, found: Iterable[EntryPoint] | None = None) -> Plugins:
    """
    The installed plugins. A broken one is left out and reported, so that it cannot take the others with it.

    Args:
        only: Names of entry points, separated by commas, to load no others; empty for none, None for all. This is
            what the variable `HFA_PLUGINS` says.
        found: The entry points to load from; None for those of the running interpreter.
    """
    loader = _Loader()
    allowed = None if only is None else {name.strip() for name in only.split(",")}
    for point in sorted(entry_points(group=hookspecs.PROJECT) if found is None else found, key=lambda one: one.name):
        if allowed is None or point.name in allowed:
            loader.load(point)
    return Plugins(dict(sorted(loader.hosts.items())), tuple(loader.loaded), tuple(loader.findings))


def load_hosts(only: str | None = None) -> dict[str, HostAdapter]:
    """
    The adapters of every working plugin, by name.

    Args:
        only: As for `load_plugins`.
    """
    return dict(load_plugins(only).hosts)


def find_host(name: str, only: str | None = None) -> HostAdapter:
    """
    The adapter of a host.

    Args:
        name: The word on the command line.
        only: As for `load_plugins`.

    Raises:
        UnknownHostError: No working plugin speaks for it.
    """
    hosts = load_hosts(only)
    if name not in hosts:
        raise UnknownHostError(name, tuple(hosts))
    return hosts[name]


class _Loader:
    """One plugin manager a plugin: what one of them declares wrongly cannot stop the others."""

    def __init__(self) -> None:
        self.hosts: dict[str, HostAdapter] = {}
        self.loaded: list[LoadedPlugin] = []
        self.findings: list[Finding] = []

    def load(self, point: EntryPoint) -> None:
        distribution = point.dist.name if point.dist else point.value
        version = point.dist.version if point.dist else ""
        try:
            adapters = _register(point)
        except (Exception, SystemExit) as error:
            self._report(distribution, f"{type(error).__name__}: {error}")
            return
        taken = [adapter.name for adapter in adapters if adapter.name in self.hosts]
        if taken:
            self._report(distribution, f"it speaks for {', '.join(taken)}, which another package does already")
        new = {adapter.name: adapter for adapter in adapters if adapter.name not in taken}
        self.hosts.update(new)
        self.loaded.append(LoadedPlugin(point.name, distribution, version, tuple(new)))

    def _report(self, distribution: str, reason: str) -> None:
        text = f"the plugin {distribution} was left out: {reason}"
        self.findings.append(Finding("plugin_broken", "warning", text, f"upgrade or uninstall {distribution}"))


def _register(point: EntryPoint) -> list[HostAdapter]:
    """The adapters of one plugin; whatever is wrong with it raises."""
    plugins = pluggy.PluginManager(hookspecs.PROJECT)
    plugins.add_hookspecs(hookspecs)
    plugins.register(point.load(), point.name)
    plugins.check_pending()
    adapters: list[HostAdapter] = []
    for answer in plugins.hook.hfa_register_host():
        for adapter in [answer] if isinstance(answer, HostAdapter) else list(answer):
            if not isinstance(adapter, HostAdapter):
                raise TypeError(f"{adapter!r} is no HostAdapter")
            adapters.append(adapter)
    return adapters
