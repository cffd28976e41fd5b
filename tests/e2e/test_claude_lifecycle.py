"""Claude Code through a session's whole life: tools, sub-agents, compaction, several installations, a broken one."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.hosts.claude import Claude
from tests.e2e.play import Run, Turn, started
from tests.e2e.script import Call, Say
from tests.e2e.story import DEPLOYMENT, ROTATION, Decision, assert_unharmed, list_chunks, prompt_contexts, set_up

PLUGIN = Path(__file__).resolve().parents[2] / "packages" / "hfa-claude" / "plugin"
SCRIPTS = str(Path(sys.executable).parent)

pytestmark = pytest.mark.e2e

ABOUT_A_FILE = Decision(
    title="密钥轮换只改 tokens.py",
    hit_words="key ring, 密钥环",
    conclusion="Key ring changes go through src/auth/tokens.py only. 密钥环只在这里改。",
    request="Where do key ring changes go?",
    question="where do key ring changes go? 密钥环在哪改？",
)


def remember(run: Run, decision: Decision, *options: str) -> None:
    fields = ("--title", decision.title, "--hit-words", decision.hit_words, "--conclusion", decision.conclusion)
    run.hfa("remember", *fields, *options)


def with_scripts_on_path(run: Run) -> None:
    """What a team's hooks need: the console scripts of HFA where a shell finds them."""
    run.environment["PATH"] = os.pathsep.join([SCRIPTS, run.environment["PATH"]])


def edit(run: Run, text: str) -> Call:
    return Call("Write", {"file_path": str(run.workspace / "src/auth/tokens.py"), "content": text})


def told(run: Run, turn: Turn, event: str) -> list[str]:
    return run.host.contexts(turn.last_request, event)


def test_a_session_start_says_what_there_is_and_a_resumed_one_does_not_say_it_again(run: Run) -> None:
    set_up(run)
    remember(run, ROTATION)
    turn = run.turn("hello there")
    (briefing,) = told(run, turn, "SessionStart")

    assert "1 current record" in briefing

    turn = run.turn("hello again", resume=True)
    assert turn.last_request.count("1 current record") == 1


def test_a_touched_file_brings_the_record_about_it_once(run: Run) -> None:
    set_up(run)
    remember(run, ABOUT_A_FILE, "--path", "src/auth/tokens.py")
    turn = run.turn("Write the token module.", edit(run, "A = 1\n"), edit(run, "A = 2\n"), Say("Written."))

    assert (turn.exit_code, turn.answer, len(turn.requests)) == (0, "Written.", 3)
    assert turn.requests[1].count(ABOUT_A_FILE.conclusion) == 1
    assert turn.last_request.count(ABOUT_A_FILE.conclusion) == 1

    turn = run.turn(ABOUT_A_FILE.question, resume=True)
    assert turn.last_request.count(ABOUT_A_FILE.conclusion) == 1


def test_a_sub_agent_is_told_nothing_and_stores_nothing(run: Run) -> None:
    set_up(run)
    remember(run, ROTATION)
    # Its prompt is one that recalls, had a person typed it; its answer is one that is stored, had it ended the turn.
    run.model.scripts[ROTATION.question] = (Say(DEPLOYMENT.answer),)
    task = {
        "subagent_type": "general-purpose",
        "description": "Look",
        "prompt": ROTATION.question,
        "run_in_background": False,
    }
    turn = run.turn("Let somebody look into it.", Call("Agent", task), Say("They looked."))

    assert (turn.exit_code, turn.answer) == (0, "They looked.")
    assert len(turn.requests) == 3
    assert [request.count(ROTATION.conclusion) for request in turn.requests] == [0, 0, 0]
    assert len(list_chunks(run)) == 1


def test_after_a_compaction_a_record_is_told_again_and_once(run: Run) -> None:
    set_up(run)
    remember(run, ROTATION)
    assert run.turn(ROTATION.question).last_request.count(ROTATION.conclusion) == 1

    compaction = run.turn("/compact", resume=True)
    for request in compaction.requests:
        # Nothing of ours gets into the summary's instructions.
        assert request.count("hfa-claude") == 0
    turn = run.turn("So what is the refresh token rotation?", resume=True)

    assert turn.exit_code == 0
    assert turn.last_request.count(ROTATION.question) <= 1
    assert len([text for text in prompt_contexts(run, turn) if ROTATION.conclusion in text]) == 1
    assert turn.last_request.count(ROTATION.conclusion) == 1


