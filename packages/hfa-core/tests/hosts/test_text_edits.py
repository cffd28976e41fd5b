"""Blocks in somebody's text, and files of our own: nothing else changes, and what was added leaves without a trace."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.errors import HostConfigError
from hfa_core.hosts.apply import apply_edits, undo_edits
from hfa_core.hosts.edits import JsonEntry, OwnFile, TextBlock, Traces, add_edits, has_edits, remove_edits

BLOCK = TextBlock(Path("/AGENTS.md"), "Line one\n第二行", "<!-- hfa:begin -->", "<!-- hfa:end -->")
OLDER = TextBlock(Path("/AGENTS.md"), "Older", "<!-- hfa:begin -->", "<!-- hfa:end -->")
OWN = OwnFile(Path("/rules/hfa.mdc"), "---\nalwaysApply: true\n---\n<!-- by hfa -->\n", "<!-- by hfa -->")

LINES = st.lists(st.text("ab 中#", max_size=6), max_size=6)


@st.composite
def texts(draw: st.DrawFn) -> str:
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return newline.join(draw(LINES)) + draw(st.sampled_from(["", newline]))


@given(texts())
def test_a_block_leaves_without_a_trace(text: str) -> None:
    after, traces = add_edits(text, [BLOCK])

    assert after.startswith(text)
    assert has_edits(after, [BLOCK])
    assert remove_edits(after, [BLOCK], traces).text == text


@given(texts())
def test_a_block_is_made_once_and_an_older_one_replaced_in_its_place(text: str) -> None:
    older, first = add_edits(text, [OLDER])
    after, second = add_edits(older, [BLOCK])

    assert after == add_edits(text, [BLOCK])[0]
    assert add_edits(after, [BLOCK]) == (after, Traces())
    assert remove_edits(after, [BLOCK], first.and_then(second)).text == text


@given(texts(), texts())
def test_what_a_user_wrote_after_the_block_stays_behind_what_stood_before(before: str, behind: str) -> None:
    after, traces = add_edits(before, [BLOCK])

    left = remove_edits(after + behind, [BLOCK], traces).text

    assert left.startswith(before)
    assert left.endswith(behind)
    assert left.split() == [*before.split(), *behind.split()]


def test_a_block_without_its_end_is_refused_with_its_line() -> None:
    with pytest.raises(HostConfigError, match=r"line 2: `<!-- hfa:begin -->` has no `<!-- hfa:end -->`"):
        add_edits("notes\n<!-- hfa:begin -->\nhalf\n", [BLOCK])


def test_a_file_of_our_own_comes_and_goes_with_its_folders(tmp_path: Path) -> None:
    own = OwnFile(tmp_path / "rules" / "deep" / "hfa.mdc", OWN.text, OWN.owner)

    assert [change.path for change in apply_edits([own], tmp_path / "state")] == [own.path]
    assert own.path.read_text(encoding="utf-8") == OWN.text
    assert apply_edits([own], tmp_path / "state") == []
    own.path.write_text(OWN.text + "a line of the user's\n", encoding="utf-8")
    undo_edits([own], tmp_path / "state")

    assert not (tmp_path / "rules").exists()


def test_a_file_in_its_place_that_is_somebody_elses_is_refused_and_kept(tmp_path: Path) -> None:
    own = OwnFile(tmp_path / "hfa.mdc", OWN.text, OWN.owner)
    own.path.write_text("mine", encoding="utf-8")

    with pytest.raises(HostConfigError, match="not HFA's"):
        apply_edits([own], tmp_path / "state")
    assert undo_edits([own], tmp_path / "state") == []
    assert own.path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("text", [b"# Notes\r\n\r\nmine", b"", b"\xef\xbb\xbf# Notes\n", "# 说明\n".encode()])
def test_a_real_file_has_its_bytes_again_after_a_block(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(text)
    block = TextBlock(path, BLOCK.text, BLOCK.begin, BLOCK.end)

    apply_edits([block], tmp_path / "state")
    assert path.read_bytes().startswith(text)
    assert "第二行".encode() in path.read_bytes()
    undo_edits([block], tmp_path / "state")

    assert path.read_bytes() == text


def test_edits_of_two_kinds_for_one_file_are_the_adapters_fault() -> None:
    with pytest.raises(HostConfigError, match="different kinds"):
        add_edits("{}", [JsonEntry(BLOCK.path, ("a",), {}, "x"), BLOCK])
