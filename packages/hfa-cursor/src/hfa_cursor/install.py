"""What installing HFA into Cursor changes, and what of it is there.

Source: https://cursor.com/docs/hooks (hooks.json version 1) and https://cursor.com/docs/context/rules.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from hfa_core.errors import HostConfigError
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.adapter import InstalledCommand, InstallRequest, Places, Scope
from hfa_core.hosts.boot import render_boot
from hfa_core.hosts.edits import Edit, JsonDefault, JsonEntry, JsonMember, OwnFile
from hfa_core.hosts.json_edits import find_owned
from hfa_core.hosts.json_text import Json, decode

TESTED_VERSION = ""
"""None: Cursor needs an account, so its adapter was only ever run against recorded payloads."""

OWNER = "# hfa-cursor hook"
"""Stands as a comment in every command of ours, whatever its form in other releases."""

COMMAND = "hfa-cursor"
"""The console script, which is all that a file shared by a team may name."""

SERVER_COMMAND = "hfa-mcp"
SERVER_MODULE = "hfa_core.mcp"
SERVER_POINTER = ("mcpServers", "hfa")

FORMAT = 1
"""The version of hooks.json."""

TIMEOUTS_S: Mapping[str, int] = {
    "sessionStart": 10,
    "beforeSubmitPrompt": 5,
    "postToolUse": 5,
    "afterFileEdit": 5,
    "afterAgentResponse": 5,
    "preCompact": 5,
    "stop": 10,
    "sessionEnd": 2,
}
"""The installed events, each with the seconds after which the host gives up on us."""

RULES_OWNER = "hfa: this file is managed by `hfa install cursor`"
_RULES = f"""---
description: The project's memory
alwaysApply: true
---
<!-- {RULES_OWNER} -->
This project keeps its decisions in `memory/`. Before work on a topic, the tool `recall_memory` of the MCP server `hfa`,
if it is there, says what was decided about it. A decision is recorded from a fenced block at the end of an answer:
```hfa-memory, then lines `title:`, `hit_words:` (1-8, comma-separated) and `conclusion:`.
"""
"""
The fallback for releases that drop what `beforeSubmitPrompt` answers: undocumented, and seen to reach the model in 3.9.
"""

# `sh` runs it; a colleague without HFA notices nothing.
_SHARED = "{command} {event} 2>/dev/null || true {owner}"
_OWN = "{program} cursor {event} || echo '{{}}' {owner}"


def hooks_path(places: Places, scope: Scope) -> Path:
    """The hooks file of a scope; it need not exist."""
    return _folder(places, scope) / "hooks.json"


def rules_path(places: Places) -> Path:
    """The rules file of the project; it need not exist."""
    return _folder(places, "project") / "rules" / "hfa.mdc"


def _folder(places: Places, scope: Scope) -> Path:
    return (places.home if scope == "user" else places.project_root) / ".cursor"


def detect(places: Places) -> bool:
    """Whether Cursor's folder of the user exists."""
    return _folder(places, "user").is_dir()


def plan_install(request: InstallRequest) -> list[Edit]:
    """The hooks; for a project the rules file, too; and the MCP server if it is asked for."""
    edits: list[Edit] = [*plan_hooks(request)]
    if request.scope == "project":
        edits.append(OwnFile(rules_path(request.places), _RULES, RULES_OWNER))
    if request.with_server:
        edits.append(plan_server(request))
    return edits


def plan_hooks(request: InstallRequest) -> list[JsonEntry | JsonDefault]:
    """The version that the file must name, unless it names one, and one entry for each event of `TIMEOUTS_S`."""
    path = hooks_path(request.places, request.scope)
    entries = [
        JsonEntry(path, ("hooks", event), {"command": _command(request, event), "timeout": limit}, OWNER)
        for event, limit in TIMEOUTS_S.items()
    ]
    return [JsonDefault(path, "version", FORMAT, OWNER), *entries]


def plan_server(request: InstallRequest) -> JsonMember:
    """The entry that makes Cursor start the MCP server."""
    path = _folder(request.places, request.scope) / "mcp.json"
    if request.scope == "project":
        shared: Json = {"command": SERVER_COMMAND, "args": []}
        return JsonMember(path, SERVER_POINTER, shared, SERVER_COMMAND)
    own: Json = {"command": str(request.python), "args": ["-I", "-m", SERVER_MODULE]}
    return JsonMember(path, SERVER_POINTER, own, SERVER_MODULE)


def find_commands(text: str, path: Path) -> dict[str, list[str]]:
    """
    Our commands in a hooks file, by their event, in the order of a session; no event without one.

    Raises:
        HostConfigError: The text is not plain JSON.
    """
    found: dict[str, list[str]] = {}
    for event in TIMEOUTS_S if text.strip() else ():
        for element in find_owned(text, JsonEntry(path, ("hooks", event), None, OWNER)):
            hook: Json = json.loads(element)
            command = hook.get("command") if isinstance(hook, Mapping) else None
            if isinstance(command, str):
                found.setdefault(event, []).append(command)
    return found


def find_installed(request: InstallRequest) -> Sequence[InstalledCommand]:
    """The commands in the hooks file of the request's scope; none where it cannot be read. Cursor starts a shell."""
    path = hooks_path(request.places, request.scope)
    try:
        commands = find_commands(decode(read_bytes(str(path)), str(path)), path)
    except (HostConfigError, OSError):
        return []
    return [
        InstalledCommand(request.scope, path, event, ("sh", "-c", command))
        for event, of_event in commands.items()
        for command in dict.fromkeys(of_event)
    ]


def _command(request: InstallRequest, event: str) -> str:
    if request.scope == "project":
        return _SHARED.format(command=COMMAND, event=event, owner=OWNER)
    boot = render_boot("hfa_cursor", OWNER, request.import_roots)
    program = shlex.join([str(request.python), "-I", "-S", "-c", boot])
    return _OWN.format(program=program, event=event, owner=OWNER)
