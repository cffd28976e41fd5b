"""Loading the packages that registered themselves under the entry point group `hfa`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar, cast

import pluggy

from hfa_core.errors import UnknownBackendError, UnknownHostError
from hfa_core.hosts.adapter import HostAdapter
from hfa_core.hosts.findings import Finding
from hfa_core.plugins import hookspecs
from hfa_core.plugins.services import IndexBackend, MaintenanceModel


@dataclass(frozen=True, slots=True)
class LoadedPlugin:
    """
    A package that was loaded.

    Attributes:
        name: The name of its entry point.
        distribution: The name to install or uninstall it by.
        version: Of the distribution.
        hosts: The names of the hosts it registered; may be empty.
        backends: The names of its search engines.
        models: The names of its models.
    """

    name: str
    distribution: str
    version: str
    hosts: tuple[str, ...]
    backends: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plugins:
    """
    What loading brought.

    Attributes:
        hosts: Adapters by name, sorted by it.
        loaded: The packages that work, sorted by the name of their entry point.
        findings: One for each package that is broken and was left out.
        backends: Search engines by name, sorted by it.
        models: Models for maintenance by name, sorted by it.
    """

    hosts: Mapping[str, HostAdapter]
    loaded: tuple[LoadedPlugin, ...]
    findings: tuple[Finding, ...]
    backends: Mapping[str, IndexBackend]
    models: Mapping[str, MaintenanceModel]


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
    return Plugins(
        loader.hosts.sorted(),
        tuple(loader.loaded),
        tuple(loader.findings),
        loader.backends.sorted(),
        loader.models.sorted(),
    )


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


def find_backend(name: str, only: str | None = None) -> IndexBackend:
    """
    A search engine that a plugin offers.

    Args:
        name: The word on the command line.
        only: As for `load_plugins`.

    Raises:
        UnknownBackendError: No working plugin offers it.
    """
    backends = load_plugins(only).backends
    if name not in backends:
        raise UnknownBackendError(name, tuple(backends))
    return backends[name]


_Named = TypeVar("_Named", HostAdapter, IndexBackend, MaintenanceModel)


class _Names(dict[str, _Named]):
    """What was registered for one extension point, by name; the first package to take a name has it."""

    def __init__(self, kind: type[object], noun: str) -> None:
        super().__init__()
        self._kind = kind
        self._noun = noun

    def check(self, answers: Sequence[object]) -> list[_Named]:
        """
        The registered objects, each alone or in a sequence.

        Raises:
            TypeError: One is of another kind.
        """
        found: list[_Named] = []
        for answer in answers:
            for one in cast("Sequence[object]", answer) if isinstance(answer, (list, tuple)) else [answer]:
                if not isinstance(one, self._kind):
                    raise TypeError(f"{one!r} is no {self._kind.__name__}")
                found.append(cast("_Named", one))
        return found

    def take(self, found: Sequence[_Named]) -> tuple[tuple[str, ...], str]:
        """The names that were free, and what to report of those that were not."""
        taken = [one.name for one in found if one.name in self]
        new = {one.name: one for one in found if one.name not in taken}
        self.update(new)
        report = f"it {self._noun} {', '.join(taken)}, which another package does already" if taken else ""
        return tuple(new), report

    def sorted(self) -> dict[str, _Named]:
        return dict(sorted(self.items()))


class _Loader:
    """One plugin manager a plugin: what one of them declares wrongly cannot stop the others."""

    def __init__(self) -> None:
        self.hosts = _Names[HostAdapter](HostAdapter, "speaks for")
        self.backends = _Names[IndexBackend](IndexBackend, "offers the index")
        self.models = _Names[MaintenanceModel](MaintenanceModel, "offers the model")
        self.loaded: list[LoadedPlugin] = []
        self.findings: list[Finding] = []

    def load(self, point: EntryPoint) -> None:
        distribution = point.dist.name if point.dist else point.value
        version = point.dist.version if point.dist else ""
        try:
            hook = _register(point)
            hosts = self.hosts.check(hook.hfa_register_host())
            backends = self.backends.check(hook.hfa_register_index_backend())
            models = self.models.check(hook.hfa_register_maintenance_model())
        except (Exception, SystemExit) as error:
            self._report(distribution, f"{type(error).__name__}: {error}")
            return
        taken = self.hosts.take(hosts), self.backends.take(backends), self.models.take(models)
        for _, report in taken:
            if report:
                self._report(distribution, report)
        self.loaded.append(LoadedPlugin(point.name, distribution, version, *(names for names, _ in taken)))

    def _report(self, distribution: str, reason: str) -> None:
        text = f"the plugin {distribution} was left out: {reason}"
        self.findings.append(Finding("plugin_broken", "warning", text, f"upgrade or uninstall {distribution}"))


def _register(point: EntryPoint) -> pluggy.HookRelay:
    """The hooks of one plugin; whatever is wrong with it raises."""
    plugins = pluggy.PluginManager(hookspecs.PROJECT)
    plugins.add_hookspecs(hookspecs)
    plugins.register(point.load(), point.name)
    plugins.check_pending()
    return plugins.hook
