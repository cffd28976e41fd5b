"""What is wrong with an installation in Cursor, as `hfa doctor` reports it."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hfa_core.errors import HostConfigError
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.adapter import InstallRequest, Scope
from hfa_core.hosts.boot import check_boot
from hfa_core.hosts.findings import Finding
from hfa_core.hosts.json_edits import add_entries
from hfa_core.hosts.json_text import decode
from hfa_cursor.install import COMMAND, TIMEOUTS_S, detect, find_commands, hooks_path, plan_hooks, rules_path

SCOPES: tuple[Scope, ...] = ("user", "project")


def check(request: InstallRequest) -> Iterator[Finding]:
    """What is wrong in the user's and the project's hooks file, whichever scope is asked for; errors first."""
    severities = ("error", "warning", "info")
    yield from sorted(_check(request), key=lambda finding: severities.index(finding.severity))


@dataclass(frozen=True, slots=True)
class _Installed:
    """What of ours is in one hooks file: the commands by event, and whether an installation would change them."""

    scope: Scope
    path: Path
    commands: dict[str, list[str]]
    is_current: bool


def _check(request: InstallRequest) -> Iterator[Finding]:
    found: list[_Installed] = []
    is_readable = True
    for scope in SCOPES:
        path = hooks_path(request.places, scope)
        try:
            text = decode(read_bytes(str(path)), str(path))
            commands = find_commands(text, path)
            if commands:
                is_current = add_entries(text, plan_hooks(replace(request, scope=scope)))[0] == text
                found.append(_Installed(scope, path, commands, is_current))
        except FileNotFoundError:
            continue
        except (HostConfigError, OSError) as error:
            is_readable = False
            yield Finding("settings_unreadable", "error", f"{path} cannot be read: {error}", f"mend {path}")
    for installed in found:
        yield from _check_commands(request, installed)
    if not found and is_readable and detect(request.places):
        fix = f"run `hfa install cursor --scope {request.scope}`"
        yield Finding("not_installed", "warning", "HFA is not installed in Cursor", fix)
    if found:
        yield from _check_rules(request)


def _check_rules(request: InstallRequest) -> Iterator[Finding]:
    """Which way recalled text takes: what a prompt's hook answers is not documented to reach the model."""
    active = "and the rules file tells the agent to ask for it" if rules_path(request.places).is_file() else ""
    fix = "" if active else "`hfa install cursor --scope project` adds a rules file as a fallback"
    text = "Cursor does not document that a prompt's hook may add context; it was seen to since 3.9"
    yield Finding("prompt_context_undocumented", "info", ", ".join(filter(None, [text, active])), fix)


def _check_commands(request: InstallRequest, installed: _Installed) -> Iterator[Finding]:
    again = f"run `hfa install cursor --scope {installed.scope}` again"
    missing = [event for event in TIMEOUTS_S if event not in installed.commands]
    if missing:
        text = f"{installed.path} lacks HFA's hook for {', '.join(missing)}"
        yield Finding("partly_installed", "warning", text, again)
    elif not installed.is_current:
        text = f"{installed.path} holds other hooks than this HFA would install"
        yield Finding("outdated", "info", text, again)
    every = [command for of_event in installed.commands.values() for command in of_event]
    boots = dict.fromkeys(_split(command) for command in every)
    for words in boots:
        if len(words) > 4 and words[3] == "-c":
            yield from check_boot("hfa_cursor", installed.path, words[0], words[4], again)
    if any(words[0] == COMMAND for words in boots if words) and not shutil.which(
        COMMAND, path=request.places.env.get("PATH", "")
    ):
        text = f"{installed.path} runs `{COMMAND}`, which is not on PATH, so its hooks do nothing"
        yield Finding("command_missing", "warning", text, f"put the folder of `{COMMAND}` on PATH")


def _split(command: str) -> Sequence[str]:
    """The words of a command, but the event, which is not what can be wrong with it; none if no shell reads it."""
    try:
        return tuple(shlex.split(command)[:5])
    except ValueError:
        return ()
