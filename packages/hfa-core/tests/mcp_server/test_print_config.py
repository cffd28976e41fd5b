"""What is printed for each host's configuration is in its format, and starts the server from anywhere."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest

from hfa_core.mcp.print_config import HOSTS
from tests.payloads.mcp_process import SCRIPT, RawServer


def printed(*words: str, cwd: Path) -> str:
    done = subprocess.run(
        [SCRIPT, "--print-config", *words], cwd=cwd, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr.startswith("hfa-mcp: this belongs in ")
    return done.stdout


def command_of(host: str, text: str) -> list[str]:
    """The command that a host of this format would start."""
    if host == "codex":
        assert text.startswith("[mcp_servers.hfa]\n")
        # A TOML string or list of strings without escapes beyond JSON's is JSON.
        command, args = (
            json.loads(cast("re.Match[str]", re.search(f"^{key} = (.*)$", text, re.M))[1])
            for key in ("command", "args")
        )
        return [command, *args]
    if host == "continue":
        command, args = (
            json.loads(cast("re.Match[str]", re.search(f"^    {key}: (.*)$", text, re.M))[1])
            for key in ("command", "args")
        )
        return [command, *args]
    document: dict[str, Any] = json.loads(text)
    (servers,) = document.values()
    entry = servers["hfa"]
    return entry["command"] if host == "opencode" else [entry["command"], *entry["args"]]


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_the_printed_command_is_absolute_and_names_the_memory(host: str, tmp_path: Path) -> None:
    folder = tmp_path / "项目 with spaces"
    folder.mkdir()

    program, *arguments = command_of(host, printed(host, "--memory-dir", "my memory", cwd=folder))

    assert Path(program) == SCRIPT
    assert arguments == ["--memory-dir", str(folder / "my memory")]


@pytest.mark.parametrize(
    ("host", "key", "extra"),
    [
        ("claude", "mcpServers", {"type": "stdio", "alwaysLoad": True}),
        ("cline", "mcpServers", {"timeout": 60}),
        ("copilot", "mcpServers", {"type": "local", "tools": ["*"]}),
        ("generic", "mcpServers", {}),
        ("vscode", "servers", {"type": "stdio"}),
    ],
)
def test_a_host_gets_what_it_alone_needs(host: str, key: str, extra: dict[str, object], tmp_path: Path) -> None:
    document = json.loads(printed(host, cwd=tmp_path))

    assert document == {key: {"hfa": {"command": str(SCRIPT), "args": [], **extra}}}


def test_without_a_host_the_general_form_is_printed_and_an_unknown_one_is_a_usage_error(tmp_path: Path) -> None:
    assert printed(cwd=tmp_path) == printed("generic", cwd=tmp_path)
    done = subprocess.run([SCRIPT, "--print-config", "emacs"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


def test_the_printed_command_serves_from_another_folder(
    tmp_path: Path, variables: dict[str, str], memory: object, project: Path
) -> None:
    program, *arguments = command_of(
        "generic", printed("generic", "--memory-dir", str(project / "memory"), cwd=tmp_path)
    )
    assert program == str(SCRIPT)
    server = RawServer(tmp_path, variables, arguments=arguments)

    server.handshake()
    health = server.ask(1, "tools/call", name="memory_health", arguments={})["result"]["structuredContent"]

    assert health["memory_dir"] == str(project / "memory")
    assert server.end()[0] == 0
