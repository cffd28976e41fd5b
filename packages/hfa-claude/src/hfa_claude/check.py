"""What is wrong with an installation in Claude Code, as `hfa doctor` reports it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hfa_claude.install import COMMAND, OWNER, TIMEOUTS_S, find_handlers, plan_hooks, settings_path, state_path
from hfa_core.errors import HostConfigError
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.adapter import InstallRequest, Places, Scope
from hfa_core.hosts.boot import check_boot
from hfa_core.hosts.findings import Finding
from hfa_core.hosts.json_edits import add_entries
from hfa_core.hosts.json_text import Json, decode, scan


def check(request: InstallRequest) -> Iterator[Finding]:
    """What is wrong in the user's and the project's settings, whichever scope is asked for; errors first."""
    severities = ("error", "warning", "info")
    yield from sorted(_check(request), key=lambda finding: severities.index(finding.severity))


def is_trusted(places: Places) -> bool | None:
    """What Claude Code has noted of the user's answer to its question about the folder; None if it has not asked."""
    project = _member(_member(_load(state_path(places)), "projects"), str(places.project_root))
    accepted = _member(project, "hasTrustDialogAccepted")
    return accepted if isinstance(accepted, bool) else None


def _load(path: Path) -> Json:
    """The document in a file; None where it cannot be read."""
    try:
        return json.loads(read_bytes(str(path)))
    except (OSError, ValueError):
        return None


def _member(value: Json, key: str) -> Json:
    return value.get(key) if isinstance(value, Mapping) else None


@dataclass(frozen=True, slots=True)
class _Installed:
    """What of ours is in one settings file: the events, the handlers, whether an installation would change them."""

    scope: Scope
    path: Path
    events: tuple[str, ...]
    handlers: tuple[Mapping[str, Json], ...]
    is_current: bool


def _check(request: InstallRequest) -> Iterator[Finding]:
    found: list[_Installed] = []
    is_readable = True
    for scope, path in _settings_files(request.places).items():
        try:
            text = decode(read_bytes(str(path)), str(path))
            if text.strip():
                yield from _check_switch(text, path)
                found += _find_installed(request, scope, path, text)
        except FileNotFoundError:
            continue
        except (HostConfigError, OSError) as error:
            is_readable = False
            yield Finding("settings_unreadable", "error", f"{path} cannot be read: {error}", f"mend {path}")
    for installed in found:
        yield from _check_handlers(request, installed)
    install = f"run `hfa install claude --scope {request.scope}`"
    if not found and is_readable:
        yield Finding("not_installed", "warning", "HFA is not installed in Claude Code", install)
    if len(found) > 1:
        text = "HFA is installed in Claude Code for the user and for this project; each event is answered once"
        yield Finding("installed_twice", "info", text, "run `hfa uninstall claude` for one scope if one is enough")


def _settings_files(places: Places) -> dict[Scope | None, Path]:
    """The files to look at; under None the one in which we never install."""
    files: dict[Scope | None, Path] = {"user": settings_path(places, "user")}
    if settings_path(places, "project") != files["user"]:
        files["project"] = settings_path(places, "project")
    files[None] = places.project_root / ".claude" / "settings.local.json"
    return files


def _check_switch(text: str, path: Path) -> Iterator[Finding]:
    if any(item.node.value == "true" for item in scan(text, str(path)).members("disableAllHooks")):
        yield Finding(
            "hooks_disabled",
            "error",
            f"{path} switches every hook of Claude Code off (`disableAllHooks`)",
            "set that key to false",
        )


def _find_installed(request: InstallRequest, scope: Scope | None, path: Path, text: str) -> list[_Installed]:
    if scope is None:
        return []
    handlers = find_handlers(text, path)
    if not handlers:
        return []
    is_current = add_entries(text, plan_hooks(replace(request, scope=scope)))[0] == text
    every = tuple(handler for of_event in handlers.values() for handler in of_event)
    return [_Installed(scope, path, tuple(handlers), every, is_current)]


def _check_handlers(request: InstallRequest, installed: _Installed) -> Iterator[Finding]:
    again = f"run `hfa install claude --scope {installed.scope}` again"
    missing = [event for event in TIMEOUTS_S if event not in installed.events]
    if missing:
        text = f"{installed.path} lacks HFA's hook for {', '.join(missing)}"
        yield Finding("partly_installed", "warning", text, again)
    elif not installed.is_current:
        text = f"{installed.path} holds other hooks than this HFA would install"
        yield Finding("outdated", "info", text, again)
    boots: dict[tuple[str, str], None] = {}
    for handler in installed.handlers:
        args = handler.get("args")
        boot = next((str(arg) for arg in args if OWNER in str(arg)), "") if isinstance(args, Sequence) else ""
        if boot:
            boots[str(handler.get("command")), boot] = None
        elif OWNER in str(handler.get("command")) and not shutil.which(
            COMMAND, path=request.places.env.get("PATH", "")
        ):
            text = f"{installed.path} runs `{COMMAND}`, which is not on PATH, so its hooks do nothing"
            yield Finding("command_missing", "warning", text, f"put the folder of `{COMMAND}` on PATH")
            return
    for command, boot in boots:
        yield from check_boot("hfa_claude", installed.path, command, boot, again)
