"""A project with Claude Code's hooks, the hook log, and what the doctor says about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hfa_core.cli.app import build_app
from hfa_core.fs.layout import Layout, UserLayout
from hfa_core.hook.log import read_entries
from hfa_core.store.chunks import id_of_file, read_chunk
from hfa_core.store.config import read_config
from tests.payloads.claude_hook import ClaudeHook


@pytest.fixture
def claude(own_environment: Path, project: Path) -> ClaudeHook:
    """Claude Code in `project`, whether or not a memory is there."""
    return ClaudeHook(own_environment, project)


@pytest.fixture
def user(claude: ClaudeHook, memory: Layout) -> UserLayout:
    """The user's private folder for `memory`."""
    return UserLayout(str(claude.user_dir), read_config(memory).memory_id)


@pytest.fixture
def log(user: UserLayout) -> Callable[[], list[dict[str, object]]]:
    """`log()` gives the hook log of `memory`, newest first."""
    return lambda: read_entries(user.hook_log, limit=100)


@pytest.fixture
def stored(memory: Layout) -> Callable[[], list[object]]:
    """`stored()` gives the chunks of `memory` in the order of their ids; each must be sound."""

    def read() -> list[object]:
        names = sorted(path.name for path in Path(memory.chunks).iterdir())
        return [read_chunk(memory, id_of_file(name)) for name in names]

    return read


@pytest.fixture
def failures(project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """`failures()` gives the failed hooks that `hfa doctor --json` reports in `project`."""

    def ask() -> list[str]:
        monkeypatch.chdir(project)
        done = CliRunner().invoke(build_app(), ["doctor", "--json"])
        document = json.loads(done.stdout)
        return [finding["text"] for finding in document["findings"] if finding["code"] == "hook_failed"]

    return ask
