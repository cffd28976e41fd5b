"""Whatever is broken, the hook process answers with one valid reply and exit code 0, and leaves a trace."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.active.registry import session_name
from hfa_core.fs.atomic import write_staged
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.freshness import is_current
from hfa_core.index.sync import sync
from hfa_core.light.sha256 import sha256_hex
from hfa_core.store.directory import read_directory
from hfa_core.transaction.journal import Journal, Step, render_journal
from tests.payloads import load_payload
from tests.payloads.claude_hook import ROOTS, ClaudeHook

PROMPT = "How do refresh tokens rotate, 刷新令牌怎么轮换?"


@pytest.fixture
def known(add: Callable[..., str]) -> str:
    """A record that `PROMPT` finds."""
    return add("Refresh tokens rotate daily", hit_words=("refresh token", "刷新令牌"), conclusion="Every 24 hours.")


def every_event_is_answered_with_nothing(claude: ClaudeHook) -> None:
    block = "```hfa-memory\ntitle: A decision\nhit words: a word\nconclusion: A line.\n```"
    for answer in (
        claude.fire("SessionStart"),
        claude.prompt(PROMPT),
        claude.fire("PostToolUse"),
        claude.stop(block),
        claude.fire("PreCompact"),
        claude.fire("SessionEnd"),
    ):
        assert answer.reply == {}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"{",
        b'{"prompt": "Refresh token"',
        b"not JSON",
        b"null",
        b"[]",
        b'"text"',
        b"12",
        b"{} {}",
        b"\xff\xfe\x00\x01",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"prompt": NaN}',
    ],
    ids=lambda data: repr(data[:24]),
)
@pytest.mark.usefixtures("memory")
def test_a_payload_that_is_no_json_object_is_answered_with_nothing_and_shown_by_the_doctor(
    claude: ClaudeHook, failures: Callable[[], list[str]], data: bytes
) -> None:
    assert claude.send("UserPromptSubmit", data).reply == {}

    (failure,) = failures()
    assert "claude UserPromptSubmit" in failure
    assert "ValueError" in failure


@pytest.mark.parametrize("wrong", [1, True, [], {}, "\ud800", "a\x00b"], ids=repr)
@pytest.mark.parametrize("sample", ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"])
@pytest.mark.usefixtures("known")
def test_fields_of_a_wrong_type_never_disturb_the_host(claude: ClaudeHook, sample: str, wrong: object) -> None:
    payload = load_payload(sample, claude.project)
    broken = {field: wrong if field != "hook_event_name" else sample for field in payload}

    assert isinstance(claude.send(sample, json.dumps(broken).encode()).reply, dict)
    for field in payload:
        if field != "hook_event_name":
            assert claude.send(sample, json.dumps({**payload, field: wrong}).encode()).code == 0


@pytest.mark.usefixtures("known")
def test_a_byte_order_mark_is_passed_over(claude: ClaudeHook) -> None:
    data = b"\xef\xbb\xbf" + b'{"prompt": "refresh token", "session_id": "s"}'

    assert "Every 24 hours." in claude.send("UserPromptSubmit", data).context


@pytest.mark.usefixtures("known")
def test_invalid_utf8_inside_a_prompt_spoils_only_itself(claude: ClaudeHook) -> None:
    data = b'{"prompt": "refresh token \xff\xfe \xe8\xae", "session_id": "s"}'

    assert "Every 24 hours." in claude.send("UserPromptSubmit", data).context


@pytest.mark.usefixtures("known")
def test_a_payload_of_five_megabytes_is_answered(claude: ClaudeHook) -> None:
    half = "the quick fox and 狐狸 <hfa-memory> {1} " * 60_000

    assert "Every 24 hours." in claude.prompt(half + half + " refresh token rotation?").context
    assert claude.prompt(half, session_id="another").reply == {}
    assert claude.stop(half + "```hfa-memory\n" + half).reply == {}


def test_without_a_memory_every_event_is_answered_with_nothing_and_nothing_is_made(claude: ClaudeHook) -> None:
    before = sorted(claude.project.rglob("*"))

    every_event_is_answered_with_nothing(claude)

    assert sorted(claude.project.rglob("*")) == before


def test_a_named_memory_that_is_missing_leaves_a_trace(
    claude: ClaudeHook, failures: Callable[[], list[str]], tmp_path: Path
) -> None:
    claude.environment["HFA_MEMORY_DIR"] = str(tmp_path / "nowhere")

    every_event_is_answered_with_nothing(claude)

    assert "MemoryNotFoundError" in failures()[0]
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "no table",
        "| id | title | path | state | branch | hit words |\n|---|---|---|---|---|---|\n| M1 | Project |\n",
        "<<<<<<< HEAD\n| M1 | A | main/M1.md | ACTIVE | | |\n=======\n>>>>>>> theirs\n",
    ],
    ids=["empty", "no table", "short row", "merge conflict"],
)
def test_a_damaged_directory_silences_recall_and_capture_and_leaves_a_trace(
    claude: ClaudeHook, memory: Layout, known: str, failures: Callable[[], list[str]], damage: str
) -> None:
    Path(memory.directory).write_text(damage, encoding="utf-8")

    every_event_is_answered_with_nothing(claude)

    assert Path(memory.directory).read_text(encoding="utf-8") == damage
    assert os.listdir(memory.chunks) == [f"{known}.json"]
    assert any("directory.md" in failure for failure in failures())


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n",
        '{"format": "hfa-memory/1"}',
        '{"format": "hfa-memory/1", "memory_id": "0123456789abcdef", "recall_budget": "many"}',
        '{"format": "hfa-memory/99"}',
    ],
    ids=["half a file", "merge conflict", "no memory id", "a budget of text", "a newer format without a memory id"],
)
@pytest.mark.usefixtures("known")
def test_a_damaged_config_silences_every_event_and_leaves_a_trace(
    claude: ClaudeHook, memory: Layout, failures: Callable[[], list[str]], damage: str
) -> None:
    Path(memory.config).write_text(damage, encoding="utf-8")

    every_event_is_answered_with_nothing(claude)

    assert Path(memory.config).read_text(encoding="utf-8") == damage
    assert any("config.json" in failure for failure in failures())


@pytest.mark.usefixtures("known")
def test_an_open_journal_blocks_reading_and_writing_and_leaves_a_trace(
    claude: ClaudeHook, memory: Layout, failures: Callable[[], list[str]]
) -> None:
    Path(memory.journal).write_text("{}", encoding="utf-8")

    every_event_is_answered_with_nothing(claude)

    assert len(os.listdir(memory.chunks)) == 1
    assert any("JournalError" in failure for failure in failures())


@pytest.mark.parametrize("event", ["prompt", "stop", "start"])
def test_an_operation_that_was_decided_is_finished_by_the_next_hook(
    claude: ClaudeHook, memory: Layout, known: str, event: str, failures: Callable[[], list[str]]
) -> None:
    data = Path(memory.chunk(known)).read_bytes()
    os.unlink(memory.chunk(known))
    staged = os.path.basename(write_staged(memory.chunk(known), data))
    step = Step(f"chunks/{known}.json", f"chunks/{staged}", sha256_hex(data))
    Path(memory.journal).write_bytes(render_journal(Journal("test", (step,))))

    if event == "stop":
        claude.stop("Done.")
    elif event == "start":
        claude.fire("SessionStart")
    assert "Every 24 hours." in claude.prompt(PROMPT).context

    assert os.listdir(memory.chunks) == [f"{known}.json"]
    assert not os.path.exists(memory.journal)
    assert failures() == []


@pytest.mark.parametrize("part", ["start", "middle", "whole", "empty", "text"])
@pytest.mark.usefixtures("known")
def test_a_corrupt_index_is_made_anew_or_passed_over(claude: ClaudeHook, memory: Layout, part: str) -> None:
    path = Path(memory.database)
    data = bytearray(path.read_bytes())
    for ending in ("-wal", "-shm"):
        Path(memory.database + ending).unlink(missing_ok=True)
    if part == "start":
        data[:100] = b"\xa5" * 100
    elif part == "middle":
        data[4096:] = b"\xa5" * (len(data) - 4096)
    elif part == "whole":
        data[:] = os.urandom(len(data))
    else:
        data[:] = b"" if part == "empty" else b"This is no database.\n" * 500
    path.write_bytes(data)

    first = claude.prompt(PROMPT, session_id="first")
    assert first.reply == {} or "Every 24 hours." in first.context
    # A fault of the index heals by itself, since everything in it is derived.
    assert "Every 24 hours." in claude.prompt(PROMPT, session_id="second").context


@pytest.mark.usefixtures("known")
def test_an_index_folder_that_is_a_file_does_no_harm(claude: ClaudeHook, memory: Layout) -> None:
    shutil.rmtree(memory.index)
    Path(memory.index).write_text("in the way", encoding="utf-8")

    assert "Every 24 hours." in claude.prompt(PROMPT).context
    assert Path(memory.index).read_text(encoding="utf-8") == "in the way"


@pytest.mark.usefixtures("known")
def test_a_stale_index_that_another_process_has_locked_leaves_recall_silent_with_a_trace(
    claude: ClaudeHook, memory: Layout, failures: Callable[[], list[str]]
) -> None:
    with open_database(memory) as database:
        # A folder that moved within this clock tick is not yet known to be in step.
        while not is_current(database):
            sync(database, read_directory(memory))
    script = (
        "import sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('BEGIN EXCLUSIVE')\n"
        "connection.execute('DELETE FROM meta')\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, memory.database], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        assert "Every 24 hours." in claude.prompt(PROMPT, session_id="current").context
        (Path(memory.chunks) / "chunk_0099-abcdef.json").write_text("{}", encoding="utf-8")
        assert claude.prompt(PROMPT, session_id="stale").reply == {}
        holder.kill()

    assert any("locked" in failure for failure in failures())
    assert "Every 24 hours." in claude.prompt(PROMPT, session_id="free").context


@pytest.mark.usefixtures("known")
def test_a_rollback_journal_index_under_an_exclusive_lock_leaves_recall_silent(
    claude: ClaudeHook, memory: Layout, failures: Callable[[], list[str]]
) -> None:
    connection = sqlite3.connect(memory.database, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN EXCLUSIVE")
        assert claude.prompt(PROMPT).reply == {}
    finally:
        connection.close()

    assert any("StorageError" in failure for failure in failures())


@pytest.mark.usefixtures("known")
def test_a_user_folder_that_cannot_be_made_does_no_harm(claude: ClaudeHook) -> None:
    claude.user_dir.parent.mkdir(parents=True, exist_ok=True)
    claude.user_dir.write_text("in the way", encoding="utf-8")

    for answer in (claude.fire("SessionStart"), claude.prompt(PROMPT), claude.fire("PostToolUse"), claude.stop("x")):
        assert answer.code == 0
        assert answer.reply is not None

    assert claude.user_dir.read_text(encoding="utf-8") == "in the way"


@pytest.mark.usefixtures("known")
def test_a_working_folder_that_is_gone_does_no_harm(claude: ClaudeHook, tmp_path: Path) -> None:
    assert claude.prompt(PROMPT, cwd=str(tmp_path / "gone")).reply == {}
    assert claude.fire("UserPromptSubmit", cwd=None).reply == {}


@pytest.mark.usefixtures("known")
def test_a_host_that_hung_up_gets_exit_code_0(claude: ClaudeHook) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            claude.command("UserPromptSubmit"),
            input=b'{"prompt": "refresh token"}',
            stdout=writing,
            stderr=subprocess.PIPE,
            cwd=claude.project,
            env=claude.environment,
            check=False,
        )
    finally:
        os.close(writing)

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-"])
def test_closed_standard_streams_do_no_harm(claude: ClaudeHook, memory: Layout, known: str, closed: str) -> None:
    command = ["sh", "-c", f'"$@" {closed}', "sh", *claude.command("UserPromptSubmit")]
    done = subprocess.run(
        command,
        input=b'{"prompt": "refresh token"}',
        capture_output=True,
        cwd=claude.project,
        env=claude.environment,
        check=False,
    )

    assert done.returncode == 0
    assert done.stdout in (b"", b"{}\n")
    # A file that got the number of a closed stream must not receive the reply.
    assert "hookSpecificOutput" not in (Path(memory.chunks) / f"{known}.json").read_text(encoding="utf-8")
    assert "Every 24 hours." in claude.prompt(PROMPT).context


def test_an_edited_record_is_not_injected_and_not_a_failure(claude: ClaudeHook, memory: Layout, known: str) -> None:
    assert "Every 24 hours." in claude.prompt(PROMPT, session_id="before").context
    path = Path(memory.chunk(known))
    path.write_text(path.read_text(encoding="utf-8").replace("Every 24", "Every 99"), encoding="utf-8")

    assert claude.prompt(PROMPT, session_id="after").reply == {}


@pytest.mark.usefixtures("memory")
def test_strict_mode_lets_a_fault_out_so_that_failing_open_cannot_hide_it(claude: ClaudeHook) -> None:
    program = (
        f"import sys; sys.path += {[str(root) for root in ROOTS]}; from hfa_claude.hook import main; main(['Stop'])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        input=b"not JSON",
        capture_output=True,
        cwd=claude.project,
        env=claude.environment | {"HFA_HOOK_STRICT": "1"},
        check=False,
    )

    assert done.returncode == 1
    assert done.stdout == b""
    assert b"ValueError" in done.stderr


@pytest.mark.usefixtures("memory")
def test_the_log_names_the_fault_its_event_and_its_session(
    claude: ClaudeHook, memory: Layout, log: Callable[[], list[dict[str, object]]]
) -> None:
    Path(memory.directory).unlink()

    claude.prompt(PROMPT, session_id="the-session")

    (entry,) = log()
    assert entry["host"] == "claude"
    assert entry["event"] == "UserPromptSubmit"
    assert entry["session"] == session_name("the-session")
    assert entry["outcome"] == "error"
    assert entry["error"] == "MemoryDamagedError"
    assert "directory.md" in str(entry["message"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("name", ["memory/directory.md", "memory/config.json"])
def test_a_pipe_in_the_place_of_a_file_does_not_hold_the_host_up(
    claude: ClaudeHook, memory: Layout, failures: Callable[[], list[str]], name: str
) -> None:
    path = Path(memory.workspace) / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)

    assert claude.prompt(PROMPT).reply == {}

    path.unlink()
    assert any("is no file but a pipe" in failure for failure in failures())
    assert not any("OutOfTime" in failure for failure in failures())
