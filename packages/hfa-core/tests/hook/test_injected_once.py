"""What a context holds is not told again: not by a second process for the same event, nor for the same file."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from hfa_core.fs.layout import Layout, UserLayout
from hfa_core.hook.log import read_entries
from hfa_core.store.nodes import add_node
from tests.payloads import load_payload
from tests.payloads.claude_hook import ClaudeHook

Add = Callable[..., str]


@pytest.fixture
def known(add: Add) -> str:
    """A record about `src/auth/tokens.py`."""
    return add(
        "Refresh tokens rotate daily",
        hit_words=("refresh token", "刷新令牌"),
        conclusion="Every 24 hours. 每日轮换。",
        paths=("src/auth/tokens.py",),
    )


def touch(claude: ClaudeHook, path: str, *, agent_id: str = "") -> str:
    """The context that a tool on a file of the project gets."""
    tool_input = {"file_path": str(claude.project / path)}
    return claude.fire("PostToolUse-Edit", tool_input=tool_input, agent_id=agent_id or None).context


@pytest.mark.parametrize("prompt", ["how often do refresh tokens rotate", "刷新令牌多久轮换一次"])
def test_of_several_processes_for_one_prompt_one_answers(
    claude: ClaudeHook, add: Add, known: str, user: UserLayout, prompt: str
) -> None:
    for number in range(4):
        add(
            f"Refresh token rule {number} 刷新令牌",
            hit_words=("refresh token", "刷新令牌"),
            conclusion=f"Rule {number}.",
        )
    data = json.dumps(load_payload("UserPromptSubmit", claude.project, prompt=prompt)).encode()

    answers = claude.send_at_once("UserPromptSubmit", data, times=5)

    told = [answer.context for answer in answers if answer.context]
    assert len(told) == 1
    assert len(read_entries(user.receipts, limit=9)) == 1
    assert known
    assert claude.send("UserPromptSubmit", data).context == ""


def test_of_several_processes_for_one_session_start_one_answers(claude: ClaudeHook, known: str) -> None:
    data = json.dumps(load_payload("SessionStart", claude.project)).encode()

    answers = claude.send_at_once("SessionStart", data, times=5)

    assert known
    assert len([answer for answer in answers if answer.context]) == 1


@pytest.mark.parametrize("prompt", ["how often do refresh tokens rotate", "刷新令牌多久轮换一次"])
def test_sessions_at_work_at_once_are_each_answered(claude: ClaudeHook, known: str, prompt: str) -> None:
    for number in range(3):
        assert known in claude.prompt(prompt, session_id=f"session {number}").context


def test_a_file_brings_the_records_about_it_once_in_a_context(claude: ClaudeHook, known: str) -> None:
    assert known in touch(claude, "src/auth/tokens.py")
    assert touch(claude, "src/auth/tokens.py") == ""
    assert claude.prompt("refresh token").context == ""
    claude.fire("SessionStart-compact")
    claude.prompt("好的")
    assert known in touch(claude, "src/auth/tokens.py")


def test_a_record_of_a_prompt_is_not_told_again_for_its_file(claude: ClaudeHook, known: str) -> None:
    assert known in claude.prompt("刷新令牌").context
    assert touch(claude, "src/auth/tokens.py") == ""


@pytest.mark.usefixtures("known")
def test_other_files_and_files_elsewhere_bring_nothing(claude: ClaudeHook) -> None:
    assert touch(claude, "src/auth/token.py") == ""
    assert touch(claude, "../src/auth/tokens.py") == ""


@pytest.mark.usefixtures("known")
def test_a_sub_agents_files_and_a_muted_turn_bring_nothing(claude: ClaudeHook) -> None:
    assert touch(claude, "src/auth/tokens.py", agent_id="a1") == ""
    claude.prompt("work on it #nomemory")
    assert touch(claude, "src/auth/tokens.py") == ""


def test_a_superseded_record_about_a_file_leads_to_its_successor(claude: ClaudeHook, add: Add, known: str) -> None:
    new = add("Refresh tokens rotate hourly", hit_words=("refresh token",), supersedes=(known,), paths=())

    told = touch(claude, "src/auth/tokens.py")

    assert f"[{new}]" in told
    assert "rotate daily" not in told


def test_a_record_out_of_focus_is_not_told_for_its_file(claude: ClaudeHook, memory: Layout, add: Add) -> None:
    add_node(memory, "S", "Tablet 平板", time="2026-01-01T00:00:00Z")
    add("Tiles are cached", hit_words=("tiles", "瓦片"), conclusion="On disk.", node="S1", paths=("tiles.py",))

    assert touch(claude, "tiles.py") == ""


def test_of_many_records_about_a_file_the_newest_two_are_told(claude: ClaudeHook, add: Add) -> None:
    ids = [
        add(f"Rule {number} 规则", hit_words=(f"rule{number}",), conclusion=f"Number {number}.", paths=("a.py",))
        for number in range(5)
    ]

    told = touch(claude, "a.py")

    assert [one for one in ids if one in told] == ids[-2:]
