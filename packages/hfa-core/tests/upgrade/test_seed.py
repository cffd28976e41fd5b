"""The step from a memory without a format key: what it fills in, what it keeps, and what it refuses to guess."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.errors import UpgradeError
from hfa_core.fs.layout import Layout
from hfa_core.model import Chunk
from hfa_core.store.config import parse_config
from hfa_core.store.schema import parse_chunk
from hfa_core.upgrade.seed import convert_seed, is_seed

L0 = (
    "# Knoten\n\nActive epoch: 3\n\n| id | title | path | state | branch | hit words |\n"
    "| --- | --- | --- | --- | --- | --- |\n"
    "| M1 | Alt | main/M1.md | OPEN | | |\n| M2 | 主线 | main/M2.md | ACTIVE | | |\n"
)


def seed(records: dict[str, object], **config: object) -> dict[str, bytes]:
    files = {"config.json": json.dumps(config).encode(), "directory.md": L0.encode()}
    return files | {
        f"chunks/{name}.json": json.dumps(record, ensure_ascii=False).encode() for name, record in records.items()
    }


def converted(record: object, name: str = "chunk_0007") -> Chunk:
    path = f"chunks/{name}.json"
    return parse_chunk(convert_seed(seed({name: record}))[path], path)


def test_missing_fields_get_what_can_be_told_from_the_others() -> None:
    chunk = converted({"title": "令牌轮换", "conclusion": "每天。\n\nAlways."})

    assert (chunk.id, chunk.node, chunk.scope, chunk.kind, chunk.epoch) == (
        "chunk_0007",
        "M2",
        "project",
        "decision",
        3,
    )
    assert (chunk.title, chunk.hit_words, chunk.conclusion) == ("令牌轮换", ("令牌轮换",), ("每天。", "Always."))
    assert (chunk.paths, chunk.tags, chunk.supersedes, chunk.request_id, chunk.created_at) == ((), (), (), "", "")
    assert (chunk.source.kind, chunk.source.ref) == ("hand", "")


def test_fields_that_are_there_are_kept_in_the_form_of_today() -> None:
    old = {
        "id": "chunk_0007", "node": "M1", "title": "T", "hit_words": "令牌，token; jwt", "conclusion": ["a", "b"],
        "source": "docs/adr.md", "supersedes": ["chunk_0003"], "time": "2025-01-02T03:04:05Z", "epoch": 1,
        "kind": "fact", "request_id": "r-1",
    }  # fmt: skip

    chunk = converted(old)

    assert (chunk.node, chunk.hit_words, chunk.conclusion) == ("M1", ("令牌", "token", "jwt"), ("a", "b"))
    assert (chunk.source.ref, chunk.supersedes, chunk.created_at) == ("docs/adr.md", ("chunk_0003",), old["time"])
    assert (chunk.epoch, chunk.kind, chunk.request_id) == (1, "fact", "r-1")


def test_what_no_version_knows_is_kept_in_the_file() -> None:
    record = {"title": "T", "topic": 4, "notes": {"作者": ["li"]}, "source": {"ref": "x", "page": 7}}
    files = convert_seed(seed({"chunk_0001": record}, aliases={"jwt": ["令牌"]}))

    content = json.loads(files["chunks/chunk_0001.json"])

    assert (content["topic"], content["notes"], content["source"]["page"]) == (4, {"作者": ["li"]}, 7)
    assert json.loads(files["config.json"])["aliases"] == {"jwt": ["令牌"]}


def test_the_settings_get_a_format_and_an_id_that_clones_agree_about() -> None:
    files = seed({"chunk_0001": {"title": "T"}}, recall_budget=900)

    one, other = convert_seed(files), convert_seed(dict(reversed(files.items())))

    assert one == other
    config = parse_config(one["config.json"].decode(), "config.json")
    assert (config.recall_budget, len(config.memory_id)) == (900, 16)
    given_id = convert_seed(seed({}, memory_id="0123456789abcdef"))["config.json"]
    assert parse_config(given_id.decode(), "config.json").memory_id == "0123456789abcdef"


def test_a_record_that_has_the_format_and_every_other_file_stay_as_they_are() -> None:
    files = seed({"chunk_0001": {"title": "T"}})
    done = files | convert_seed(files) | {"chunks/notes.txt": b"\xff", "main/M2.md": "主线".encode()}

    again = convert_seed({**done, "config.json": files["config.json"]})

    assert list(again) == ["config.json"]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("chunks/chunk_0001.json", b"", "is not JSON"),
        ("chunks/chunk_0001.json", b"[1]", "must be a JSON object"),
        ("chunks/chunk_0001.json", b"{}", "neither a title nor a conclusion"),
        ("chunks/chunk_0001.json", b'{"title": "T", "id": "chunk_0002"}', "must carry its id"),
        ("chunks/chunk_0001.json", b'{"title": "T", "x": 1e999}', "inf"),
        ("chunks/chunk_0001.json", "令牌".encode("gbk"), "is not UTF-8"),
        ("config.json", b'{"recall_budget": -1}', "recall_budget"),
        ("config.json", b"{", "is not JSON"),
        ("directory.md", b"", "exactly one M node"),
        ("directory.md", b"| M1 |", "cells"),
    ],
)
def test_a_file_that_cannot_be_understood_is_named_and_nothing_is_guessed(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(UpgradeError) as caught:
        convert_seed({**seed({}), name: data})

    assert caught.value.path == name
    assert reason in caught.value.reason


def test_a_memory_without_a_directory_is_refused() -> None:
    with pytest.raises(UpgradeError, match=r"directory\.md: is missing"):
        convert_seed({"config.json": b"{}"})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9), lambda some: st.lists(some, max_size=3)
    | st.dictionaries(st.text(max_size=5), some, max_size=3), max_leaves=6,
)  # fmt: skip
FIELDS = ["id", "node", "title", "hit_words", "conclusion", "source", "supersedes", "created_at", "epoch", "x", "kind"]


@given(st.dictionaries(st.sampled_from(FIELDS), VALUES))
def test_any_object_becomes_a_sound_record_or_is_refused_by_name(record: dict[str, object]) -> None:
    files = seed({"chunk_0001": record})
    try:
        changed = convert_seed(files)
    except UpgradeError as error:
        refused = error.path
    else:
        refused = ""
        chunk = parse_chunk(changed["chunks/chunk_0001.json"], "p")
        assert chunk.id == "chunk_0001"
        assert chunk.hit_words
        assert chunk.conclusion
    assert refused in ("", "chunks/chunk_0001.json")


def test_only_a_memory_without_a_format_key_is_taken_for_one(memory: Layout, tmp_path: Path) -> None:
    assert not is_seed(memory)
    package = tmp_path / "other" / "memory"
    package.mkdir(parents=True)
    (package / "config.json").write_text("{}", encoding="utf-8")
    assert not is_seed(Layout(str(package)))
    (package / "directory.md").write_text("# Not a table\n", encoding="utf-8")
    (package / "chunks").mkdir()
    assert not is_seed(Layout(str(package)))
    (package / "directory.md").write_text(L0, encoding="utf-8")
    assert is_seed(Layout(str(package)))
