"""What each host's configuration must hold to start this server."""

from __future__ import annotations

import json
import os
import sys

GENERIC = "generic"
_STARTUP_S = 60
"""How long hosts that can be told so wait for the server: Cline's own 3 s are too short on a loaded machine (seen)."""

HOSTS = {
    "antigravity": "~/.gemini/antigravity/mcp_config.json",
    "claude": ".mcp.json in the project, or `mcpServers` of ~/.claude.json",
    "cline": "cline_mcp_settings.json (the CLI: ~/.cline/data/settings)",
    "codex": "~/.codex/config.toml",
    "continue": "~/.continue/config.yaml",
    "copilot": "~/.copilot/mcp-config.json",
    "cursor": ".cursor/mcp.json in the project, or ~/.cursor/mcp.json",
    "gemini": "~/.gemini/settings.json",
    GENERIC: "the host's own file of MCP servers",
    "opencode": "opencode.json in the project, or ~/.config/opencode/opencode.json",
    "qwen": "~/.qwen/settings.json",
    "vscode": ".vscode/mcp.json in the project",
}
"""Each host that has a format here, and where its entry belongs."""

_EXTRAS: dict[str, dict[str, object]] = {
    # Claude Code shows only the names of tools and hides the rest behind a search, but for servers marked so.
    "claude": {"type": "stdio", "alwaysLoad": True},
    "cline": {"timeout": _STARTUP_S},
    "copilot": {"type": "local", "tools": ["*"]},
    "vscode": {"type": "stdio"},
}


def render_config(host: str, memory_dir: str = "") -> tuple[str, str]:
    """The text for a host's configuration, JSON unless the host has another format, and where it belongs."""
    command, *arguments = [*_own_command(), *(["--memory-dir", memory_dir] if memory_dir else [])]
    if host == "codex":
        lines = ["[mcp_servers.hfa]", f"command = {_quote(command)}", f"args = {_quote(arguments)}"]
        return "\n".join([*lines, f"startup_timeout_sec = {_STARTUP_S}"]), HOSTS[host]
    if host == "continue":
        # JSON strings and lists are YAML, too.
        lines = ["mcpServers:", "  - name: hfa", f"    command: {_quote(command)}", f"    args: {_quote(arguments)}"]
        return "\n".join(lines), HOSTS[host]
    if host == "opencode":
        entry: dict[str, object] = {"type": "local", "command": [command, *arguments], "enabled": True}
        return _dump({"mcp": {"hfa": entry}}), HOSTS[host]
    entry = {"command": command, "args": arguments, **_EXTRAS.get(host, {})}
    return _dump({"servers" if host == "vscode" else "mcpServers": {"hfa": entry}}), HOSTS[host]


def _own_command() -> list[str]:
    """How this server is started from anywhere: by the script that runs now, or that stands beside the interpreter."""
    beside = os.path.join(
        os.path.dirname(sys.executable), os.path.basename("hfa-mcp.exe" if os.name == "nt" else "hfa-mcp")
    )
    for script in (os.path.abspath(sys.argv[0]), beside):
        if os.path.basename(script).startswith("hfa-mcp") and os.path.isfile(script):
            return [script]
    return [sys.executable, "-m", "hfa_core.mcp"]


def _quote(value: object) -> str:
    """A string or list as TOML and YAML spell it as well."""
    return json.dumps(value, ensure_ascii=False)


def _dump(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2)
