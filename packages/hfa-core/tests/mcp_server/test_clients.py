"""Impatient, greedy and vanishing clients: the others are served, and the server ends with its client."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult

from hfa_core.fs.layout import Layout
from hfa_core.fs.lock import MemoryLock
from tests.payloads.mcp_process import BACKOFF, RawServer


@pytest.mark.slow
def test_a_hundred_calls_at_once_are_all_answered_and_each_record_is_stored_once(
    talk: Callable[..., Any], memory: Layout
) -> None:
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


def test_ten_megabytes_of_arguments_are_answered(talk: Callable[..., Any], memory: Layout) -> None:
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


def test_a_call_that_waits_for_a_lock_holds_up_no_other_and_can_be_cancelled(raw: RawServer, memory: Layout) -> None:
    raw.handshake()
    with MemoryLock(memory.lock):
        raw.send_call(1, "remember_decision", BACKOFF)
        meanwhile = raw.ask(2, "tools/call", name="memory_health", arguments={})
        raw.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        ping = raw.ask(3, "ping")
    after = raw.ask(4, "tools/call", name="remember_decision", arguments={**BACKOFF, "title": "Another one"})

    assert meanwhile["result"]["isError"] is False
    assert ping["result"] == {}
    assert after["result"]["isError"] is False
    # The cancelled call is not answered, neither then nor later.
    assert raw.passed == []
    assert raw.end() == (0, b"", b"")


def test_the_server_ends_quietly_when_its_client_hangs_up(raw: RawServer, memory: Layout) -> None:
    raw.handshake()

    assert raw.end() == (0, b"", b"")


def test_the_server_ends_quietly_when_its_client_is_gone_in_the_middle_of_a_call(
    raw: RawServer, memory: Layout
) -> None:
    raw.handshake()
    assert raw.process.stdout
    assert raw.process.stdin
    raw.process.stdout.close()
    for id in range(1, 6):
        raw.send_call(id, "memory_health", {})
    raw.process.stdin.close()

    assert raw.process.wait(60) == 0
    assert raw.process.stderr
    assert raw.process.stderr.read() == b""


def test_the_server_ends_when_nobody_ever_speaks(raw: RawServer) -> None:
    assert raw.end() == (0, b"", b"")


def test_an_interrupt_ends_the_server_without_a_traceback(raw: RawServer) -> None:
    raw.handshake()

    raw.process.send_signal(signal.SIGINT)

    assert raw.process.wait(60) == -signal.SIGINT
    assert raw.process.stderr
    assert raw.process.stderr.read() == b""
