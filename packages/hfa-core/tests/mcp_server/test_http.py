"""The server on HTTP: who has the token and means this server is served; everybody else is refused at the door."""

from __future__ import annotations

import asyncio
import errno
import http.client
import json
import os
import signal
import socket
import stat
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from hfa_core.fs.layout import Layout
from hfa_core.store.create import create_memory
from tests.payloads.mcp_process import BACKOFF, SCRIPT, TIMEOUT_S, TOOLS

from .conftest import offer

T = TypeVar("T")
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
FRAME = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}).encode()
ALLOWED_BODY = 1 << 20


class HttpServer:
    """A server process on a free port of loopback."""

    def __init__(self, cwd: Path, variables: dict[str, str], *arguments: str) -> None:
        self.process = subprocess.Popen(
            [SCRIPT, "--http", "127.0.0.1:0", *arguments], cwd=cwd, env=variables, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
        assert self.process.stderr
        said = self.process.stderr.readline()
        assert "serving http://127.0.0.1:" in said, said + self.process.stderr.read()
        self.port = int(said.split("127.0.0.1:")[1].split("/")[0])
        self.token_file = Path(said.partition("its token is in ")[2].rstrip("\n"))

    @property
    def token(self) -> str:
        return self.token_file.read_text(encoding="ascii").strip()

    def post(self, path: str = "/mcp", body: bytes = FRAME, **headers: str | None) -> int:
        """The status of a request that is right but for what is given; a header of None is left out."""
        given = {
            "host": f"127.0.0.1:{self.port}",
            "authorization": None if "authorization" in headers else f"Bearer {self.token}",
            "content_type": "application/json",
            "accept": "application/json, text/event-stream",
            **headers,
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        try:
            connection.putrequest("POST", path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                if value is not None:
                    connection.putheader(name.replace("_", "-"), value.format(port=self.port))
            if not {"transfer_encoding", "content_length"} & set(headers):
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            connection.send(body)
            return connection.getresponse().status
        finally:
            connection.close()

    def talk(self, use: Callable[[Client], Awaitable[T]], *, mode: str = "legacy", roots: list[str] | None = None) -> T:
        async def session() -> T:
            headers = {"Authorization": f"Bearer {self.token}"}
            http_client = httpx2.AsyncClient(headers=headers, timeout=TIMEOUT_S)
            place = streamable_http_client(f"http://127.0.0.1:{self.port}/mcp", http_client=http_client)
            answer = None if roots is None else offer(roots)
            async with (
                http_client,
                Client(place, mode=mode, read_timeout_seconds=TIMEOUT_S, list_roots_callback=answer) as client,
            ):
                return await use(client)

        return asyncio.run(session())

    def stop(self) -> tuple[int, str, str]:
        self.process.send_signal(signal.SIGINT)
        out, errors = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, out, errors


Start = Callable[..., HttpServer]


@pytest.fixture
def start(project: Path, variables: dict[str, str]) -> Iterator[Start]:
    """`start("--allow-remote", "name", cwd=folder)` gives a server that is stopped with the test."""
    started: list[HttpServer] = []

    def run(*arguments: str, cwd: Path = project) -> HttpServer:
        started.append(HttpServer(cwd, variables, *arguments))
        return started[-1]

    yield run
    for server in started:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()


class Refused(NamedTuple):
    why: str
    status: int
    headers: dict[str, str | None]
    path: str = "/mcp"
    body: bytes = FRAME


REFUSED = [
    Refused("no token", 401, {"authorization": None}),
    Refused("an empty token", 401, {"authorization": "Bearer "}),
    Refused("a wrong token", 401, {"authorization": "Bearer " + "x" * 43}),
    Refused("a token that is not ASCII", 401, {"authorization": "Bearer \xe9\xe9"}),
    Refused("another scheme", 401, {"authorization": "Basic " + "x" * 43}),
    Refused("a foreign host", 421, {"host": "memory.example:{port}"}),
    Refused("a name that a page rebound to loopback", 421, {"host": "127.0.0.1.evil.example:{port}"}),
    Refused("another port", 421, {"host": "127.0.0.1:1"}),
    Refused("no host", 400, {"host": None}),
    Refused("a foreign origin", 403, {"origin": "https://evil.example"}),
    Refused("a page of another port", 403, {"origin": "http://localhost:1"}),
    Refused("a page from a file", 403, {"origin": "null"}),
    Refused("an origin that begins like ours", 403, {"origin": "http://127.0.0.1:{port}.evil.example"}),
    Refused("a form, which pages may send anywhere", 400, {"content_type": "text/plain"}),
    Refused("no such path", 404, {}, "/"),
    Refused("path traversal", 404, {}, "/mcp/../../../etc/passwd"),
    Refused("path traversal in disguise", 404, {}, "/mcp/%2e%2e%2f%2e%2e%2fetc/passwd"),
    Refused("a session that is not there", 404, {"mcp_session_id": "../../etc/passwd"}),
    # Refused before all is sent: what a server leaves unread may cost its client the answer.
    Refused("an oversized body", 413, {"content_length": str(ALLOWED_BODY + 1)}, body=b""),
    Refused("an oversized body in pieces", 413, {"transfer_encoding": "chunked"},
            body=b"%x\r\n" % (ALLOWED_BODY + 1) + b" " * (ALLOWED_BODY + 1)),
    Refused("an oversized body without a token", 401,
            {"authorization": None, "content_length": str(ALLOWED_BODY + 1)}, body=b""),
    Refused("not JSON", 400, {}, body=b"not json"),
]  # fmt: skip


def test_whoever_has_no_token_or_means_another_server_is_refused(start: Start, memory: Layout) -> None:
    server = start()

    told = {one.why: server.post(one.path, one.body, **one.headers) for one in REFUSED}

    assert told == {one.why: one.status for one in REFUSED}
    assert server.post() == 200
    assert server.post(host="localhost:{port}", origin="http://localhost:{port}") == 200
    code, out, errors = server.stop()
    assert (code, out) == (0, "")
    assert "Traceback" not in errors
    assert server.token not in errors


@pytest.mark.parametrize("mode", ["legacy", "auto", *MODERN_PROTOCOL_VERSIONS])
def test_the_official_client_lists_and_calls_the_tools(start: Start, memory: Layout, mode: str) -> None:
    async def use(client: Client) -> tuple[list[str], list[object]]:
        tools = (await client.list_tools()).tools
        return [tool.name for tool in tools], [
            (await client.call_tool("remember_decision", BACKOFF)).structured_content["duplicate"],
            (await client.call_tool("recall_memory", {"query": "重试的退避 backoff"})).structured_content["status"],
            (await client.call_tool("memory_health", {})).structured_content["memory_dir"],
        ]

    names, told = start().talk(use, mode=mode)

    assert names == TOOLS
    assert told == [False, "hit", memory.root]


def test_the_folders_of_a_client_elsewhere_mean_nothing_here(start: Start, memory: Layout, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    create_memory(Layout(str(other / "memory")), "Other")

    async def use(client: Client) -> object:
        return (await client.call_tool("memory_health", {})).structured_content["memory_dir"]

    assert start().talk(use, roots=[other.as_uri()]) == memory.root


def test_the_token_is_made_for_its_owner_only_and_replacing_it_counts_at_once(start: Start, memory: Layout) -> None:
    server = start()
    first = server.token

    assert stat.S_IMODE(server.token_file.stat().st_mode) == 0o600
    assert len(first) >= 43
    server.token_file.write_text("t" * 43, encoding="ascii")

    assert server.post() == 200
    assert server.post(authorization=f"Bearer {first}") == 401
    server.token_file.unlink()
    assert server.post(authorization="Bearer " + "t" * 43) == 401


def test_other_machines_reach_it_only_under_the_names_it_was_told(start: Start, memory: Layout) -> None:
    server = start("--allow-remote", "memory.example")

    assert server.post(host="memory.example:{port}", origin="https://memory.example") == 200
    assert server.post(host="memory.example") == 200
    assert server.post(host="other.example:{port}") == 421
    assert server.post(host="memory.example", authorization=None) == 401


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "memory.example:0"])
def test_it_listens_beyond_loopback_only_if_told_so(address: str, project: Path, variables: dict[str, str]) -> None:
    done = run("--http", address, cwd=project, variables=variables)

    assert (done.returncode, done.stdout) == (62, "")
    assert "--allow-remote" in done.stderr


@pytest.mark.parametrize(
    ("content", "mode", "told"),
    [("t" * 43, 0o644, "chmod 600"), ("short", 0o600, "no token"), ("", 0o600, "no token")],
)
def test_a_token_that_others_may_read_or_guess_is_no_token(
    project: Path, variables: dict[str, str], tmp_path: Path, content: str, mode: int, told: str
) -> None:
    path = tmp_path / "token"
    path.write_text(content, encoding="ascii")
    path.chmod(mode)

    done = run("--http", "127.0.0.1:0", "--token-file", str(path), cwd=project, variables=variables)

    assert (done.returncode, done.stdout) == (63, "")
    assert told in done.stderr
    assert path.read_text(encoding="ascii") == content


def test_a_pipe_in_the_place_of_the_token_does_not_hold_the_server_up(
    project: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "token", 0o600)

    done = run("--http", "127.0.0.1:0", "--token-file", str(tmp_path / "token"), cwd=project, variables=variables)

    assert (done.returncode, done.stdout) == (63, "")
    assert "pipe" in done.stderr


@pytest.mark.parametrize("address", ["8137", "127.0.0.1", "127.0.0.1:99999", "::1:8137", "127.0.0.1:x", ":80"])
def test_an_address_that_is_none_is_named(address: str, project: Path, variables: dict[str, str]) -> None:
    done = run("--http", address, cwd=project, variables=variables)

    assert done.returncode in (61, 62)
    assert address in done.stderr


def test_a_port_that_is_taken_is_named(project: Path, variables: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"

        done = run("--http", address, cwd=project, variables=variables)

    assert done.returncode == 61
    assert address in done.stderr
    assert os.strerror(errno.EADDRINUSE) in done.stderr


def run(*arguments: str, cwd: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPT, *arguments],
        cwd=cwd,
        env=variables,
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=False,
    )
