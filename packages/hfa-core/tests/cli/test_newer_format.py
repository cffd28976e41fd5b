"""A memory that a newer HFA made: everything that reads serves it, nothing that writes touches it, and both say why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import UnsupportedFormatError
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft, Source
from hfa_core.store.chunks import read_chunk
from hfa_core.store.schema import digest_of, render_chunk
from hfa_core.transaction.gate import ensure_writable
from hfa_core.transaction.opening import ensure_recovered
from tests.payloads.hfa_command import Hfa


def make_newer(memory: Layout, **keys: object) -> None:
    content = {**json.loads(Path(memory.config).read_bytes()), "format": "hfa-memory/2", "views": {"颜色": 1}, **keys}
    Path(memory.config).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def make_record_newer(memory: Layout, chunk_id: str, **fields: object) -> None:
    content: dict[str, object] = json.loads(render_chunk(read_chunk(memory, chunk_id)))
    content |= {"format": "hfa-chunk/2", "confidence": "高", **fields}
    content["digest"] = digest_of(content)
    Path(memory.chunk(chunk_id)).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


@pytest.fixture
def ids(memory: Layout, add: Callable[..., str]) -> list[str]:
    """Two records of a memory that is of a newer format, the second record too."""
    found = [add("令牌每天轮换 token rotation", hit_words=("令牌", "token")), add("Cache keys carry a version")]
    make_record_newer(memory, found[1])
    make_newer(memory, recall_budget={"claude": 600})
    return found


def test_recall_show_list_and_status_serve_a_newer_memory(hfa: Hfa, ids: list[str]) -> None:
    for query, chunk_id in (("令牌怎么轮换", ids[0]), ("what do cache keys carry", ids[1])):
        selected = cast("list[dict[str, object]]", hfa("recall", query, "--json").json["selected"])
        assert [one["id"] for one in selected] == [chunk_id]
    assert hfa("show", ids[1]).code == 0
    assert all(chunk_id in hfa("list").out for chunk_id in ids)
    status = hfa("status", "--json")
    assert status.code == 0
    assert (status.json["format"], status.json["problems"]) == ("hfa-memory/2", [])
    assert "'hfa-memory/2' is newer" in str(status.json["read_only"])
    assert "read only    format 'hfa-memory/2'" in hfa("status").out


def test_a_record_of_a_newer_format_that_lacks_a_field_is_named_and_not_served(
    hfa: Hfa, memory: Layout, ids: list[str]
) -> None:
    make_record_newer(memory, ids[1], conclusion={"text": "another form"})

    assert hfa("recall", "what do cache keys carry", "--json").json["selected"] == []
    assert "'hfa-chunk/2' is newer" in hfa("verify").out


WRITES = [
    ("remember", "--title", "t", "--hit-words", "w", "--conclusion", "c"),
    ("node", "add", "Mobile 客户端"),
    ("node", "rename", "M1", "Other"),
    ("tombstone", "M1", "--reason", "over"),
    ("upgrade",),
]


@pytest.mark.parametrize("command", WRITES, ids=lambda command: " ".join(command[:2]))
def test_a_command_that_writes_refuses_and_changes_no_byte(
    hfa: Hfa, ids: list[str], snapshot: Callable[[], dict[str, bytes]], command: tuple[str, ...]
) -> None:
    before = snapshot()

    done = hfa(*command)

    assert done.code == UnsupportedFormatError.exit_code
    assert "install a newer HFA to" in done.err
    assert snapshot() == {**before, "memory/.hfa.lock": b""} or snapshot() == before


def test_reindex_and_doctor_make_only_the_index_anew(
    hfa: Hfa, memory: Layout, ids: list[str], snapshot: Callable[[], dict[str, bytes]]
) -> None:
    Path(memory.summaries(1)).write_text("a newer page\n", encoding="utf-8")
    before = snapshot()

    for command in (("reindex",), ("doctor", "--apply")):
        Path(memory.database).write_bytes(b"garbage")
        assert hfa(*command).code == 0
        assert hfa("verify").out.startswith("warning format_newer: ")
        assert snapshot() == before


def test_doctor_and_verify_name_the_cause_as_a_warning(hfa: Hfa, ids: list[str]) -> None:
    for command in ("doctor", "verify"):
        done = hfa(command, "--json")
        findings = cast("list[dict[str, str]]", done.json["findings"])
        assert [one["severity"] for one in findings if one["code"] == "format_newer"] == ["warning"]
        assert done.code == 0


def test_a_journal_is_finished_all_the_same_because_its_bytes_are_decided(
    memory: Layout, ids: list[str], stop_before: Callable[[Callable[[], object], int | None], int]
) -> None:
    """Stopped after the commit point of an epoch roll, whose journal renames five files."""
    make_newer(memory, format="hfa-memory/1", topics_per_epoch=2, recall_budget=600)
    draft = Draft(title="Rolled", hit_words=("w",), conclusion=("c",), source=Source("cli"))
    stop_before(lambda: remember(memory, draft, now=1.0), 23)
    assert Path(memory.journal).exists()
    make_newer(memory)

    assert ensure_recovered(memory)

    assert not Path(memory.journal).exists()
    assert "Active epoch: 2" in Path(memory.directory).read_text("utf-8")
    with pytest.raises(UnsupportedFormatError):
        ensure_writable(memory)


def test_the_refusal_leaves_nothing_for_the_next_writer_to_look_for(memory: Layout, ids: list[str]) -> None:
    draft = Draft(title="t", hit_words=("w",), conclusion=("c",), source=Source("cli"))

    with pytest.raises(UnsupportedFormatError):
        remember(memory, draft, now=1.0)

    assert Path(memory.lock).read_bytes() == b""
