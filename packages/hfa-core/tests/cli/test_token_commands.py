"""Tokens on the command line: files counted, and what recall, status and doctor say about how."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft
from hfa_core.tokens import estimate_tokens
from tests.payloads.hfa_command import Hfa

Count = Callable[[str], int]
TEXTS = {"a.md": "# Tokens rotate\n\n每天一次。\n", "b.py": "def f(x):\r\n    return '<|endoftext|>'\r\n", "empty": ""}


@pytest.fixture
def files(project: Path) -> dict[str, str]:
    for name, text in TEXTS.items():
        (project / name).write_bytes(text.encode())
    return TEXTS


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """`type_in(bytes)` makes them the standard input."""
    return lambda content: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """The variables of a process that finds a `tiktoken` which cannot be imported, as on a foreign platform."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "tiktoken.py").write_text("raise ImportError('wrong platform')\n", encoding="utf-8")
    return {"PYTHONPATH": str(tmp_path / "broken")}


# --- hfa tokens ------------------------------------------------------------------------------------------------


def test_files_are_counted_exactly_with_their_total(hfa: Hfa, files: dict[str, str], count: Count) -> None:
    done = hfa("tokens", *files, "--json")

    listed = [{"path": name, "tokens": count(text), "exact": True} for name, text in files.items()]
    total = sum(count(text) for text in files.values())
    assert done.json == {"files": listed, "total": total, "method": "o200k_base", "exact": True, "problem": ""}
    shown = hfa("tokens", *files).out.splitlines()
    assert [line.split()[:2] for line in shown[:-1]] == [[str(count(text)), name] for name, text in files.items()]
    assert shown[-1].split(maxsplit=1) == [str(total), "total (o200k_base, exact)"]


def test_the_standard_input_is_counted(hfa: Hfa, type_in: Callable[[bytes], None], count: Count) -> None:
    type_in("令牌 tokens\n".encode())

    assert hfa("tokens", "-", "--json").json["total"] == count("令牌 tokens\n")


def test_without_the_tokenizer_the_estimate_says_so_and_why(
    hfa_process: Hfa, files: dict[str, str], without: dict[str, str]
) -> None:
    done = hfa_process("tokens", *files, "--json", **without)

    assert done.code == 0
    assert done.json["total"] == sum(estimate_tokens(text) for text in files.values())
    assert (done.json["method"], done.json["exact"]) == ("heuristic_estimate", False)
    assert not any(one["exact"] for one in cast("list[dict[str, object]]", done.json["files"]))
    assert "wrong platform" in str(done.json["problem"])
    shown = hfa_process("tokens", *files, **without).out
    assert "total (heuristic_estimate, not exact)" in shown
    assert "wrong platform" in shown


def test_a_text_that_the_tokenizer_cannot_take_is_estimated_and_the_others_are_counted(
    hfa: Hfa, project: Path, files: dict[str, str], count: Count
) -> None:
    (project / "blanks").write_text(" " * 1_100_000, encoding="utf-8")

    done = hfa("tokens", "a.md", "blanks", "--json").json

    first, second = cast("list[dict[str, object]]", done["files"])
    assert (first["tokens"], first["exact"]) == (count(files["a.md"]), True)
    assert (second["exact"], done["exact"], done["method"]) == (False, False, "heuristic_estimate")


@pytest.mark.parametrize(
    ("name", "content", "code", "said"),
    [
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00", 43, "byte 0"),
        ("latin", "Grüße".encode("latin-1"), 43, "byte 2"),
        ("zeros", b"text\x00text", 43, "byte 4"),
        ("missing", None, 41, "No such file"),
        (".", None, 41, "directory"),
    ],
)
def test_what_is_no_text_is_named_and_nothing_is_counted(
    hfa: Hfa, project: Path, files: dict[str, str], name: str, content: bytes | None, code: int, said: str
) -> None:
    assert "a.md" in files
    if content is not None:
        (project / name).write_bytes(content)

    done = hfa("tokens", "a.md", name)

    assert (done.code, done.out) == (code, "")
    assert name in done.err
    assert said in done.err
    as_json = hfa("tokens", "a.md", name, "--json")
    assert cast("dict[str, object]", as_json.json["error"])["exit_code"] == code


# --- recall, status, doctor ------------------------------------------------------------------------------------


@pytest.fixture
def by_hook(memory: Layout, draft: Callable[..., Draft]) -> str:
    """A record as a hook leaves it: not counted."""
    return remember(memory, draft("Tokens rotate 令牌轮换", hit_words=("令牌轮换",)), now=1_790_000_000).id


def test_the_next_command_counts_what_a_hook_wrote(hfa: Hfa, by_hook: str, count: Count) -> None:
    answer = hfa("recall", "令牌轮换", "--json").json

    (selected,) = cast("list[dict[str, object]]", answer["selected"])
    assert selected["id"] == by_hook
    assert answer["tokens"] == {
        "router": count(str(answer["router_text"])),
        "recall": count(str(answer["recall_text"])),
        "method": "o200k_base",
        "exact": True,
    }
    assert "tokens (exact)" in hfa("recall", "令牌轮换").out


@pytest.mark.usefixtures("memory")
def test_a_record_stored_by_a_command_is_counted_at_once(hfa: Hfa, count: Count) -> None:
    assert count("x") == 1
    hfa("remember", "--title", "令牌轮换", "--hit-words", "令牌轮换", "--conclusion", "Daily.")

    tokens = cast("dict[str, object]", hfa("status", "--json").json["tokens"])

    assert tokens == {"method": "o200k_base", "exact": True, "counted": 1, "estimated": 0, "problem": ""}
    assert "1 counted exactly, 0 estimated" in hfa("status").out


@pytest.mark.usefixtures("by_hook")
def test_without_the_tokenizer_recall_status_and_doctor_say_that_they_estimate(
    hfa_process: Hfa, without: dict[str, str]
) -> None:
    answer = hfa_process("recall", "令牌轮换", "--json", **without).json
    tokens = cast("dict[str, object]", answer["tokens"])
    assert (tokens["method"], tokens["exact"]) == ("heuristic_estimate", False)
    assert tokens["recall"] == estimate_tokens(str(answer["recall_text"]))

    status = cast("dict[str, object]", hfa_process("status", "--json", **without).json["tokens"])
    assert (status["method"], status["exact"], status["counted"], status["estimated"]) == (
        "heuristic_estimate", False, 0, 1,
    )  # fmt: skip
    assert "wrong platform" in str(status["problem"])
    assert "wrong platform" in hfa_process("status", **without).out

    doctor = hfa_process("doctor", "--json", **without)
    findings = cast("list[dict[str, str]]", doctor.json["findings"])
    (found,) = [one for one in findings if one["code"] == "tokens_estimated"]
    assert doctor.code == 0
    assert "wrong platform" in found["text"]
    assert "hfa-core[tokens]" in found["fix"]


def test_an_empty_memory_and_one_that_is_well_have_nothing_to_say(hfa: Hfa, memory: Layout, count: Count) -> None:
    assert count("x") == 1
    assert Path(memory.chunks).is_dir()

    assert cast("dict[str, object]", hfa("status", "--json").json["tokens"])["exact"] is True
    assert "tokens_estimated" not in hfa("doctor").out
