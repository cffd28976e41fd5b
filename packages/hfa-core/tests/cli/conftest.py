"""The `hfa` command in a project: in this process for speed, and as a real one where the process is the point."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.payloads.hfa_command import Done, Hfa, run_hfa


@pytest.fixture
def hfa(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hfa:
    """`hfa("recall", "a prompt", cwd=folder)` runs the command in `project` as the console script would."""

    def run(*arguments: str, cwd: Path = project) -> Done:
        return run_hfa(arguments, cwd, monkeypatch, capsys)

    return run


@pytest.fixture
def hfa_process(project: Path, own_environment: Path) -> Hfa:
    """`hfa_process("status", LANG="C")` runs the installed script as a process, in `project`, with more variables."""
    script = Path(sys.executable).with_name("hfa")

    def run(*arguments: str, **variables: str) -> Done:
        environment = {"HOME": str(own_environment), "PATH": os.environ.get("PATH", ""), **variables}
        done = subprocess.run([str(script), *arguments], capture_output=True, cwd=project, env=environment, check=False)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def snapshot(project: Path) -> Callable[[], dict[str, bytes]]:
    """`snapshot()` gives the bytes of every file of `project` but those of git and of the index."""

    def read() -> dict[str, bytes]:
        return {
            str(path.relative_to(project)): path.read_bytes()
            for path in sorted(project.rglob("*"))
            if path.is_file() and ".git" not in path.parts and path.parent.name != "index"
        }

    return read
