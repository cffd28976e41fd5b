"""The Antigravity plugin that this repository is: the hooks and the server at its root, as files that people share."""

from __future__ import annotations

import json

from hfa_core.hosts.json_text import Json
from hfa_generic_hook import __version__
from hfa_generic_hook.install import render_shared
from hfa_generic_hook.profile import read_profile


def render_plugin() -> dict[str, str]:
    """The files, by their names; they name no path, and do nothing where HFA is not installed."""
    manifest: Json = {
        "name": "hfa",
        "version": __version__,
        "description": "A project's decisions, recalled before a prompt. Needs the package hfa-generic-hook.",
    }
    server: Json = {"mcpServers": {"hfa": {"command": "hfa-mcp", "args": []}}}
    return {
        "plugin.json": _dump(manifest),
        "hooks.json": _dump(render_shared(read_profile("antigravity"))),
        "mcp_config.json": _dump(server),
    }


def _dump(document: Json) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
