"""What a user of the real Claude Code gets from HFA, from the first decision to uninstall."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.anthropic_wire import as_array, as_object
from tests.e2e.hosts.claude import Claude
from tests.e2e.play import Run, started
from tests.e2e.script import Call, Say
from tests.e2e.story import DEPLOYMENT, ROTATION, Decision, assert_unharmed, list_chunks, prompt_contexts, set_up

PROJECT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.e2e


# Somebody else's hook, in a layout that no JSON library writes.
FOREIGN_CONTEXT = "from another tool"
FOREIGN_SETTINGS = b"""{ "cleanupPeriodDays" : 20,
\t"hooks": {"UserPromptSubmit": [ {"hooks": [{"type": "command", "command": "echo from another tool"}]} ]}
}"""


@pytest.fixture(scope="module")
def taught(claude: Claude, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A workspace in which two earlier sessions each decided something."""
    with started(claude, tmp_path_factory.mktemp("taught") / "run") as run:
        set_up(run)
        for decision in (ROTATION, DEPLOYMENT):
            run.turn(decision.request, Say(decision.answer))
        yield run


def count_carefully(text: str) -> int:
    """More tokens than a current vocabulary needs: one for 3 ASCII characters, three for 2 others."""
    ascii_characters = sum(character.isascii() for character in text)
    return -(-ascii_characters // 3) + -(-(len(text) - ascii_characters) * 3 // 2)


def test_a_decision_of_a_session_is_kept_as_one_chunk(run: Run) -> None:
    set_up(run)
    write = Call("Write", {"file_path": str(run.workspace / "src/auth/tokens.py"), "content": "LIFE_H = 24\n"})

    turn = run.turn(ROTATION.request, write, Say(ROTATION.answer))

    assert (turn.exit_code, turn.answer.strip(), len(turn.requests)) == (0, ROTATION.answer.strip(), 2)
    (chunk,) = list_chunks(run)
    assert re.fullmatch(r"chunk_0001-[0-9a-f]{6}\.json", chunk)
    record = as_object(json.loads((run.workspace / "memory" / "chunks" / chunk).read_text(encoding="utf-8")))
    assert record["title"] == ROTATION.title
    assert record["conclusion"] == [ROTATION.conclusion]
    assert f"memory/chunks/{chunk}" in run.git("status", "--short", "--untracked-files=all")
    found = as_object(json.loads(run.hfa("recall", ROTATION.question, "--json")))
    assert [as_object(hit)["id"] for hit in as_array(found["selected"])] == [chunk.removesuffix(".json")]


@pytest.mark.parametrize("decision", [ROTATION, DEPLOYMENT], ids=["english", "chinese"])
def test_a_later_session_is_told_the_decision_once_and_as_history(taught: Run, decision: Decision) -> None:
    turn = taught.turn(decision.question)

    assert turn.exit_code == 0
    (told,) = prompt_contexts(taught, turn)
    assert told.count(decision.conclusion) == turn.last_request.count(decision.conclusion) == 1
    (other,) = {ROTATION, DEPLOYMENT} - {decision}
    assert turn.last_request.count(other.conclusion) == 0
    assert re.search(r"\bhistorical\b.*\breference\b", told, re.IGNORECASE)
    assert count_carefully(told) <= 600
    assert len(told) < 8000


@pytest.mark.parametrize("prompt", ["thanks", "好的", "ok, continue"], ids=["thanks", "chinese", "continue"])
def test_chatter_is_told_nothing(taught: Run, prompt: str) -> None:
    turn = taught.turn(prompt)

    assert prompt_contexts(taught, turn) == []
    for decision in (ROTATION, DEPLOYMENT):
        assert turn.last_request.count(decision.conclusion) == 0


def test_a_resumed_session_is_not_told_again(taught: Run) -> None:
    taught.turn(ROTATION.question)

    turn = taught.turn("So what is the refresh token rotation, in hours?", resume=True)

    assert turn.last_request.count(ROTATION.question) == 1
    assert turn.last_request.count(ROTATION.conclusion) == 1


def test_sessions_that_decide_nothing_leave_the_memory_as_it_was(taught: Run) -> None:
    before = list_chunks(taught)

    taught.turn(DEPLOYMENT.question, Say("As you decided: " + DEPLOYMENT.conclusion))

    assert list_chunks(taught) == before
    assert len(before) == 2


def test_a_host_is_unharmed_by_an_installation_that_is_gone(claude: Claude, tmp_path: Path) -> None:
    copy = tmp_path / "copy of hfa"
    for package in (PROJECT / "packages").glob("*/src"):
        shutil.copytree(package, copy, dirs_exist_ok=True)
    with started(claude, tmp_path / "run", hfa=(sys.executable, "-c", "from hfa_core.cli import main; main()")) as run:
        run.environment["PYTHONPATH"] = str(copy)
        set_up(run)
        del run.environment["PYTHONPATH"]
        run.turn(ROTATION.request, Say(ROTATION.answer))
        assert len(prompt_contexts(run, run.turn(ROTATION.question))) == 1

        shutil.rmtree(copy)
        turn = run.turn(ROTATION.question, Say("As before."))

        assert_unharmed(turn, "As before.")
        assert prompt_contexts(run, turn) == []


@pytest.mark.parametrize("damaged", ["index/*", "chunks/*", "directory.md", "config.json"])
def test_a_host_is_unharmed_by_a_broken_memory(run: Run, damaged: str) -> None:
    set_up(run)
    run.turn(ROTATION.request, Say(ROTATION.answer))
    files = [path for path in (run.workspace / "memory").glob(damaged) if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(b"\xff\x00 not what it was")

    turn = run.turn(ROTATION.question, Say("As before."))

    assert_unharmed(turn, "As before.")


def test_a_host_is_unharmed_by_a_user_folder_that_cannot_be_written(run: Run) -> None:
    set_up(run)
    run.turn(ROTATION.request, Say(ROTATION.answer))
    # A file where a folder is due: unlike a read-only folder, this stops root too.
    (run.root / "no folder").write_bytes(b"")

    turn = run.turn(ROTATION.question, Say("As before."), env={"HFA_USER_DIR": str(run.root / "no folder")})

    assert_unharmed(turn, "As before.")


def test_uninstall_gives_back_the_settings_and_the_silence(run: Run) -> None:
    run.settings_file.write_bytes(FOREIGN_SETTINGS)
    set_up(run)
    run.turn(ROTATION.request, Say(ROTATION.answer))
    told = run.turn(ROTATION.question).last_request
    assert (told.count(ROTATION.conclusion), told.count(FOREIGN_CONTEXT)) == (1, 1)

    run.hfa("uninstall", "claude")
    turn = run.turn(ROTATION.question)

    assert run.settings_file.read_bytes() == FOREIGN_SETTINGS
    told = turn.last_request
    assert run.host.contexts(told, "UserPromptSubmit") == run.host.contexts(told, "SessionStart") == []
    assert (told.count(ROTATION.conclusion), told.count("hfa"), told.count(FOREIGN_CONTEXT)) == (0, 0, 1)
