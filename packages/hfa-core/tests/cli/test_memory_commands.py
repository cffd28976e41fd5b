"""The commands on a memory: what they print, how they end, what they leave."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.model import Node
from hfa_core.store.directory import Directory, read_directory, render_directory
from tests.payloads.hfa_command import Done, Hfa

ADD: tuple[str, ...] = (
    "add-topic",
    "--title",
    "令牌轮换 Tokens rotate",
    "--hit-words",
    "刷新令牌,refresh token",
    "--conclusion",
    "每天一次。Daily.",
)


def error_of(done: Done) -> dict[str, object]:
    return cast("dict[str, object]", done.json["error"])


# --- init ------------------------------------------------------------------------------------------------------


def test_init_makes_a_memory_and_a_second_run_changes_nothing(
    hfa: Hfa, project: Path, snapshot: Callable[[], dict[str, bytes]]
) -> None:
    first = hfa("init", "--title", "支付服务", "--json")
    assert (first.code, first.json) == (0, {"memory_dir": str(project / "memory"), "created": True})
    before = snapshot()

    second = hfa("init", "--json")

    assert (second.code, second.json["created"]) == (0, False)
    assert snapshot() == before
    assert "支付服务" in before["memory/directory.md"].decode()
    assert hfa("status").code == 0


def test_init_in_a_subfolder_makes_the_memory_at_the_projects_root(hfa: Hfa, project: Path) -> None:
    (project / "src").mkdir()

    assert hfa("init", "--json", cwd=project / "src").json["memory_dir"] == str(project / "memory")


def test_init_in_the_home_folder_is_refused(hfa: Hfa, own_environment: Path) -> None:
    done = hfa("init", cwd=own_environment)

    assert done.code == 16
    assert str(own_environment) in done.err
    assert not (own_environment / "memory").exists()


def test_init_leaves_a_foreign_folder_of_that_name_alone(hfa: Hfa, project: Path) -> None:
    (project / "memory").mkdir()
    (project / "memory" / "__init__.py").write_text("", encoding="utf-8")

    done = hfa("init", "--json")

    assert done.code == 11
    assert error_of(done)["type"] == "ForeignMemoryError"
    assert [path.name for path in (project / "memory").iterdir()] == ["__init__.py"]


# --- add-topic -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["add-topic", "remember"])
def test_a_record_is_stored_once_and_printed_as_pure_json(hfa: Hfa, memory: Layout, command: str) -> None:
    first = hfa(command, *ADD[1:], "--json")
    again = hfa(command, *ADD[1:], "--json")

    assert first.json["duplicate"] is False
    assert again.json == {"id": first.json["id"], "duplicate": True}
    assert [path.stem for path in Path(memory.chunks).iterdir()] == [first.json["id"]]


@pytest.mark.parametrize(
    ("change", "code", "kind"),
    [
        (("--title", ""), 20, "InvalidRecordError"),
        (("--title", "x" * 161), 20, "InvalidRecordError"),
        (("--hit-words", " , ，、"), 20, "InvalidRecordError"),
        (("--conclusion", "一\n二\n三\n四"), 20, "InvalidRecordError"),
        (("--kind", "rumour"), 20, "InvalidRecordError"),
        (("--path", "../outside"), 20, "InvalidRecordError"),
        (("--path", "/etc/passwd"), 20, "InvalidRecordError"),
        (("--node", "S9"), 23, "NodeError"),
        (("--supersedes", "chunk_0099"), 22, "SupersedeError"),
    ],
    ids=repr,
)
def test_a_bad_record_is_refused_with_a_message_and_a_code_of_its_own(
    hfa: Hfa, memory: Layout, change: tuple[str, str], code: int, kind: str
) -> None:
    arguments = list(ADD)
    if change[0] in arguments:
        arguments[arguments.index(change[0]) + 1] = change[1]
    else:
        arguments += change

    plain = hfa(*arguments)
    document = error_of(hfa(*arguments, "--json"))

    assert (plain.code, plain.out) == (code, "")
    assert plain.err.startswith("hfa: ")
    assert plain.err.count("\n") == 1
    assert (document["type"], document["exit_code"]) == (kind, code)
    assert str(document["message"]) in plain.err
    assert not Path(memory.chunks).exists() or not any(Path(memory.chunks).iterdir())


@pytest.mark.usefixtures("memory")
def test_a_request_id_belongs_to_one_content(hfa: Hfa) -> None:
    first = hfa(*ADD, "--request-id", "r1", "--json")
    assert hfa(*ADD, "--request-id", "r1", "--json").json == {"id": first.json["id"], "duplicate": True}

    other = hfa(*ADD, "--request-id", "r1", "--source", "another", "--json")

    assert other.code == 21
    assert str(first.json["id"]) in str(error_of(other)["message"])


def test_a_dry_run_checks_and_stores_nothing(
    hfa: Hfa, memory: Layout, snapshot: Callable[[], dict[str, bytes]]
) -> None:
    assert memory
    before = snapshot()

    done = hfa(*ADD, "--dry-run", "--json")

    assert cast("dict[str, object]", done.json["draft"])["hit_words"] == ["刷新令牌", "refresh token"]
    assert hfa(*ADD, "--dry-run", "--kind", "rumour").code == 20
    assert snapshot() == before


def test_a_memory_that_is_off_takes_nothing_and_recalls_nothing(
    hfa: Hfa, project: Path, memory: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    hfa(*ADD)
    (project / ".hfa.json").write_text('{"off": true}', encoding="utf-8")
    assert hfa(*ADD, "--source", "x").code == 15
    assert hfa("recall", "refresh token", "--json").json["status"] == "off"
    (project / ".hfa.json").unlink()
    monkeypatch.setenv("HFA_OFF", "1")
    assert hfa(*ADD, "--source", "x").code == 15
    assert len(list(Path(memory.chunks).iterdir())) == 1


# --- recall ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["recall", "route"])
@pytest.mark.parametrize("prompt", ["how do refresh tokens rotate", "刷新令牌怎么轮换"])
@pytest.mark.usefixtures("memory")
def test_recall_prints_the_documented_fields(hfa: Hfa, command: str, prompt: str) -> None:
    chunk_id = hfa(*ADD, "--json").json["id"]

    answer = hfa(command, *prompt.split(), "--json").json

    assert list(answer) == [
        "status", "selected", "deferred", "profile_drift", "router_text", "recall_text", "tokens", "source_digest",
    ]  # fmt: skip
    assert answer["status"] == "hit"
    (selected,) = cast("list[dict[str, object]]", answer["selected"])
    assert list(selected) == ["id", "title", "match", "tokens"]
    assert selected["id"] == chunk_id
    tokens = cast("dict[str, object]", answer["tokens"])
    assert tokens["recall"] == selected["tokens"]
    assert list(tokens) == ["router", "recall", "method", "exact"]
    assert "每天一次。Daily." in str(answer["recall_text"])
    assert "每天一次。Daily." in hfa(command, prompt).out


@pytest.mark.parametrize("prompt", ["ok", "好的", "--", "write a haiku about the sea"])
@pytest.mark.usefixtures("memory")
def test_a_miss_ends_with_exit_code_0(hfa: Hfa, prompt: str) -> None:
    hfa(*ADD)

    assert hfa("recall", "--json", "--", prompt).json["status"] == "none"
    assert hfa("recall", "--", prompt).code == 0


def test_unlocking_writes_its_audit_line_and_a_blank_reason_shows_nothing(hfa: Hfa, memory: Layout) -> None:
    directory = read_directory(memory)
    side = Node(id="S1", title="Side", path="branches/S1.md", state="OPEN", branch="", hit_words=())
    Path(memory.directory).write_text(render_directory(Directory((*directory.nodes, side))), encoding="utf-8")
    chunk_id = hfa(*ADD, "--node", "S1", "--json").json["id"]
    assert hfa("recall", "refresh token", "--json").json["status"] == "none"

    blank = hfa("recall", "refresh token", "--unlock", " ")
    assert (blank.code, blank.out) == (24, "")
    assert not Path(memory.access_log).exists()

    assert hfa("recall", "refresh token", "--unlock", "比较", "--json").json["status"] == "hit"
    (line,) = Path(memory.access_log).read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["reason"] == "比较"
    assert json.loads(line)["ids"] == [chunk_id]


def test_an_unlock_that_cannot_be_logged_shows_nothing(hfa: Hfa, memory: Layout) -> None:
    hfa(*ADD)
    Path(memory.access_log).mkdir()

    done = hfa("recall", "refresh token", "--unlock", "a reason")

    assert (done.code, done.out) == (41, "")


# --- status, reindex, doctor -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("memory")
def test_status_of_a_sound_memory_counts_its_records(hfa: Hfa) -> None:
    first = hfa(*ADD, "--json").json["id"]
    hfa(*ADD, "--supersedes", str(first), "--source", "later")

    done = hfa("status", "--json")

    assert done.code == 0
    assert done.json["records"] == {"all": 2, "current": 1, "superseded": 1}
    assert done.json["problems"] == []
    assert "sound" in hfa("status").out


@pytest.mark.parametrize("damaged", ["chunk", "directory", "config", "journal"])
def test_damage_is_named_by_status_and_doctor_ends_non_zero_and_nothing_is_changed(
    hfa: Hfa, memory: Layout, snapshot: Callable[[], dict[str, bytes]], damaged: str
) -> None:
    chunk_id = str(hfa(*ADD, "--json").json["id"])
    path = Path(
        {
            "chunk": memory.chunk(chunk_id),
            "directory": memory.directory,
            "config": memory.config,
            "journal": memory.journal,
        }[damaged]
    )
    path.write_text("<<<<<<< HEAD\n", encoding="utf-8")
    before = snapshot()

    for command in (("status",), ("status", "--json"), ("doctor",), ("reindex", "--verify")):
        done = hfa(*command)
        assert done.code != 0, command
        assert path.name in done.out + done.err, command
    assert snapshot() == before


def test_verifying_detects_every_flipped_bit_of_a_record(hfa: Hfa, memory: Layout) -> None:
    chunk_id = str(hfa(*ADD, "--json").json["id"])
    path = Path(memory.chunk(chunk_id))
    sound = path.read_bytes()
    assert hfa("reindex", "--verify", "--json").json == {"ok": True, "findings": []}

    for position in range(0, len(sound), 37):
        flipped = bytearray(sound)
        flipped[position] ^= 1
        path.write_bytes(flipped)
        if json.loads(sound) == _parsed(bytes(flipped)):
            continue  # a blank between tokens says nothing
        done = hfa("reindex", "--verify", "--json")
        assert done.code == 50, position
        assert done.json["ok"] is False
    path.write_bytes(sound)
    assert hfa("reindex", "--verify").code == 0


def _parsed(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None


@pytest.mark.usefixtures("memory")
def test_reindexing_counts_the_records(hfa: Hfa) -> None:
    hfa(*ADD)

    assert hfa("reindex", "--json").json == {"records": 1, "damaged": [], "views_changed": 3}
    assert hfa("reindex", "--json").json == {"records": 1, "damaged": [], "views_changed": 0}


@pytest.mark.parametrize("command", [("status",), ("recall", "x"), ADD, ("reindex",), ("reindex", "--verify")])
def test_without_a_memory_a_command_says_how_to_make_one(hfa: Hfa, command: tuple[str, ...]) -> None:
    plain = hfa(*command)

    assert (plain.code, plain.out) == (10, "")
    assert "hfa init" in plain.err
    assert error_of(hfa(*command, "--json"))["exit_code"] == 10


# --- the command line itself -----------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("status", "--nope"), ("nope",), ("recall",), ("install",), ("add-topic",)])
def test_a_wrong_command_line_ends_with_exit_code_2(hfa: Hfa, arguments: tuple[str, ...]) -> None:
    done = hfa(*arguments)

    assert (done.code, done.out) == (2, "")
    assert "hfa" in done.err


@pytest.mark.parametrize(
    "command",
    [
        "init",
        "status",
        "add-topic",
        "remember",
        "recall",
        "route",
        "show",
        "list",
        "reindex",
        "doctor",
        "install",
        "uninstall",
    ],
)
def test_every_command_explains_itself(hfa: Hfa, command: str) -> None:
    done = hfa(command, "--help")

    assert done.code == 0
    assert "Usage: hfa" in done.out


def test_the_version_is_printed(hfa: Hfa) -> None:
    done = hfa("--version")

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("hfa ")


# --- real processes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variables", [{"LANG": "C"}, {"LC_ALL": "POSIX"}, {"PYTHONIOENCODING": "ascii"}], ids=repr)
def test_chinese_comes_out_whole_whatever_the_locale_says(
    hfa_process: Hfa, memory: Layout, variables: dict[str, str]
) -> None:
    assert memory
    assert hfa_process(*ADD, **variables).code == 0

    assert "每天一次。" in hfa_process("recall", "刷新令牌", **variables).out
    assert "令牌轮换" in str(hfa_process("recall", "刷新令牌", "--json", **variables).json["selected"])
    refused = hfa_process(*ADD, "--node", "节点", **variables)
    assert refused.code == 23
    assert "节点" in refused.err
    assert "Traceback" not in refused.err


def test_a_reader_that_has_had_enough_is_no_error(hfa_process: Hfa, project: Path, memory: Layout) -> None:
    import os
    import subprocess
    import sys

    assert memory
    hfa_process(*ADD)
    script = Path(sys.executable).with_name("hfa")
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [str(script), "recall", "刷新令牌"],
            stdout=writing,
            stderr=subprocess.PIPE,
            cwd=project,
            env={"HOME": str(project), "PATH": os.environ.get("PATH", "")},
            check=False,
        )
    finally:
        os.close(writing)

    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
