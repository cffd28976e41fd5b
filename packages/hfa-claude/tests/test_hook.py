"""The commands that Claude Code starts: the one of the user's settings and the one that a team shares."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hfa_claude.install import TIMEOUTS_S, plan_install
from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.hosts.adapter import InstallRequest, Places
from hfa_core.model import Draft, Source
from hfa_core.store.create import create_memory
from tests.payloads import load_payload
from tests.payloads.claude_hook import ROOTS, ClaudeHook


@pytest.fixture
def claude(tmp_path: Path) -> ClaudeHook:
    """Claude Code in a project whose memory knows about refresh tokens."""
    project = tmp_path / "a project 项目"
    layout = Layout(str(project / "memory"))
    create_memory(layout, "Project")
    draft = Draft(
        title="Refresh tokens",
        hit_words=["refresh token", "刷新令牌"],
        conclusion=["Daily. 每天。"],
        source=Source("cli"),
    )
    remember(layout, draft, now=1_790_000_000)
    return ClaudeHook(tmp_path / "home", project)


def shared_command(claude: ClaudeHook, event: str) -> str:
    """The shell command of a project's settings."""
    places = Places(claude.home, claude.project, {}, claude.user_dir)
    for edit in plan_install(InstallRequest("project", places, Path(sys.executable), ROOTS)):
        if edit.pointer[-1] == event:
            group = json.loads(json.dumps(edit.value))
            return str(group["hooks"][0]["command"])
    raise AssertionError(event)


@pytest.mark.parametrize("prompt", ["refresh token", "刷新令牌"])
def test_the_installed_command_answers_a_prompt(claude: ClaudeHook, prompt: str) -> None:
    assert "每天。" in claude.prompt(prompt).context


@pytest.mark.parametrize("event", TIMEOUTS_S)
def test_every_installed_event_is_answered(claude: ClaudeHook, event: str) -> None:
    assert claude.fire(event).code == 0


@pytest.mark.parametrize("event", ["", "Nothing", "PreToolUse", "userpromptsubmit", "事件"])
def test_an_event_that_is_not_handled_is_answered_with_nothing(claude: ClaudeHook, event: str) -> None:
    assert claude.send(event, b'{"prompt": "refresh token"}').reply == {}


@pytest.mark.parametrize("prompt", ["refresh token", "刷新令牌"])
def test_the_shared_command_answers_through_the_console_script(claude: ClaudeHook, prompt: str) -> None:
    scripts = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["sh", "-c", shared_command(claude, "UserPromptSubmit")],
        input=json.dumps(load_payload("UserPromptSubmit", claude.project, prompt=prompt)).encode(),
        capture_output=True,
        cwd=claude.project,
        env=claude.environment | {"PATH": scripts + os.pathsep + os.environ["PATH"]},
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert "每天。" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_a_colleague_without_hfa_notices_nothing_of_the_shared_command(claude: ClaudeHook) -> None:
    for event in TIMEOUTS_S:
        done = subprocess.run(
            ["/bin/sh", "-c", shared_command(claude, event)],
            input=b"{}",
            capture_output=True,
            cwd=claude.project,
            env={"PATH": "/nowhere"},
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_projects_own_modules_cannot_take_the_place_of_the_standard_library(claude: ClaudeHook) -> None:
    for name in ("os", "time", "json", "hfa_core", "hfa_claude", "unicodedata"):
        (claude.project / f"{name}.py").write_text("raise SystemExit('shadowed')", encoding="utf-8")
    claude.environment |= {"PYTHONPATH": str(claude.project), "PYTHONSTARTUP": "os.py", "PYTHONHOME": "/nowhere"}

    assert "每天。" in claude.prompt("refresh token").context
