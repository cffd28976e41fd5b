"""The generated files as the commands write them: the same truth gives the same bytes, and writers take turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hfa_core.errors import LockTimeoutError
from hfa_core.fs.layout import Layout
from hfa_core.fs.lock import MemoryLock
from hfa_core.index.json_views import NAMES
from hfa_core.index.pages import refresh_all_views
from hfa_core.model import Node
from hfa_core.store.backups import backups_folder
from hfa_core.store.directory import Directory, read_directory, render_directory
from tests.payloads.hfa_command import Hfa


def views(memory: Layout) -> dict[str, bytes]:
    """The bytes of every generated file but the SQLite index."""
    paths = [Path(memory.index, name) for name in NAMES]
    paths += sorted(Path(memory.root, "history").glob("epoch_*/summaries.md"))
    return {str(path.relative_to(memory.root)): path.read_bytes() for path in paths if path.exists()}


def read_view(memory: Layout, name: str) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(Path(memory.index, name).read_bytes()))


@pytest.fixture
def filled(hfa: Hfa, memory: Layout, add: Callable[..., str]) -> list[str]:
    """Two records, one superseding the other, a side line with hit words, and all views."""
    nodes = (*read_directory(memory).nodes, Node(id="S1", title="登录", path="", state="OPEN", branch="login",
             hit_words=("令牌", "Refresh Tokens")))  # fmt: skip
    Path(memory.directory).write_text(render_directory(Directory(nodes)), encoding="utf-8")
    old = add("令牌每小时轮换", hit_words=("令牌", "refresh token"), tags=("安全",))
    ids = [old, add("Tokens rotate daily", hit_words=("Refresh Token",), supersedes=(old,), paths=("src/auth.ts",))]
    assert hfa("reindex").code == 0
    return ids


def test_projects_are_the_nodes_of_l0(memory: Layout, filled: list[str]) -> None:
    assert filled
    view = read_view(memory, "projects.json")

    assert (view["format"], view["epoch"]) == ("hfa-projects/1", 1)
    assert view["nodes"] == [
        {"id": "M1", "title": "Project", "path": "main/M1.md", "state": "ACTIVE", "branch": "", "hit_words": []},
        {"id": "S1", "title": "登录", "path": "", "state": "OPEN", "branch": "login",
         "hit_words": ["令牌", "Refresh Tokens"]},
    ]  # fmt: skip


def test_each_normalised_hit_word_leads_to_its_nodes_and_records(memory: Layout, filled: list[str]) -> None:
    assert read_view(memory, "hitwords.json")["hit_words"] == {
        "refresh token": {"nodes": ["S1"], "chunks": filled},
        "令牌": {"nodes": ["S1"], "chunks": filled[:1]},
    }


def test_the_search_view_holds_title_text_and_synonyms_of_every_record(memory: Layout, filled: list[str]) -> None:
    first, second = cast("list[dict[str, object]]", read_view(memory, "search.json")["chunks"])

    assert (first["id"], first["title"], first["synonyms"]) == (
        filled[0],
        "令牌每小时轮换",
        ["令牌", "refresh token", "安全"],
    )
    assert first["superseded_by"] == [filled[1]]
    assert second["text"] == ["Tokens rotate daily, as agreed.", "src/auth.ts"]
    terms = cast("dict[str, list[str]]", second["terms"])
    assert {"tokens", "daily"} <= set(terms["title"])
    assert "src/auth.ts" in terms["text"]


def test_every_view_carries_the_digest_that_status_says(hfa: Hfa, memory: Layout, filled: list[str]) -> None:
    assert filled
    index = cast("dict[str, object]", hfa("status", "--json").json["index"])

    assert {str(read_view(memory, name)["source_digest"]) for name in NAMES} == {index["source_digest"]}


def test_the_digest_changes_with_l0_and_with_records_and_with_nothing_else(
    hfa: Hfa, memory: Layout, filled: list[str], add: Callable[..., str]
) -> None:
    def digest() -> object:
        assert hfa("reindex").code == 0
        return read_view(memory, "search.json")["source_digest"]

    first = digest()
    Path(memory.root, "main", "M1.md").write_text("# Other\n", encoding="utf-8")
    os.utime(memory.chunk(filled[0]))
    assert digest() == first
    with open(memory.directory, "a", encoding="utf-8") as stream:
        stream.write("一句话\n")
    second = digest()
    add("Another")
    assert len({str(first), str(second), str(digest())}) == 3


def test_any_view_that_is_deleted_comes_back_with_the_same_bytes(hfa: Hfa, memory: Layout, filled: list[str]) -> None:
    assert filled
    before = views(memory)
    assert len(before) == 4
    for name in before:
        os.unlink(Path(memory.root, name))
        assert hfa("reindex", "--json").json["views_changed"] == 1
        assert views(memory) == before
    for path in Path(memory.index).iterdir():
        path.unlink()
    os.unlink(memory.summaries(1))
    hfa("reindex")

    assert views(memory) == before


def test_views_that_lag_are_no_fault_and_no_prompt_or_read_writes_them(
    hfa: Hfa, memory: Layout, filled: list[str], add: Callable[..., str]
) -> None:
    before = views(memory)
    add("Written by a hook")
    Path(memory.index, "projects.json").write_bytes(b"old")

    for command in (("verify",), ("recall", "令牌"), ("status",), ("show", filled[0]), ("list",)):
        assert hfa(*command).code == 0

    assert views(memory) == before | {"index/projects.json": b"old"}


def test_a_hand_written_page_is_kept_by_the_next_write(hfa: Hfa, memory: Layout) -> None:
    own = "# 第一阶段\r\n手写的。".encode()
    Path(memory.summaries(1)).write_bytes(own)

    assert hfa("add-topic", "--title", "一", "--hit-words", "一", "--conclusion", "一").code == 0

    assert Path(backups_folder(memory), "epoch_01-summaries.md").read_bytes() == own
    assert b"generated by hfa" in Path(memory.summaries(1)).read_bytes()


def test_views_wait_for_the_lock(memory: Layout, filled: list[str]) -> None:
    assert filled
    before = views(memory)
    os.unlink(Path(memory.index, "search.json"))

    with MemoryLock(memory.lock), pytest.raises(LockTimeoutError):
        refresh_all_views(memory, timeout_s=0.02)

    assert not Path(memory.index, "search.json").exists()
    refresh_all_views(memory)
    assert views(memory) == before


def test_a_page_that_cannot_be_written_does_not_make_a_stored_record_a_failure(hfa: Hfa, memory: Layout) -> None:
    os.unlink(memory.summaries(1))
    Path(memory.summaries(1)).mkdir()

    done = hfa("add-topic", "--title", "一", "--hit-words", "一", "--conclusion", "一")

    assert done.code == 0
    assert "is stored" in done.out
    assert "behind" in done.err
    assert len(list(Path(memory.chunks).iterdir())) == 1


def test_commands_at_once_leave_whole_and_current_views(
    hfa: Hfa, project: Path, memory: Layout, own_environment: Path
) -> None:
    command = [str(Path(sys.executable).with_name("hfa")), "add-topic", "--hit-words", "词"]
    variables = {"HOME": str(own_environment), "PATH": os.environ["PATH"]}
    running = [
        subprocess.Popen([*command, "--title", f"第{n}", "--conclusion", f"第{n}。"], cwd=project, env=variables)
        for n in range(4)
    ]
    assert [process.wait() for process in running] == [0] * 4
    page = Path(memory.summaries(1)).read_bytes()

    assert page.count(b"## Topic#") == 4
    hfa("reindex")
    assert Path(memory.summaries(1)).read_bytes() == page
