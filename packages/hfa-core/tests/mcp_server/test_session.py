"""Where the host says which session a server is for, hooks and tools know of one another what that session was told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp_types import CallToolResult

from hfa_core.fs.layout import Layout
from tests.payloads.claude_hook import ClaudeHook
from tests.payloads.mcp_process import BACKOFF

Call = Callable[..., CallToolResult]
QUESTION = "重试的退避 backoff 是怎么定的？"
SESSION = "4bd7e9ad-2ac7-4d6b-a9bd-2f3c7f0aef11"


@pytest.fixture
def hook(own_environment: Path, project: Path, memory: Layout, add: Callable[..., str]) -> ClaudeHook:
    add("Retries back off 重试退避", hit_words=("backoff", "退避"))
    return ClaudeHook(own_environment, project)


@pytest.fixture
def in_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)


@pytest.mark.usefixtures("in_session")
def test_what_an_agent_asked_for_its_hooks_do_not_tell_again(hook: ClaudeHook, project: Path, call: Call) -> None:
    for _ in range(2):
        # It asks twice, and is answered twice.
        answer = call("recall_memory", {"query": QUESTION}, cwd=project)
        assert answer.structured_content["status"] == "hit"

    assert hook.prompt(QUESTION, session_id=SESSION).context == ""
    assert "重试退避" in hook.prompt(QUESTION, session_id="another").context
    receipts = next(hook.user_dir.rglob("receipts*")).read_text(encoding="utf-8").splitlines()
    sessions = [json.loads(line)["session"] for line in receipts]
    assert sessions[0] == sessions[1] != sessions[2]
    assert SESSION not in "".join(receipts)


@pytest.mark.usefixtures("in_session")
def test_a_turn_from_which_the_user_keeps_the_memory_out_is_without_the_tools_too(
    hook: ClaudeHook, project: Path, memory: Layout, call: Call
) -> None:
    hook.prompt("#nomemory how do retries back off?", session_id=SESSION)

    recalled = call("recall_memory", {"query": QUESTION}, cwd=project).structured_content
    refused = call("remember_decision", BACKOFF, cwd=project)

    assert (recalled["status"], recalled["recall_text"], recalled["selected"]) == ("off", "", [])
    assert refused.structured_content["error"]["exit_code"] == 15
    assert "#nomemory" in refused.structured_content["error"]["message"]
    assert len(list(Path(memory.chunks).iterdir())) == 1
    hook.prompt("thanks, go on", session_id=SESSION)
    assert call("recall_memory", {"query": QUESTION}, cwd=project).structured_content["status"] == "hit"


@pytest.mark.usefixtures("in_session")
def test_a_record_names_the_session_that_it_comes_from(project: Path, memory: Layout, call: Call) -> None:
    call("remember_decision", BACKOFF, cwd=project)

    (path,) = Path(memory.chunks).glob("*.json")
    assert json.loads(path.read_text(encoding="utf-8"))["source"]["session"] == SESSION


def test_without_a_session_the_tools_leave_the_hooks_as_they_are(hook: ClaudeHook, project: Path, call: Call) -> None:
    hook.prompt("#nomemory how do retries back off?", session_id=SESSION)

    assert call("recall_memory", {"query": QUESTION}, cwd=project).structured_content["status"] == "hit"
    assert "重试退避" in hook.prompt(QUESTION, session_id=SESSION).context
