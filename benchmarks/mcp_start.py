"""How long a host waits for `hfa-mcp`: from its start to the answer of `initialize`, against the SDK's smallest server.

    python benchmarks/mcp_start.py [--rounds 20] [--json]

The smallest server that the SDK can run has one tool that does nothing. Both are started in random order each round,
and medians are compared: a shared machine drifts, a ratio within one run does not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from hfa_core.fs.layout import Layout
from hfa_core.store.create import create_memory

TARGET = 1.2
"""The ratio that the start must not exceed: Cline gives a server 3 s, Claude Code 5 s, before it goes on without."""
SMALLEST = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, Tool

async def list_tools(context, params):
    return ListToolsResult(tools=[Tool(name="nothing", input_schema={"type": "object"})])

async def call_tool(context, params):
    return CallToolResult(content=[])

async def serve():
    server = Server("smallest", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

anyio.run(serve)
"""
CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
HELLO = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": CLIENT}).encode() + b"\n"
SERVERS: dict[str, Sequence[str]] = {
    "the SDK's smallest server": [sys.executable, "-c", SMALLEST],
    "hfa-mcp": [str(Path(sys.executable).with_name("hfa-mcp"))],
}


def main() -> int:
    """Run the benchmark; 1 if the start is over its target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hfa-bench-") as folder:
        medians = measure(Path(folder), options.rounds)
    floor = medians["the SDK's smallest server"]
    ratio = medians["hfa-mcp"] / floor
    if options.as_json:
        print(json.dumps({"rounds": options.rounds, "ms": medians, "ratio": ratio, "target": TARGET}, indent=2))
    else:
        print(f"from start to `initialize` answered, medians of {options.rounds} interleaved rounds")
        for name, milliseconds in medians.items():
            print(f"  {name:28} {milliseconds:7.0f} ms {milliseconds / floor:6.2f}x")
        print(f"target: at most {TARGET:.1f}x of the SDK's smallest server")
    return 0 if ratio <= TARGET else 1


def measure(folder: Path, rounds: int) -> dict[str, float]:
    """Median milliseconds of each server, after one warm-up of each."""
    create_memory(Layout(str(folder / "memory")), "Benchmark")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "HFA_USER_DIR": str(folder / "user")}
    samples: dict[str, list[float]] = {name: [] for name in SERVERS}
    for number in range(rounds + 1):
        order = list(SERVERS)
        random.shuffle(order)
        for name in order:
            milliseconds = start_once(SERVERS[name], folder, environment)
            if number:
                samples[name].append(milliseconds)
    return {name: statistics.median(values) for name, values in samples.items()}


def start_once(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> float:
    """Milliseconds until the answer, which must be one; the server is ended."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(HELLO)
        server.stdin.flush()
        answer = server.stdout.readline()
        milliseconds = (time.perf_counter() - started) * 1000
        server.stdin.close()
    assert "serverInfo" in json.loads(answer)["result"], answer
    return milliseconds


if __name__ == "__main__":
    sys.exit(main())
