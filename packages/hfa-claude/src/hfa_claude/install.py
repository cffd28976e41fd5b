"""What installing HFA into Claude Code changes, and what is wrong with an installation.

Source: https://code.claude.com/docs/en/hooks, run against Claude Code 2.1.332.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hfa_core.errors import HostConfigError
from hfa_core.hosts.adapter import InstallRequest, Places, Scope
from hfa_core.hosts.edits import JsonEntry
from hfa_core.hosts.findings import Finding
from hfa_core.hosts.json_edits import add_entries, find_owned
from hfa_core.hosts.json_text import Json, decode, scan

OWNER = "# hfa-claude hook"
"""Stands as a comment in every command of ours, whatever its form in other releases."""

COMMAND = "hfa-claude"
"""The console script, which is all that a settings file shared by a team may name."""

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

# Hosts bind trust to the command, so these lines stay as they are in every release. The roots go to the end of the
# search path, where nothing in them can shadow the standard library. A hook that has replied says so in `replied`,
# so that a fault after it brings no second reply. Collecting garbage while a short process loads costs it a fifth of an
# interpreter start and frees nothing. The process ends without an orderly shutdown because flushing to a
# closed pipe would turn into exit code 120.
_BOOT = """\
{owner}: whatever fails here, the host gets an empty reply and goes on.
import gc, os, sys
try:
    try:
        gc.disable()
        sys.path += {roots}
        from hfa_claude import hook
        hook.main(sys.argv[1:])
    except SystemExit as end:
        if end.code:
            raise
    sys.stdout.flush()
except BaseException:
    if not getattr(sys.modules.get("hfa_claude.hook"), "replied", False):
        os.write(1, b"{{}}\\n")
finally:
    os._exit(0)
"""
_ROOTS_LINE = re.compile(r"sys\.path \+= (\[.*\])$", re.MULTILINE)

# Means the same to sh and, where Claude Code finds no other shell, to PowerShell, in which `$null` is a constant: run
# the command if there is one, keep its complaints to itself, succeed. A colleague without HFA notices nothing.
_SHARED = "null=/dev/null; {command} {event} 2>$null; exit 0 {owner}"


def render_boot(import_roots: Sequence[Path]) -> str:
    """
    The program that the installed command runs with `python -I -S -c`.

    It runs `hfa_claude.hook.main([host, event])` and, whatever happens, ends with exit code 0: a missing package must
    not end with 2, which the host reads as "block".

    Args:
        import_roots: Absolute folders to import from.
    """
    # Escaped to ASCII, because an interpreter in a foreign locale decodes its command line by that locale.
    return _BOOT.format(owner=OWNER, roots=ascii([str(root) for root in import_roots]))


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


def plan_install(request: InstallRequest) -> list[JsonEntry]:
    """
    One entry for each event of `TIMEOUTS_S`, in that order.

    The user's settings start the interpreter directly, without a shell. A project's settings are committed, so they
    name no absolute path, only the console script, if there is one.
    """
    path = settings_path(request.places, request.scope)
    return [JsonEntry(path, ("hooks", event), _group(event, _handler(request, event)), OWNER) for event in TIMEOUTS_S]


def check(request: InstallRequest) -> Iterator[Finding]:
    """What is wrong in the user's and the project's settings, whichever scope is asked for; errors first."""
    severities = ("error", "warning", "info")
    yield from sorted(_check(request), key=lambda finding: severities.index(finding.severity))


def _group(event: str, handler: Mapping[str, Json]) -> Json:
    if event == "PostToolUse":
        return {"matcher": TOOLS_ON_FILES, "hooks": [handler]}
    return {"hooks": [handler]}


def _handler(request: InstallRequest, event: str) -> Mapping[str, Json]:
    timeout = TIMEOUTS_S[event]
    if request.scope == "project":
        command = _SHARED.format(command=COMMAND, event=event, owner=OWNER)
        return {"type": "command", "command": command, "timeout": timeout}
    args = ["-I", "-S", "-c", render_boot(request.import_roots), "claude", event]
    return {"type": "command", "command": str(request.python), "args": args, "timeout": timeout}


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
            text = decode(path.read_bytes(), str(path))
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
    events: list[str] = []
    handlers: list[Mapping[str, Json]] = []
    for event in TIMEOUTS_S:
        elements = find_owned(text, JsonEntry(path, ("hooks", event), None, OWNER))
        events += [event] if elements else []
        for element in elements:
            group: Json = json.loads(element)
            of_group = group.get("hooks") if isinstance(group, Mapping) else None
            if isinstance(of_group, Sequence):
                handlers += [handler for handler in of_group if isinstance(handler, Mapping)]
    if not events:
        return []
    is_current = add_entries(text, plan_install(replace(request, scope=scope)))[0] == text
    return [_Installed(scope, path, tuple(events), tuple(handlers), is_current)]


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
        yield from _check_boot(installed.path, command, boot, again)


def _check_boot(path: Path, command: str, boot: str, again: str) -> Iterator[Finding]:
    if not Path(command).is_file():
        text = f"{path} starts {command}, which no longer exists, so HFA's hooks do nothing"
        yield Finding("interpreter_missing", "error", text, again)
    roots = _roots_of(boot)
    gone = [root for root in roots if not Path(root).is_dir()]
    if gone:
        text = f"{path} imports HFA from {', '.join(gone)}, which no longer exists, so HFA's hooks do nothing"
        yield Finding("root_missing", "error", text, again)
    elif not any((Path(root) / "hfa_claude").is_dir() for root in roots):
        text = f"{path} imports HFA from {', '.join(roots) or 'nowhere'}, where it no longer is"
        yield Finding("package_missing", "error", text, again)


def _roots_of(boot: str) -> list[str]:
    line = _ROOTS_LINE.search(boot)
    try:
        literal = ast.parse(line[1], mode="eval").body if line else None
    except (ValueError, SyntaxError):
        return []
    parts = (
        [part.value for part in literal.elts if isinstance(part, ast.Constant)] if isinstance(literal, ast.List) else []
    )
    return [part for part in parts if isinstance(part, str)]
