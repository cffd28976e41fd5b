"""What the process loads before it answers the handshake, and what it says where the SDK is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_the_handshake_loads_nothing_of_the_core_beyond_the_server_itself(
    project: Path, variables: dict[str, str]
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
