"""The `hfa-mcp` command as a real process, to which a test writes frames by hand."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

SCRIPT = Path(sys.executable).with_name("hfa-mcp")
TIMEOUT_S = 60
TOOLS = ["recall_memory", "remember_decision", "memory_health"]
BACKOFF = {"title": "Retries back off", "hit_words": ["backoff", "退避"], "conclusion": ["At most five. 最多五次。"]}
"""The arguments of a decision that any memory takes."""


class RawServer:
    """A server process to which a test writes frames by hand."""

    def __init__(self, cwd: Path, variables: dict[str, str], *, arguments: Sequence[str] = ()) -> None:
        self.passed: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            [str(SCRIPT), *arguments], cwd=cwd, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def send(self, frame: bytes | dict[str, object]) -> None:
        assert self.process.stdin
        data = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def send_call(self, id: int, tool: str, arguments: dict[str, Any]) -> None:
        """Call a tool without waiting for the answer."""
        params = {"name": tool, "arguments": arguments}
        self.send({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})

    def ask(self, id: int, method: str, **params: object) -> dict[str, Any]:
        """The answer to a request; what comes before it, such as an error without an id, is kept in `passed`."""
        self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == id:
                return message
            self.passed.append(message)

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
