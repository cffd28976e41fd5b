"""The server as a process on stdio: every protocol version, hostile frames, impatient and vanishing clients."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ListToolsResult, TextResourceContents
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from hfa_core.fs.layout import Layout
from hfa_core.fs.lock import MemoryLock
from hfa_core.store.create import create_memory
from hfa_core.tokens.exact import load_counter

Talk = Callable[..., Any]
BACKOFF = {"title": "Retries back off", "hit_words": ["backoff", "退避"], "conclusion": ["At most five. 最多五次。"]}
TOOLS = ["recall_memory", "remember_decision", "memory_health"]
SCHEMA_TOKENS = 1_000
"""What all tool schemas together may cost a client's context."""
LEFT_FOR_DREAM = 200


@pytest.mark.parametrize("mode", ["legacy", "auto", *MODERN_PROTOCOL_VERSIONS])
def test_the_official_client_lists_and_calls_the_tools_in_every_mode(talk: Talk, memory: Layout, mode: str) -> None:
    async def use(client: Client) -> tuple[ListToolsResult, list[CallToolResult]]:
        tools = await client.list_tools()
        calls = [
            await client.call_tool("remember_decision", BACKOFF),
            await client.call_tool("recall_memory", {"query": "重试的退避 backoff"}),
            await client.call_tool("memory_health", {}),
        ]
        return tools, calls

    listed, calls = talk(use, mode=mode)

    assert [tool.name for tool in listed.tools] == TOOLS
    for tool in listed.tools:
        assert tool.title
        assert tool.annotations is not None
        assert tool.annotations.destructive_hint is not True
        assert tool.annotations.read_only_hint is (tool.name != "remember_decision")
        assert tool.input_schema["type"] == (tool.output_schema or {})["type"] == "object"
    # The client has checked the results against the schemas of output.
    assert [call.is_error for call in calls] == [False, False, False]
    assert "最多五次" in calls[1].structured_content["recall_text"]
    assert calls[2].structured_content["records"]["all"] == 1


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_each_version_of_the_handshake_is_answered_with_itself(raw: Any, memory: Layout, version: str) -> None:
    answer = raw.handshake(version)

    assert answer["result"]["protocolVersion"] == version
    assert answer["result"]["serverInfo"]["name"] == "hfa"
    assert [tool["name"] for tool in raw.ask(1, "tools/list")["result"]["tools"]] == TOOLS
    called = raw.ask(2, "tools/call", name="recall_memory", arguments={"query": "backoff"})
    assert json.loads(called["result"]["content"][0]["text"])["status"] == "none"
    assert raw.end() == (0, b"", b"")


def test_all_tool_schemas_and_instructions_stay_within_their_tokens(raw: Any, count: Callable[[str], int]) -> None:
    instructions = raw.handshake()["result"]["instructions"]
    tools = raw.ask(1, "tools/list")["result"]["tools"]

    tokens = count(json.dumps(tools, ensure_ascii=False, separators=(",", ":"))) + count(instructions)

    assert tokens <= SCHEMA_TOKENS - LEFT_FOR_DREAM


def test_nothing_but_the_protocol_is_on_stdout_and_nothing_on_stderr(raw: Any, memory: Layout) -> None:
    raw.handshake()
    for id, (tool, arguments) in enumerate([("memory_health", {}), ("remember_decision", BACKOFF), ("no_such", {})], 1):
        # `read` takes nothing but JSON-RPC.
        raw.ask(id, "tools/call", name=tool, arguments=arguments)

    assert raw.end() == (0, b"", b"")


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"not json",
        b'{"jsonrpc": "2.0", "id": 1',
        b"[]",
        b"null",
        b"\xff\xfe\x00",
        b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": 3}',
        b'{"jsonrpc": "2.0", "id": 999, "result": {}}',
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": ["x"], "arguments": 1}}',
        b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call"}',
        b'{"jsonrpc": "2.0", "id": 8, "method": "tools/fetch"}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}}',
    ],
    ids=lambda frame: frame[:70].decode("latin-1"),
)
def test_a_malformed_frame_is_answered_with_an_error_at_most_and_the_next_call_as_ever(
    raw: Any, memory: Layout, frame: bytes
) -> None:
    raw.handshake()

    raw.send(frame)

    assert raw.ask(9, "tools/call", name="memory_health", arguments={})["result"]["isError"] is False
    assert raw.end() == (0, b"", b"")


