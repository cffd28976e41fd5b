"""What installing HFA into Claude Code changes, and what of it is there.

Source: https://code.claude.com/docs/en/hooks, run against Claude Code 2.1.332.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from hfa_core.errors import HostConfigError
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.adapter import InstalledCommand, InstallRequest, Places, Scope
from hfa_core.hosts.boot import render_boot
from hfa_core.hosts.edits import JsonEntry, JsonMember
from hfa_core.hosts.json_edits import find_owned
from hfa_core.hosts.json_text import Json, decode

TESTED_VERSION = "2.1.332"

OWNER = "# hfa-claude hook"
"""Stands as a comment in every command of ours, whatever its form in other releases."""

COMMAND = "hfa-claude"
"""The console script, which is all that a settings file shared by a team may name."""

SERVER_COMMAND = "hfa-mcp"
SERVER_MODULE = "hfa_core.mcp"
SERVER_POINTER = ("mcpServers", "hfa")

TOOLS_ON_FILES = "Write|Edit|MultiEdit|NotebookEdit|Read"
"""A matcher of letters and `|` alone is a list of exact tool names."""

TIMEOUTS_S: Mapping[str, int] = {
    "SessionStart": 10,
    "UserPromptSubmit": 5,
    "PostToolUse": 5,
    "Stop": 10,
    "SessionEnd": 1,
}
"""
The installed events in the order of a session, each with the seconds after which the host gives up on us.

PreCompact is not among them: Claude Code 2.1.332 adds whatever its hook prints, `{}` too, to the instructions for the
summary, and writes the hook's whole command line into the conversation. SessionStart follows, with source `compact`.

choice: far above what a hook takes and far below the host's own limits (30 s for a prompt, 600 s else). All
SessionEnd hooks share 1.5 s, and a larger value here would raise that for everybody's, so ours stays below it.
"""

# Means the same to sh and, where Claude Code finds no other shell, to PowerShell, in which `$null` is a constant: run
# the command if there is one, keep its complaints to itself, succeed. A colleague without HFA notices nothing.
_SHARED = "null=/dev/null; {command} {event} 2>$null; exit 0 {owner}"


def settings_path(places: Places, scope: Scope) -> Path:
    """The settings file of a scope; it need not exist. The user's moves with `CLAUDE_CONFIG_DIR`."""
    if scope == "project":
        return places.project_root / ".claude" / "settings.json"
    return config_folder(places) / "settings.json"


def config_folder(places: Places) -> Path:
    """Claude Code's folder of the user; it need not exist."""
    moved = places.env.get("CLAUDE_CONFIG_DIR")
    return Path(moved) if moved else places.home / ".claude"


def detect(places: Places) -> bool:
    """Whether Claude Code's folder of the user exists."""
    return config_folder(places).is_dir()


def state_path(places: Places) -> Path:
    """The file in which Claude Code keeps what it knows of the user: MCP servers, and which folders are trusted."""
    moved = places.env.get("CLAUDE_CONFIG_DIR")
    return (Path(moved) if moved else places.home) / ".claude.json"


def plan_install(request: InstallRequest) -> list[JsonEntry | JsonMember]:
    """
    The hooks, and the MCP server if it is asked for.

    The user's settings start the interpreter directly, without a shell. A project's settings are committed, so they
    name no absolute path, only the console script, if there is one.
    """
    return [*plan_hooks(request), *([plan_server(request)] if request.with_server else [])]


def plan_hooks(request: InstallRequest) -> list[JsonEntry]:
    """One entry for each event of `TIMEOUTS_S`, in that order."""
    path = settings_path(request.places, request.scope)
    return [JsonEntry(path, ("hooks", event), _group(event, _handler(request, event)), OWNER) for event in TIMEOUTS_S]


def plan_server(request: InstallRequest) -> JsonMember:
    """
    The entry that makes Claude Code start the MCP server.

    `alwaysLoad` shows its three tools to the model; else it would see their names only, and have to search for them.
    """
    if request.scope == "project":
        entry: Json = {"type": "stdio", "command": SERVER_COMMAND, "args": [], "alwaysLoad": True}
        return JsonMember(request.places.project_root / ".mcp.json", SERVER_POINTER, entry, SERVER_COMMAND)
    arguments = ["-I", "-m", SERVER_MODULE]
    entry = {"type": "stdio", "command": str(request.python), "args": arguments, "alwaysLoad": True}
    return JsonMember(state_path(request.places), SERVER_POINTER, entry, SERVER_MODULE)


def find_handlers(text: str, path: Path) -> dict[str, list[Mapping[str, Json]]]:
    """
    Our handlers in a settings text, by the event they are for, in the order of a session; no event without one.

    Raises:
        HostConfigError: The text is not plain JSON.
    """
    found: dict[str, list[Mapping[str, Json]]] = {}
    for event in TIMEOUTS_S if text.strip() else ():
        for element in find_owned(text, JsonEntry(path, ("hooks", event), None, OWNER)):
            group: Json = json.loads(element)
            handlers = group.get("hooks") if isinstance(group, Mapping) else None
            if isinstance(handlers, Sequence):
                found.setdefault(event, []).extend(one for one in handlers if isinstance(one, Mapping))
    return found


def find_installed(request: InstallRequest) -> list[InstalledCommand]:
    """The commands in the settings of the request's scope; none where they cannot be read."""
    path = settings_path(request.places, request.scope)
    try:
        handlers = find_handlers(decode(read_bytes(str(path)), str(path)), path)
    except (HostConfigError, OSError):
        return []
    return [
        InstalledCommand(request.scope, path, event, argv)
        for event, of_event in handlers.items()
        for argv in dict.fromkeys(_argv(handler) for handler in of_event)
    ]


def _argv(handler: Mapping[str, Json]) -> tuple[str, ...]:
    """The process of a handler: with `args` the host starts it itself, else `sh` does."""
    command, args = str(handler.get("command", "")), handler.get("args")
    if isinstance(args, Sequence) and not isinstance(args, str):
        return (command, *map(str, args))
    return ("sh", "-c", command)


def render_shared(event: str) -> str:
    """The shell command for files that people share, which names no path."""
    return _SHARED.format(command=COMMAND, event=event, owner=OWNER)


def _group(event: str, handler: Mapping[str, Json]) -> Json:
    if event == "PostToolUse":
        return {"matcher": TOOLS_ON_FILES, "hooks": [handler]}
    return {"hooks": [handler]}


def _handler(request: InstallRequest, event: str) -> Mapping[str, Json]:
    timeout = TIMEOUTS_S[event]
    if request.scope == "project":
        return {"type": "command", "command": render_shared(event), "timeout": timeout}
    args = ["-I", "-S", "-c", render_boot("hfa_claude", OWNER, request.import_roots), "claude", event]
    return {"type": "command", "command": str(request.python), "args": args, "timeout": timeout}
