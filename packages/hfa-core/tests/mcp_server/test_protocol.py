"""Every protocol version and mode of the SDK, hostile frames, and what a client is told at what cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ListToolsResult
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from hfa_core.fs.layout import Layout
from tests.payloads.mcp_process import BACKOFF, TOOLS, RawServer

SCHEMA_TOKENS = 1_000
"""What all tool schemas together may cost a client's context."""
LEFT_FOR_DREAM = 200
MALFORMED = [
    b"",
    b"not json",
    b'{"jsonrpc": "2.0", "id": 1',
    b"[]",
    b"null",
    b"\xff\xfe\x00",
    b'{"jsonrpc": "1.0", "id": 801, "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": {}, "method": 3}',
    b'{"jsonrpc": "2.0", "id": 999, "result": {}}',
    b"[" * 100_000,
    b'{"jsonrpc": "2.0", "id": 808, "method": "tools/call", "params": {"name": ["x"], "arguments": 1}}',
    b'{"jsonrpc": "2.0", "id": 808, "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": 808, "method": "tools/fetch"}',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}}',
]


@pytest.mark.parametrize("mode", ["legacy", "auto", *MODERN_PROTOCOL_VERSIONS])
def test_the_official_client_lists_and_calls_the_tools_in_every_mode(
    talk: Callable[..., Any], memory: Layout, mode: str
) -> None:
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


@pytest.mark.slow
@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_each_version_of_the_handshake_is_answered_with_itself(raw: RawServer, memory: Layout, version: str) -> None:
    answer = raw.handshake(version)

    assert answer["result"]["protocolVersion"] == version
    assert answer["result"]["serverInfo"]["name"] == "hfa"
    assert [tool["name"] for tool in raw.ask(1, "tools/list")["result"]["tools"]] == TOOLS
    called = raw.ask(2, "tools/call", name="recall_memory", arguments={"query": "backoff"})
    assert json.loads(called["result"]["content"][0]["text"])["status"] == "none"
    assert raw.end() == (0, b"", b"")


def test_all_tool_schemas_and_instructions_stay_within_their_tokens(
    raw: RawServer, count: Callable[[str], int]
) -> None:
    instructions = raw.handshake()["result"]["instructions"]
    tools = raw.ask(1, "tools/list")["result"]["tools"]

    tokens = count(json.dumps(tools, ensure_ascii=False, separators=(",", ":"))) + count(instructions)

    assert tokens <= SCHEMA_TOKENS - LEFT_FOR_DREAM


def test_nothing_but_the_protocol_is_on_stdout_and_nothing_on_stderr(raw: RawServer, memory: Layout) -> None:
    raw.handshake()
    for id, tool in enumerate(["memory_health", "remember_decision", "no_such"], 1):
        # `read` takes nothing but JSON-RPC; for two of the three tools the arguments are wrong.
        raw.ask(id, "tools/call", name=tool, arguments=BACKOFF)

    assert raw.end() == (0, b"", b"")


def test_a_malformed_frame_is_answered_with_an_error_at_most_and_the_next_call_as_ever(
    raw: RawServer, memory: Layout
) -> None:
    raw.handshake()

    for id, frame in enumerate(MALFORMED, 1):
        raw.send(frame)
        assert raw.ask(id, "ping").get("result") == {}, frame[:70]

    assert raw.ask(100, "tools/call", name="memory_health", arguments={})["result"]["isError"] is False
    assert all("error" in message for message in raw.passed)
    assert raw.end() == (0, b"", b"")


def test_a_call_before_the_handshake_is_refused_and_the_handshake_still_works(raw: RawServer) -> None:
    assert "error" in raw.ask(5, "tools/call", name="memory_health", arguments={})

    assert raw.handshake()["result"]["serverInfo"]["name"] == "hfa"


def test_an_unknown_tool_resource_and_prompt_are_errors_of_the_protocol(
    talk: Callable[..., Any], memory: Layout
) -> None:
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
