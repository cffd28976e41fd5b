"""The MCP server under the SDK's own client: in this process for speed, or as a real process on stdio."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.client.session import ListRootsFnT
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, ListRootsResult, Root
from pydantic import FileUrl

from hfa_core.mcp.server import build_server
from hfa_core.mcp.workspace import Workspace
from tests.payloads.hfa_command import Done, Hfa, run_hfa
from tests.payloads.mcp_process import SCRIPT, TIMEOUT_S, RawServer

T = TypeVar("T")


@pytest.fixture
def variables(own_environment: Path) -> dict[str, str]:
    """The environment of a user's processes."""
    return {"HOME": str(own_environment), "PATH": os.environ.get("PATH", ""), "GIT_CONFIG_GLOBAL": os.devnull}


@pytest.fixture
def talk(project: Path, variables: dict[str, str]) -> Callable[..., Any]:
    """`talk(use, mode="auto", cwd=folder)` runs `use(client)` against a real server process on stdio."""

    def run(
        use: Callable[[Client], Awaitable[T]],
        *arguments: str,
        cwd: Path = project,
        mode: str = "legacy",
        roots: list[str] | None = None,
    ) -> T:
        place = StdioServerParameters(command=str(SCRIPT), args=list(arguments), cwd=str(cwd), env=variables)

        async def session() -> T:
            answer = None if roots is None else offer(roots)
            async with Client(place, mode=mode, read_timeout_seconds=TIMEOUT_S, list_roots_callback=answer) as client:
                return await use(client)

        return asyncio.run(session())

    return run


def offer(roots: list[str]) -> ListRootsFnT:
    """What a client answers that is asked for its roots."""

    async def answer(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(one)) for one in roots])

    return answer


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Callable[..., CallToolResult]:
    """`call("recall_memory", {"query": "x"}, cwd=folder)` calls a tool of a server in this process."""

    def run(tool: str, arguments: dict[str, object], *, cwd: Path, memory_dir: str = "") -> CallToolResult:
        monkeypatch.chdir(cwd)

        async def session() -> CallToolResult:
            async with Client(build_server(Workspace(memory_dir, local=True)), mode="legacy") as client:
                return await client.call_tool(tool, arguments)

        return asyncio.run(session())

    return run


@pytest.fixture
def hfa(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hfa:
    """`hfa("recall", "a prompt", cwd=folder)` runs the command in `project` as the console script would."""

    def run(*arguments: str, cwd: Path = project) -> Done:
        return run_hfa(arguments, cwd, monkeypatch, capsys)

    return run


@pytest.fixture
def raw(project: Path, variables: dict[str, str]) -> Iterator[RawServer]:
    """A server in `project`, spoken to by hand."""
    server = RawServer(project, variables)
    yield server
    server.stop()