def test_a_call_before_the_handshake_is_refused_and_the_handshake_still_works(raw: Any) -> None:
    assert "error" in raw.ask(5, "tools/call", name="memory_health", arguments={})

    assert raw.handshake()["result"]["serverInfo"]["name"] == "hfa"


def test_an_unknown_tool_resource_and_prompt_are_errors_of_the_protocol(talk: Talk, memory: Layout) -> None:
    async def use(client: Client) -> list[str]:
        said: list[str] = []
        for ask in (
            lambda: client.call_tool("forget_everything", {}),
            lambda: client.read_resource("hfa://chunk/../../config.json"),
            lambda: client.read_resource("file:///etc/passwd"),
            lambda: client.read_resource("hfa://epoch/99"),
            lambda: client.read_resource("hfa://chunk/chunk_0999"),
            lambda: client.get_prompt("poem", {}),
            lambda: client.get_prompt("recall", {}),
        ):
            with pytest.raises(MCPError) as raised:
                await ask()
            said.append(str(raised.value))
        return said

    said = talk(use)

    assert "forget_everything" in said[0]
    assert "UnknownRecordError" not in said[4]
    assert "chunk_0999" in said[4]


def test_a_hundred_calls_at_once_are_all_answered_and_each_record_is_stored_once(talk: Talk, memory: Layout) -> None:
    answers: dict[int, CallToolResult] = {}

    async def use(client: Client) -> None:
        async def ask(number: int) -> None:
            if number % 4 == 0:
                fields = {**BACKOFF, "title": f"Decision number {number // 8}", "request_id": f"r-{number // 8}"}
                answers[number] = await client.call_tool("remember_decision", fields)
            elif number % 4 == 1:
                answers[number] = await client.call_tool("memory_health", {})
            else:
                answers[number] = await client.call_tool("recall_memory", {"query": "backoff"})

        async with anyio.create_task_group() as group:
            for number in range(100):
                group.start_soon(ask, number)

    talk(use)

    assert [number for number, answer in answers.items() if answer.is_error] == []
    assert len(answers) == 100
    stored = {answers[number].structured_content["id"] for number in range(0, 100, 4)}
    assert stored == {path.stem for path in Path(memory.chunks).glob("*.json")}
    assert len(stored) == 13


