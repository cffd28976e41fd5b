"""The MCP server under the SDK's own client: in this process for speed, or as a real process on stdio."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

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

SCRIPT = Path(sys.executable).with_name("hfa-mcp")
TIMEOUT_S = 60
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
            async with Client(build_server(Workspace(memory_dir, follow_roots=True)), mode="legacy") as client:
                return await client.call_tool(tool, arguments)

        return asyncio.run(session())

    return run


@pytest.fixture
def hfa(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hfa:
    """`hfa("recall", "a prompt", cwd=folder)` runs the command in `project` as the console script would."""

    def run(*arguments: str, cwd: Path = project) -> Done:
        return run_hfa(arguments, cwd, monkeypatch, capsys)

    return run


class RawServer:
    """A server process to which a test writes frames by hand."""

    def __init__(self, cwd: Path, variables: dict[str, str], *, arguments: Sequence[str] = ()) -> None:
        self.process = subprocess.Popen(
            [str(SCRIPT), *arguments], cwd=cwd, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def send(self, frame: bytes | dict[str, object]) -> None:
        assert self.process.stdin
        data = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def ask(self, id: int, method: str, **params: object) -> dict[str, Any]:
        """The answer to a request; frames that answer nothing, and errors without an id, are passed over."""
        self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == id:
                return message

    def read(self) -> dict[str, Any]:
        """The next message, which must be one JSON object."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.process.stderr and self.process.stderr.read()
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return cast("dict[str, Any]", message)

    def handshake(self, version: str = "2025-11-25") -> dict[str, Any]:
        client = {"name": "raw", "version": "1"}
        answer = self.ask(0, "initialize", protocolVersion=version, capabilities={}, clientInfo=client)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def end(self) -> tuple[int, bytes, bytes]:
        """Hang up; exit code, the rest of stdout, and stderr."""
        rest, errors = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, rest, errors

    def stop(self) -> None:
        """End the process whatever it is at, and close what is open of its pipes."""
        if self.process.poll() is None:
            self.process.kill()
        with contextlib.suppress(BrokenPipeError):
            self.process.__exit__(None, None, None)


@pytest.fixture
def raw(project: Path, variables: dict[str, str]) -> Iterator[RawServer]:
    """A server in `project`, spoken to by hand."""
    server = RawServer(project, variables)
    yield server
    server.stop()
