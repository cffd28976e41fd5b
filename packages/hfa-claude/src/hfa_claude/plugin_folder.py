"""The Claude Code plugin: the same hooks and server as an installation, as files that people share.

Source: https://code.claude.com/docs/en/plugins-reference, run against Claude Code 2.1.332 with `--plugin-dir`.
"""

from __future__ import annotations

import json
from pathlib import Path

from hfa_claude import __version__
from hfa_claude.install import TIMEOUTS_S, plan_hooks, plan_server
from hfa_core.hosts.adapter import InstallRequest, Places
from hfa_core.hosts.json_text import Json

NAME = "hfa"
FOLDER = "packages/hfa-claude/plugin"
"""Where the plugin lies in the repository that serves as its marketplace."""

_DESCRIPTION = "A project's decisions, recalled before a prompt and kept after a turn. Needs the package hfa-claude."
_SITE = "https://pypi.org/project/hfa-claude/"


def render_plugin() -> dict[str, str]:
    """The files of the plugin, by their path in its folder."""
    nowhere = Path("/")
    shared = InstallRequest("project", Places(nowhere, nowhere, {}, nowhere), nowhere, ())
    hooks: Json = {edit.pointer[-1]: [edit.value] for edit in plan_hooks(shared)}
    server = plan_server(shared)
    manifest: Json = {
        "name": NAME,
        "version": __version__,
        "description": _DESCRIPTION,
        "homepage": _SITE,
        "license": "MIT",
        "keywords": ["memory", "decisions"],
    }
    return {
        ".claude-plugin/plugin.json": _dump(manifest),
        "hooks/hooks.json": _dump({"description": f"{len(TIMEOUTS_S)} hooks of HFA", "hooks": hooks}),
        ".mcp.json": _dump({"mcpServers": {server.pointer[-1]: server.value}}),
    }


def render_marketplace() -> str:
    """The file `.claude-plugin/marketplace.json` of the repository."""
    plugin: Json = {"name": NAME, "source": f"./{FOLDER}", "description": _DESCRIPTION}
    return _dump({"name": NAME, "owner": {"name": "HFA"}, "plugins": [plugin]})


def _dump(document: Json) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
