"""Each recorded event through the installed command: what the host gets back and what HFA keeps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.active.registry import Session
from hfa_core.fs.layout import Layout, UserLayout
from hfa_core.hook.inject import CONTEXT_CHARACTERS
from hfa_core.hook.log import read_entries
from hfa_core.recall.frame import CLOSING, NOTICE, OPENING
from hfa_core.store.nodes import add_node
from tests.payloads import CLAUDE_SAMPLES, event_of
from tests.payloads.claude_hook import ClaudeHook


@pytest.fixture
def known(add: Callable[..., str]) -> str:
    """A record that English and Chinese prompts find."""
    return add("Refresh tokens rotate daily", hit_words=("refresh token", "刷新令牌"), conclusion="Every 24 hours.")


@pytest.mark.parametrize("sample", CLAUDE_SAMPLES)
@pytest.mark.usefixtures("known")
def test_every_recorded_event_gets_one_json_object_and_exit_code_0(claude: ClaudeHook, sample: str) -> None:
    answer = claude.fire(sample)

    if event_of(sample) != "SessionStart":
        assert answer.reply == {}


@pytest.mark.parametrize("prompt", ["how often do refresh tokens rotate", "请问刷新令牌多久轮换一次"])
def test_a_prompt_that_the_memory_answers_gets_the_record_in_a_frame(
    claude: ClaudeHook, user: UserLayout, known: str, prompt: str
) -> None:
    answer = claude.prompt(prompt)

    lines = answer.context.splitlines()
    assert lines[:2] == [OPENING, NOTICE]
    assert lines[-1] == CLOSING
    assert lines[2].startswith(f"| [{known}] Refresh tokens rotate daily")
    assert all(line.startswith("| ") for line in lines[2:-1])
    assert answer.reply["hookSpecificOutput"] == {
        "hookEventName": "UserPromptSubmit",
        "additionalContext": answer.context,
    }
    (receipt,) = read_entries(user.receipts, limit=9)
    assert receipt["ids"] == [known]
    assert receipt["host"] == "claude"
    assert receipt["exact"] is False


@pytest.mark.parametrize("prompt", ["how does the tablet cache its tiles", "平板的瓦片缓存怎么做"])
def test_a_match_out_of_focus_is_named_once_in_a_context_without_its_text(
    claude: ClaudeHook, memory: Layout, add: Callable[..., str], prompt: str
) -> None:
    add_node(memory, "S", "Tablet 平板", time="2026-01-01T00:00:00Z")
    title = "Tablet tile cache 平板的瓦片缓存"
    locked = add(title, node="S1", hit_words=("tile cache", "瓦片缓存"), conclusion="Fifty megabytes. 五十兆。")

    first, second = claude.prompt(prompt), claude.prompt(prompt)

    line = first.context.splitlines()[2]
    assert line.startswith(f"| [{locked}] {title}: not shown, since S1 Tablet 平板 is not in focus.")
    assert "hfa recall --unlock" in line
    assert "megabytes" not in first.context
    assert "五十兆" not in first.context
    assert second.reply == {}


@pytest.mark.parametrize("prompt", ["", "ok", "好的", "write a haiku about the sea", "写一首关于大海的诗"])
def test_a_prompt_that_the_memory_does_not_answer_costs_nothing(
    claude: ClaudeHook, user: UserLayout, known: str, prompt: str
) -> None:
    assert known
    assert claude.prompt(prompt).reply == {}
    assert not Path(user.receipts).exists()


@pytest.mark.parametrize("source", ["system", "loop_wakeup", "schedule_wakeup", "poll_event"])
@pytest.mark.usefixtures("known")
def test_a_prompt_that_nobody_typed_is_not_recalled_for(claude: ClaudeHook, source: str) -> None:
    assert claude.prompt("refresh token", source=source).reply == {}
    assert claude.prompt("refresh token", source="user").reply != {}


@pytest.mark.usefixtures("memory")
def test_a_session_in_an_empty_memory_starts_in_silence(claude: ClaudeHook) -> None:
    for sample in ("SessionStart", "SessionStart-resume", "SessionStart-compact"):
        assert claude.fire(sample).reply == {}


def test_a_session_start_names_the_active_line_and_counts_the_records(
    claude: ClaudeHook, add: Callable[..., str], known: str
) -> None:
    add("Refresh tokens rotate hourly", hit_words=("refresh token",), supersedes=(known,))

    told = claude.fire("SessionStart").context
    assert "M1 Project" in told
    assert "1 current record" in told
    assert "1 superseded" in told


@pytest.mark.usefixtures("known")
def test_a_record_is_shown_once_in_a_context_and_again_after_a_compaction(claude: ClaudeHook) -> None:
    def shows() -> bool:
        return bool(claude.prompt("refresh token").context)

    claude.fire("SessionStart")
    assert [shows(), shows()] == [True, False]
    claude.fire("PreCompact")
    assert [shows(), shows()] == [True, False]
    claude.fire("SessionStart-compact")
    assert [shows(), shows()] == [True, False]
    claude.fire("SessionStart", source="clear")
    assert [shows(), shows()] == [True, False]
    claude.fire("SessionStart-resume")
    assert not shows()
    assert claude.prompt("refresh token", session_id="another session").context


@pytest.mark.parametrize("prompt", ["refresh token #nomemory", "#nomemory 刷新令牌"])
def test_a_prompt_may_keep_the_memory_out_of_its_turn_only(
    claude: ClaudeHook, stored: Callable[[], list[object]], known: str, prompt: str
) -> None:
    block = "```hfa-memory\ntitle: A decision\nhit words: a word\nconclusion: A line.\n```"
    assert known
    assert claude.prompt(prompt).reply == {}
    assert claude.stop(block).reply == {}
    assert len(stored()) == 1

    assert claude.prompt("refresh token").context
    assert claude.stop(block).reply == {}
    assert len(stored()) == 2


@pytest.mark.parametrize(
    ("off", "settings"),
    [({"HFA_OFF": "1"}, ""), ({}, '{"off": true}')],
    ids=["the environment", "the project"],
)
def test_a_memory_that_is_off_is_left_alone(
    claude: ClaudeHook, stored: Callable[[], list[object]], known: str, off: dict[str, str], settings: str
) -> None:
    assert known
    if settings:
        (claude.project / ".hfa.json").write_text(settings, encoding="utf-8")
    claude.environment.update(off)

    for sample in CLAUDE_SAMPLES:
        assert claude.fire(sample).reply == {}
    assert claude.prompt("refresh token").reply == {}
    assert claude.stop("```hfa-memory\ntitle: A\nhit words: b\nconclusion: C.\n```").reply == {}
    assert len(stored()) == 1


@pytest.mark.usefixtures("known")
def test_a_hook_in_a_subfolder_finds_the_projects_memory(claude: ClaudeHook) -> None:
    folder = claude.project / "src" / "深" / "a b"
    folder.mkdir(parents=True)

    assert claude.prompt("refresh token", cwd=str(folder)).context


@pytest.mark.usefixtures("known")
def test_an_echo_of_our_own_text_is_not_searched_for(claude: ClaudeHook) -> None:
    injected = claude.prompt("refresh token", session_id="one").context

    assert claude.prompt(injected, session_id="two").reply == {}


def test_the_reply_stays_below_the_hosts_limit_however_large_the_budget_is(
    claude: ClaudeHook, memory: Layout, add: Callable[..., str]
) -> None:
    config: dict[str, object] = json.loads(Path(memory.config).read_text(encoding="utf-8"))
    Path(memory.config).write_text(json.dumps({**config, "recall_budget": 50_000}), encoding="utf-8")
    paths = tuple(f"src/{number:02d}/" + "p" * 220 for number in range(16))
    for number in range(3):
        lines = tuple(f"{number}{line}" + "w" * 490 for line in range(3))
        add(f"Wide record {number}", hit_words=("wide record",), conclusion=lines, paths=paths)

    context = claude.prompt("wide record").context

    assert 0 < len(context) <= CONTEXT_CHARACTERS
    assert context.endswith(CLOSING)


def test_files_that_tools_touched_are_noted_relative_to_the_project(
    claude: ClaudeHook, user: UserLayout, memory: Layout, tmp_path: Path
) -> None:
    claude.fire("PostToolUse", session_id="the session")
    claude.fire("PostToolUse-Edit", session_id="the session")
    claude.fire("PostToolUse", tool_input={"file_path": str(tmp_path / "elsewhere.txt")}, session_id="the session")
    of_agent = {"file_path": str(claude.project / "of a sub-agent")}
    claude.fire("PostToolUse", tool_input=of_agent, agent_id="a1", session_id="the session")

    assert memory
    assert Session(user, "the session").read().touched == ("notes.txt", "README.md")


@pytest.mark.usefixtures("known")
def test_a_hundred_events_leave_the_work_tree_clean(claude: ClaudeHook, git: Callable[..., str]) -> None:
    git("add", ".")
    git("commit", "-m", "memory")

    for number in range(5):
        for sample in ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"):
            claude.fire(sample, session_id=str(number))
        claude.prompt("refresh token", session_id=str(number))

    assert git("status", "--porcelain") == ""


@pytest.mark.usefixtures("known")
def test_private_files_are_for_their_owner_only(claude: ClaudeHook, user: UserLayout) -> None:
    claude.prompt("refresh token")

    for path in (user.hook_log, user.receipts, *Path(user.sessions).iterdir()):
        assert Path(path).stat().st_mode & 0o077 == 0
    assert Path(user.folder).stat().st_mode & 0o077 == 0


def test_the_registry_and_the_logs_hold_no_text_of_a_record_or_a_prompt(
    claude: ClaudeHook, user: UserLayout, add: Callable[..., str]
) -> None:
    add("Refresh tokens", hit_words=("refresh token",), conclusion="BODY-OF-THE-RECORD")

    assert "BODY-OF-THE-RECORD" in claude.prompt("refresh token PROMPT-OF-THE-USER").context

    for path in Path(user.folder).rglob("*.jsonl"):
        text = path.read_text(encoding="utf-8")
        assert "BODY-OF-THE-RECORD" not in text
        assert "PROMPT-OF-THE-USER" not in text
