"""The hooks that a profile's host is given: printed for any, installed where the profile says where they go."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path

from hfa_core.errors import HostConfigError, ProfileError
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.adapter import InstalledCommand, InstallRequest, Places, Scope
from hfa_core.hosts.boot import render_boot
from hfa_core.hosts.edits import JsonMember
from hfa_core.hosts.json_edits import find_owned
from hfa_core.hosts.json_text import Json, decode
from hfa_generic_hook.profile import Profile

OWNER = "# hfa-generic-hook hook"
COMMAND = "hfa-hook"


def settings_path(profile: Profile, places: Places, scope: Scope) -> Path:
    """
    The hooks file of a scope; it need not exist.

    Raises:
        ProfileError: The profile does not say.
    """
    where = profile.hooks.get(scope)
    if not isinstance(where, str) or not where:
        raise ProfileError(profile.name, f"hooks.{scope}", "says no place; print the hooks and put them in yourself")
    return places.home / where[2:] if where.startswith("~/") else places.project_root / where


def plan_install(profile: Profile, request: InstallRequest) -> list[JsonMember]:
    """All hooks of the host, as one member of its hooks file."""
    path = settings_path(profile, request.places, request.scope)
    is_shared = request.scope == "project"
    commands = {
        event: _shared(profile, event) if is_shared else _own(profile, request, event) for event in profile.events
    }
    return [JsonMember(path, (str(profile.hooks.get("member", "hfa")),), render_hooks(profile, commands), OWNER)]


def render_hooks(profile: Profile, commands: Mapping[str, str]) -> Json:
    """The hooks as the host wants them, by event."""
    entry = profile.hooks.get("entry")
    return {
        event: _fill(entry, {"{command}": command, "{timeout}": profile.events[event].get("timeout", 5)})
        for event, command in commands.items()
    }


def print_hooks(profile: Profile, profile_name: str, python: Path, roots: tuple[Path, ...], memory_dir: str) -> Json:
    """The hooks of a host, for its settings: absolute paths, for this machine; as one member of a JSON object."""
    arguments = ["--memory-dir", memory_dir] if memory_dir else []
    commands = {event: _boot(python, roots, [*arguments, profile_name, event]) for event in profile.events}
    return {str(profile.hooks.get("member", "hooks")): render_hooks(profile, commands)}


def render_shared(profile: Profile) -> Json:
    """The hooks for a file that people share."""
    commands = {event: _shared(profile, event) for event in profile.events}
    return {str(profile.hooks.get("member", "hooks")): render_hooks(profile, commands)}


def find_installed(profile: Profile, request: InstallRequest) -> list[InstalledCommand]:
    """The commands in the hooks file of the request's scope; none where it cannot be read. Such hosts start a shell."""
    try:
        (edit,) = plan_install(profile, request)
        found = find_owned(decode(read_bytes(str(edit.path)), str(edit.path)), edit)
    except (HostConfigError, ProfileError, OSError):
        return []
    hooks: Json = json.loads(found[0]) if found else {}
    return [
        InstalledCommand(request.scope, edit.path, event, ("sh", "-c", command))
        for event, entry in (hooks.items() if isinstance(hooks, Mapping) else ())
        for command in dict.fromkeys(_commands(entry))
    ]


def _commands(value: Json) -> list[str]:
    if isinstance(value, Mapping):
        own = [str(value["command"])] if OWNER in str(value.get("command", "")) else []
        return own + [command for inner in value.values() for command in _commands(inner)]
    if isinstance(value, (list, tuple)):
        return [command for inner in value for command in _commands(inner)]
    return []


def _own(profile: Profile, request: InstallRequest, event: str) -> str:
    return _boot(request.python, request.import_roots, [profile.name, event])


def _boot(python: Path, roots: tuple[Path, ...], arguments: list[str]) -> str:
    boot = render_boot("hfa_generic_hook", OWNER, roots)
    return f"{shlex.join([str(python), '-I', '-S', '-c', boot, *arguments])} || echo '{{}}' {OWNER}"


def _shared(profile: Profile, event: str) -> str:
    return f"{COMMAND} {profile.name} {event} 2>/dev/null || echo '{{}}' {OWNER}"


def _fill(value: object, words: Mapping[str, object]) -> Json:
    if isinstance(value, str):
        filled = words.get(value, value)
        return filled if isinstance(filled, (str, int)) else str(filled)
    if isinstance(value, list):
        return [_fill(item, words) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, dict):
        return {str(key): _fill(item, words) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value if isinstance(value, (bool, int, float)) else None
