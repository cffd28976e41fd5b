"""`hfa plugins`."""

from __future__ import annotations

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption
from hfa_core.hosts.adapter import HostAdapter
from hfa_core.plugins.manager import LoadedPlugin, Plugins, load_plugins
from hfa_core.settings import current_environment

BROKEN_EXIT_CODE = 1


def plugins(as_json: JsonOption = False) -> None:
    """
    List what is plugged in: hosts and what each supports, search engines, models; a broken plugin ends with 1.

    Example: hfa plugins --json
    """
    only = current_environment().plugins
    found = load_plugins(None if only is None else ",".join(only))
    if as_json:
        print_json(
            {
                "plugins": [_as_json(one) for one in found.loaded],
                "hosts": [_host_as_json(one) for one in found.hosts.values()],
                "broken": [finding.text for finding in found.findings],
            }
        )
    else:
        print_lines(*_describe(found))
    if found.findings:
        raise typer.Exit(BROKEN_EXIT_CODE)


def _as_json(plugin: LoadedPlugin) -> dict[str, object]:
    return {
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "hosts": plugin.hosts,
        "backends": plugin.backends,
        "models": plugin.models,
    }


def _host_as_json(adapter: HostAdapter) -> dict[str, object]:
    return {
        "name": adapter.name,
        "title": adapter.title,
        "capabilities": dict(adapter.capabilities),
        "events": adapter.events,
    }


def _describe(found: Plugins) -> list[str]:
    lines: list[str] = []
    for plugin in found.loaded:
        lines.append(f"{plugin.name}  ({plugin.distribution} {plugin.version})")
        for name in plugin.hosts:
            adapter = found.hosts[name]
            supported = [capability for capability, support in adapter.capabilities.items() if support == "full"]
            lines.append(f"  host     {name}: {adapter.title}; {', '.join(supported) or 'nothing is supported yet'}")
        lines += [f"  backend  {name}" for name in plugin.backends]
        lines += [f"  model    {name}" for name in plugin.models]
    lines += [f"broken   {finding.text}" for finding in found.findings]
    return lines or ["Nothing is plugged in."]
