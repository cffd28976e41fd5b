"""What installing HFA into Newhost changes, and what of it is there."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hfa_core.errors import HostConfigError
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.adapter import InstalledCommand, InstallRequest, Places, Scope
from hfa_core.hosts.boot import render_boot
from hfa_core.hosts.edits import JsonEntry
from hfa_core.hosts.findings import Finding
from hfa_core.hosts.json_edits import find_owned
from hfa_core.hosts.json_text import Json, decode

OWNER = "# hfa-newhost hook"
"""Stands in every command of ours, in every release, and in nobody else's."""

TIMEOUTS_S: Mapping[str, int] = {"SessionStart": 10, "UserPromptSubmit": 5, "PostToolUse": 5, "Stop": 10}


def settings_path(places: Places, scope: Scope) -> Path:
    """The hooks file of a scope; it need not exist."""
    return (places.home if scope == "user" else places.project_root) / ".newhost" / "hooks.json"


def plan_install(request: InstallRequest) -> list[JsonEntry]:
    """One entry for each event."""
    path = settings_path(request.places, request.scope)
    return [
        JsonEntry(path, ("hooks", event), {"command": _command(request, event), "timeout": limit}, OWNER)
        for event, limit in TIMEOUTS_S.items()
    ]


def find_installed(request: InstallRequest) -> Sequence[InstalledCommand]:
    """The commands in the hooks file of the request's scope; none where it cannot be read."""
    path = settings_path(request.places, request.scope)
    found: list[InstalledCommand] = []
    try:
        text = decode(read_bytes(str(path)), str(path))
        for event in TIMEOUTS_S if text.strip() else ():
            for element in find_owned(text, JsonEntry(path, ("hooks", event), None, OWNER)):
                hook: Json = json.loads(element)
                command = hook.get("command") if isinstance(hook, Mapping) else None
                found.append(InstalledCommand(request.scope, path, event, ("sh", "-c", str(command))))
    except (HostConfigError, OSError):
        return []
    return found


def check(request: InstallRequest) -> Iterator[Finding]:
    """Whether anything is installed where the host is in use."""
    if settings_path(request.places, "user").parent.is_dir() and not find_installed(request):
        yield Finding("not_installed", "warning", "HFA is not installed in Newhost", "run `hfa install newhost`")


def _command(request: InstallRequest, event: str) -> str:
    if request.scope == "project":
        return f"hfa-newhost {event} 2>/dev/null || true {OWNER}"
    boot = render_boot("hfa_newhost", OWNER, request.import_roots)
    program = shlex.join([str(request.python), "-I", "-S", "-c", boot, "newhost", event])
    return f"{program} || echo '{{}}' {OWNER}"