def test_ten_megabytes_of_arguments_are_answered(talk: Talk, memory: Layout) -> None:
    many = 10 * 1024 * 1024

    async def use(client: Client) -> list[CallToolResult]:
        return [
            await client.call_tool("recall_memory", {"query": "backoff " * (many // 8)}),
            await client.call_tool("recall_memory", {"query": "backoff", "unlock": "why " * (many // 4)}),
            await client.call_tool(
                "remember_decision", {**BACKOFF, "conclusion": ["password = x1y2z3w4; " * (many // 21)]}
            ),
            await client.call_tool("remember_decision", {**BACKOFF, "tags": ["t" * many]}),
            await client.call_tool("remember_decision", BACKOFF),
        ]

    answers = talk(use)

    assert [answer.is_error for answer in answers] == [False, False, True, True, False]
    assert answers[2].structured_content["error"]["exit_code"] == 20
    assert len(answers[2].structured_content["error"]["message"]) < 500
    assert os.stat(memory.access_log).st_size < 5_000


def test_a_call_that_waits_for_a_lock_holds_up_no_other_and_can_be_cancelled(talk: Talk, memory: Layout) -> None:
    async def use(client: Client) -> tuple[CallToolResult, CallToolResult]:
        with MemoryLock(memory.lock):
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "remember_decision", BACKOFF)
                meanwhile = await client.call_tool("memory_health", {})
                group.cancel_scope.cancel()
        return meanwhile, await client.call_tool("remember_decision", {**BACKOFF, "title": "Another one"})

    meanwhile, after = talk(use)

    assert meanwhile.is_error is False
    assert after.is_error is False


def test_the_server_ends_quietly_when_its_client_hangs_up(raw: Any, memory: Layout) -> None:
    raw.handshake()

    assert raw.end() == (0, b"", b"")


def test_the_server_ends_quietly_when_its_client_is_gone_in_the_middle_of_a_call(raw: Any, memory: Layout) -> None:
    raw.handshake()
    raw.process.stdout.close()
    for id in range(1, 6):
        raw.send(
            {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "memory_health", "arguments": {}}}
        )
    raw.process.stdin.close()

    assert raw.process.wait(60) == 0
    assert raw.process.stderr.read() == b""


def test_the_server_ends_when_nobody_ever_speaks(raw: Any) -> None:
    assert raw.end() == (0, b"", b"")


def test_an_interrupt_ends_the_server_without_a_traceback(raw: Any) -> None:
    raw.handshake()

    raw.process.send_signal(signal.SIGINT)

    assert raw.process.wait(60) == -signal.SIGINT
    assert raw.process.stderr.read() == b""


def test_the_resources_hold_one_record_whole_and_all_else_within_the_budgets(
    talk: Talk, memory: Layout, add: Callable[..., str]
) -> None:
    first = add("Cache keys carry a version 缓存键", conclusion="x" * 480)
    for number in range(30):
        add(f"Decision number {number}", conclusion="word " * 90)
    directory = Path(memory.directory)
    rows = "".join(f"| S{n} | Side line {n} | main/S{n}.md | OPEN |  |  |\n" for n in range(1, 80))
    directory.write_text(directory.read_text(encoding="utf-8").rstrip("\n") + "\n" + rows, encoding="utf-8")

    async def use(client: Client) -> dict[str, str]:
        # A write brings the pages up to date.
        await client.call_tool("remember_decision", BACKOFF)
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
        assert (listed, templates) == (["hfa://l0", "hfa://epoch/1"], ["hfa://chunk/{id}", "hfa://epoch/{number}"])
        read: dict[str, str] = {}
        for uri in [*listed, "hfa://chunk/chunk_0001"]:
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            read[uri] = content.text
        return read

    read = talk(use)

    record = json.loads(read["hfa://chunk/chunk_0001"])
    assert (record["id"], record["conclusion"], record["state"]) == (first, ["x" * 480], "current")
    count = load_counter()
    for uri, shown in (("hfa://l0", "M1 | "), ("hfa://epoch/1", "# Epoch 1")):
        assert read[uri].startswith(shown)
        assert "more lines" in read[uri].splitlines()[-1]
        assert count is None or 300 < count(read[uri]) <= 600


def test_the_prompts_bring_framed_memories_and_how_to_store_a_decision(
    talk: Talk, memory: Layout, add: Callable[..., str]
) -> None:
    add("缓存键带版本号", hit_words=("缓存键",))

    async def use(client: Client) -> list[Any]:
        names = [one.name for one in (await client.list_prompts()).prompts]
        assert names == ["recall", "decide"]
        asked = [
            ("recall", {"query": "缓存键怎么定的"}),
            ("recall", {"query": "moon"}),
            ("decide", {"decision": "WAL, 预写"}),
        ]
        return [(await client.get_prompt(name, given)).messages[0].content for name, given in asked]

    found, nothing, decide = (content.text for content in talk(use))

    assert found.startswith("<hfa-memory>\nHistorical notes")
    assert "缓存键带版本号" in found
    assert found.endswith("\n\n缓存键怎么定的")
    assert "holds nothing" in nothing
    assert "remember_decision: WAL, 预写." in decide


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_memory_is_that_of_the_roots_a_client_offers(
    talk: Talk, tmp_path: Path, variables: dict[str, str], mode: str
) -> None:
    rooted = [tmp_path / "empty one", tmp_path / "项目 with memory"]
    elsewhere = tmp_path / "elsewhere"
    for folder in (*rooted, elsewhere):
        folder.mkdir()
    for folder in (rooted[1], elsewhere):
        create_memory(Layout(str(folder / "memory")), "Project")

    async def use(client: Client) -> str:
        return (await client.call_tool("memory_health", {})).structured_content["memory_dir"]

    uris = ["file:///no/such/folder", *(folder.as_uri() for folder in rooted)]
    assert talk(use, mode=mode, cwd=elsewhere, roots=uris) == str(rooted[1] / "memory")
    assert talk(use, mode=mode, cwd=elsewhere, roots=[]) == str(elsewhere / "memory")
    assert talk(use, "--memory-dir", "memory", mode=mode, cwd=elsewhere, roots=uris) == str(elsewhere / "memory")
    variables["HFA_MEMORY_DIR"] = str(elsewhere / "memory")
    assert talk(use, mode=mode, cwd=tmp_path, roots=uris) == str(elsewhere / "memory")


def test_an_empty_workspace_is_served_and_its_first_decision_makes_a_memory_that_git_does_not_see(
    talk: Talk, project: Path, git: Callable[..., str]
) -> None:
    async def use(client: Client) -> list[CallToolResult]:
        return [
            await client.call_tool("recall_memory", {"query": "backoff"}),
            await client.call_tool("memory_health", {}),
            await client.call_tool("remember_decision", {**BACKOFF, "hit_words": []}),
            await client.call_tool("remember_decision", {**BACKOFF, "supersedes": ["chunk_0001"]}),
            await client.call_tool("remember_decision", BACKOFF),
            await client.call_tool("recall_memory", {"query": "backoff"}),
        ]

    *failed, stored, recalled = talk(use)

    assert [answer.structured_content["error"]["exit_code"] for answer in failed] == [10, 10, 20, 10]
    assert "hfa init" in failed[0].structured_content["error"]["message"]
    assert stored.structured_content["memory_created"] == str(project / "memory")
    assert recalled.structured_content["status"] == "hit"
    assert git("status", "--short") == ""


def test_a_refused_decision_leaves_an_empty_workspace_empty(
    talk: Talk, project: Path, variables: dict[str, str]
) -> None:
    async def use(client: Client) -> int:
        answer = await client.call_tool("remember_decision", BACKOFF)
        return answer.structured_content["error"]["exit_code"]

    variables["HFA_OFF"] = "1"
    assert talk(use) == 15
    del variables["HFA_OFF"]
    outside = project.parent / "outside"
    outside.mkdir()
    assert talk(use, cwd=outside) == 16
    assert sorted(path.name for path in project.iterdir()) == [".git", "README.md"]
    assert list(outside.iterdir()) == []


def test_the_handshake_loads_nothing_of_the_core_beyond_the_server_itself(
    raw: Any, project: Path, variables: dict[str, str]
) -> None:
    program = (
        "import os, sys\n"
        "from hfa_core.mcp import main\n"
        "sys.argv = ['hfa-mcp']\n"
        "main()\n"
        "os.write(2, ','.join(sys.modules).encode())\n"
    )
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    frame = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).encode() + b"\n"

    done = subprocess.run(
        [sys.executable, "-c", program], input=frame, cwd=project, env=variables, capture_output=True, check=True
    )

    loaded = set(done.stderr.decode().split(","))
    assert json.loads(done.stdout)["id"] == 0
    assert "hfa_core.mcp.server" in loaded
    heavy = {"typer", "rich", "sqlite3", "tiktoken", "pluggy", "hfa_core.cli", "hfa_core.operations", "hfa_core.index",
             "hfa_core.recall", "hfa_core.capture", "hfa_core.mcp.schemas"}  # fmt: skip
    assert loaded & heavy == set()


def test_without_the_sdk_the_command_says_how_to_install_it(project: Path, variables: dict[str, str]) -> None:
    program = "import sys; sys.modules['mcp'] = None; sys.argv = ['hfa-mcp']; from hfa_core.mcp import main; main()"

    done = subprocess.run([sys.executable, "-c", program], cwd=project, env=variables, capture_output=True, check=False)

    assert (done.returncode, done.stdout) == (60, b"")
    assert (
        done.stderr.decode() == 'hfa-mcp: hfa-mcp needs the extra `mcp`; install it with: pip install "hfa-core[mcp]"\n'
    )