@pytest.fixture
def thrice(claude: Claude, tmp_path: Path) -> Iterator[Run]:
    """HFA installed for the user, for the project, and as a plugin."""
    with started(replace(claude, options=("--plugin-dir", str(PLUGIN))), tmp_path / "run") as run:
        with_scripts_on_path(run)
        set_up(run)
        run.hfa("install", "claude", "--scope", "project", "--no-mcp")
        yield run


@pytest.mark.parametrize("decision", [ROTATION, DEPLOYMENT], ids=["english", "chinese"])
def test_three_installations_at_once_give_one_record_and_one_recall(thrice: Run, decision: Decision) -> None:
    thrice.turn(decision.request, Say(decision.answer))
    assert len(list_chunks(thrice)) == 1

    turn = thrice.turn(decision.question)
    assert turn.last_request.count(decision.conclusion) == 1
    assert len(told(thrice, turn, "SessionStart")) == 1


def test_the_plugin_alone_recalls_and_remembers(claude: Claude, tmp_path: Path) -> None:
    with started(replace(claude, options=("--plugin-dir", str(PLUGIN))), tmp_path / "run") as run:
        with_scripts_on_path(run)
        run.hfa("init")
        run.turn(ROTATION.request, Say(ROTATION.answer))
        turn = run.turn(ROTATION.question)

        assert len(list_chunks(run)) == 1
        assert len(prompt_contexts(run, turn)) == turn.last_request.count(ROTATION.conclusion) == 1


def test_the_plugin_without_hfa_changes_nothing_for_a_colleague(claude: Claude, tmp_path: Path) -> None:
    with started(replace(claude, options=("--plugin-dir", str(PLUGIN))), tmp_path / "run") as run:
        run.hfa("init")
        remember(run, ROTATION)
        turn = run.turn(ROTATION.question, Say("As before."))

        assert_unharmed(turn, "As before.")
        assert turn.last_request.count(ROTATION.conclusion) == 0


def test_a_session_started_in_a_subfolder_uses_the_memory_of_the_project(run: Run) -> None:
    set_up(run)
    remember(run, ROTATION)
    folder = run.workspace / "src" / "深处"
    folder.mkdir(parents=True)
    turn = run.turn(ROTATION.question, cwd=folder)

    assert turn.last_request.count(ROTATION.conclusion) == 1
    run.turn(DEPLOYMENT.request, Say(DEPLOYMENT.answer), cwd=folder)
    assert len(list_chunks(run)) == 2
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("pattern", "broken"),
    [
        ("from hfa_claude import hook", "import sys; sys.exit(2)"),
        ("from hfa_claude import hook", "raise RuntimeError('broken on purpose')"),
        ("import gc, os, sys", "import gc, os, sys; os.close(1); os.close(0)"),
    ],
    ids=["exit code 2", "exception", "closed streams"],
)
def test_a_hook_that_is_broken_on_purpose_blocks_nothing(run: Run, pattern: str, broken: str) -> None:
    set_up(run)
    remember(run, ROTATION)
    text, count = re.subn(pattern, broken, run.settings_file.read_text(encoding="utf-8"))
    assert count
    run.settings_file.write_text(text, encoding="utf-8")

    turn = run.turn(ROTATION.question, Say("As before."))

    assert_unharmed(turn, "As before.")
    assert turn.last_request.count(ROTATION.conclusion) == 0


def test_an_interpreter_that_is_gone_blocks_nothing_and_is_named_by_the_host(run: Run) -> None:
    set_up(run)
    text = run.settings_file.read_text(encoding="utf-8")
    run.settings_file.write_text(re.sub('"command": "[^"]+"', '"command": "/no/such/python"', text), encoding="utf-8")

    turn = run.turn(ROTATION.question, Say("As before."))

    assert (turn.exit_code, turn.answer, len(turn.requests)) == (0, "As before.", 1)
    assert "/no/such/python" in turn.stderr
