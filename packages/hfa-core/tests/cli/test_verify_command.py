"""`hfa verify` and `hfa reindex --verify`: one report, and an exit code that errors alone decide."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hfa_core.fs.layout import Layout
from tests.payloads.hfa_command import Hfa

BOTH = pytest.mark.parametrize("command", [("verify",), ("reindex", "--verify")], ids=" ".join)


@BOTH
def test_a_sound_memory_is_said_to_be_sound(hfa: Hfa, add: Callable[..., str], command: tuple[str, ...]) -> None:
    add("令牌")

    assert hfa(*command, "--json").json == {"ok": True, "findings": []}
    assert hfa(*command).out == "Everything is sound.\n"


@BOTH
def test_a_warning_is_reported_and_does_not_fail(
    hfa: Hfa, memory: Layout, add: Callable[..., str], command: tuple[str, ...]
) -> None:
    add("令牌")
    path = Path(memory.chunks, ".DS_Store")
    path.write_bytes(b"")

    done = hfa(*command, "--json")

    assert (done.code, done.json["ok"]) == (0, True)
    (finding,) = cast("list[dict[str, str]]", done.json["findings"])
    assert list(finding) == ["code", "severity", "path", "text", "fix"]
    assert (finding["code"], finding["severity"], finding["path"]) == ("dropping", "warning", str(path))
    plain = hfa(*command)
    assert plain.code == 0
    assert plain.out.startswith("warning dropping: ")
    assert plain.out.endswith("Nothing is unsound; 1 other finding.\n")


@BOTH
def test_a_foreign_file_among_the_records_fails(hfa: Hfa, memory: Layout, command: tuple[str, ...]) -> None:
    Path(memory.chunks, "笔记.txt").write_bytes(b"")

    done = hfa(*command)

    assert done.code == 50
    assert done.out.startswith("error   foreign_file: ")


@BOTH
def test_an_error_fails_and_names_its_fix(
    hfa: Hfa, memory: Layout, add: Callable[..., str], command: tuple[str, ...]
) -> None:
    path = Path(memory.chunk(add("令牌")))
    path.write_text("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n", encoding="utf-8")

    done = hfa(*command)

    assert done.code == 50
    assert f"error   conflict_marker: {path}: line 1 " in done.out
    assert "        fix: " in done.out
    assert done.out.endswith("1 error.\n")
    assert (hfa(*command, "--json").code, hfa(*command, "--json").json["ok"]) == (50, False)


def test_doctor_reports_the_same_findings_by_their_severity(hfa: Hfa, memory: Layout) -> None:
    Path(memory.chunks, "notes.txt").write_bytes(b"")

    findings = cast("list[dict[str, str]]", hfa("doctor", "--json").json["findings"])

    assert [one["severity"] for one in findings if one["code"] == "foreign_file"] == ["error"]
