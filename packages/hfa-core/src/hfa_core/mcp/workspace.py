"""Which project a client means: the roots it offers, else the folder the server was started in."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import unquote, urlsplit

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import InputRequiredResult, InputResponses, ListRootsRequest, ListRootsResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from hfa_core.errors import HfaError
from hfa_core.settings import current_environment
from hfa_core.store.locate import find_memory

_ROOTS = "roots"
_SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
"""
In the environment of the servers that Claude Code starts; it is the `session_id` of its hooks (seen in 2.1.332). The
protocol itself has no name for a host's session.
"""
_ROOTS_TIMEOUT_S = 2.0
"""A client answers from memory; one that does not is served where the server was started."""


class Workspace:
    """
    Where the calls of clients take place. `memory_dir` is the memory named on the command line, or empty; `session` is
    the id of the host's session for which the server was started, empty if unknown.

    Roots are a local client's folders. A server for other machines does not follow them: a path there means nothing
    here, and nobody may send it about this machine's disk. It serves many sessions, and belongs to none.
    """

    def __init__(self, memory_dir: str, *, local: bool) -> None:
        self.memory_dir = memory_dir
        self.session = current_environment().variables.get(_SESSION_VARIABLE, "") if local else ""
        self._follow_roots = local and not memory_dir
        self.folder = _working_folder()

    async def find_start(
        self, context: ServerRequestContext[Any, Any], answers: InputResponses | None
    ) -> str | InputRequiredResult:
        """
        The folder from which the memory is looked for, or the question that the client has to answer first: since
        protocol 2026-07-28 a server cannot ask by itself.
        """
        capabilities = context.session.client_capabilities
        if not self._follow_roots or capabilities is None or capabilities.roots is None:
            return self.folder
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            try:
                offered = await context.session.send_request(
                    ListRootsRequest(), ListRootsResult, request_read_timeout_seconds=_ROOTS_TIMEOUT_S
                )
            except (MCPError, ValueError):
                return self.folder
            return self._choose(offered)
        if not answers or _ROOTS not in answers:
            return InputRequiredResult(input_requests={_ROOTS: ListRootsRequest()})
        offered = answers[_ROOTS]
        return self._choose(offered) if isinstance(offered, ListRootsResult) else self.folder

    def _choose(self, offered: ListRootsResult) -> str:
        """The first root with a memory, else the first that is a folder here."""
        folders = [folder for root in offered.roots if (folder := _as_folder(str(root.uri)))]
        environment = current_environment()
        for folder in folders:
            try:
                if find_memory("", environment, folder) is not None:
                    return folder
            except HfaError:
                # The call itself says what is wrong there.
                return folder
        return folders[0] if folders else self.folder


def _working_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.sep


def _as_folder(uri: str) -> str:
    """The folder of a `file:` URI, empty for anything else."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    path = unquote(parts.path)
    if os.name == "nt":
        path = path.lstrip("/")
    return path if "\0" not in path and os.path.isdir(path) else ""
