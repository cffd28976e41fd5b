"""`hfa show` and `hfa list`: one record with its chain, and all of them in pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.model import Source
from hfa_core.store.chunks import read_chunk
from hfa_core.store.schema import digest_of, render_chunk
from tests.payloads.hfa_command import Done, Hfa


def rows_of(done: Done, key: str) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", done.json[key])


def write_twin(memory: Layout, chunk_id: str, new_id: str, title: str) -> str:
    """A second record like `chunk_id`, as a merge of another branch brings it."""
    from json import loads

    chunk = read_chunk(memory, chunk_id)
    chunk.id, chunk.title, chunk.request_id = new_id, title, f"request of {new_id}"
    chunk.digest = digest_of(loads(render_chunk(chunk)))
    Path(memory.chunk(new_id)).write_bytes(render_chunk(chunk))
    return new_id


@pytest.fixture
def chain(add: Callable[..., str]) -> list[str]:
    first = add("令牌每小时轮换", hit_words=("令牌", "token"), paths=("src/auth.ts",), tags=("安全",))
    source = Source("hook", host="claude", session="s-1", ref="设计文档", branch="main", commit="a" * 40)
    second = add("令牌每天轮换", supersedes=(first,), source=source, conclusion=("每天一次。", "Daily."))
    return [first, second, add("Tokens rotate weekly", supersedes=(second,))]


def test_a_record_is_shown_whole_by_an_abbreviated_id(hfa: Hfa, memory: Layout, chain: list[str]) -> None:
    shown = hfa("show", "chunk_0002", "--json").json

    assert shown["id"] == chain[1]
    assert (shown["state"], shown["superseded_by"]) == ("superseded", [chain[2]])
    assert (shown["title"], shown["conclusion"]) == ("令牌每天轮换", ["每天一次。", "Daily."])
    assert (shown["kind"], shown["node"], shown["epoch"]) == ("decision", "M1", 1)
    assert shown["source"] == {
        "kind": "hook",
        "host": "claude",
        "session": "s-1",
        "ref": "设计文档",
        "branch": "main",
        "commit": "a" * 40,
    }
    assert shown["path"] == memory.chunk(chain[1])
    assert "history" not in shown


def test_a_person_sees_every_field(hfa: Hfa, chain: list[str]) -> None:
    old, middle = hfa("show", chain[0]).out, hfa("show", chain[1]).out

    for text in (
        chain[0],
        "令牌每小时轮换",
        "令牌, token",
        "src/auth.ts",
        "安全",
        f"superseded by {chain[1]}",
        "epoch 1",
    ):
        assert text in old
    for text in ("  每天一次。", "hook, claude, session s-1, branch main, commit aaaaaaaaaaaa", "设计文档", chain[0]):
        assert text in middle


def test_the_history_is_the_whole_chain_oldest_first_wherever_it_is_asked(hfa: Hfa, chain: list[str]) -> None:
    for one in chain:
        history = rows_of(hfa("show", one, "--history", "--json"), "history")
        assert [row["id"] for row in history] == chain
        assert [row["state"] for row in history] == ["superseded", "superseded", "current"]

    text = hfa("show", chain[2], "--history").out.partition("History")[2]
    assert text.index("令牌每小时轮换") < text.index("令牌每天轮换") < text.index("* 20")


def test_the_history_holds_what_git_says_of_the_file(hfa: Hfa, chain: list[str], git: Callable[..., str]) -> None:
    assert hfa("show", chain[0], "--history", "--json").json["commits"] == []
    git("add", ".")
    git("commit", "-m", "记住 tokens\tand more")

    (commit,) = rows_of(hfa("show", chain[0], "--history", "--json"), "commits")

    assert (commit["subject"], commit["author"]) == ("记住 tokens\tand more", "Test")
    assert str(commit["commit"]) in git("rev-parse", "HEAD")
    assert f"{commit['commit']}  记住 tokens\tand more  (Test)" in hfa("show", chain[0], "--history").out


def test_the_history_says_why_each_record_was_replaced_and_which_commits_brought_it(
    hfa: Hfa, chain: list[str], git: Callable[..., str]
) -> None:
    git("add", f"memory/chunks/{chain[0]}.json")
    git("commit", "-m", "first")
    git("add", ".")
    git("commit", "-m", "the others 其余")

    first, second, third = rows_of(hfa("show", chain[2], "--history", "--json"), "history")

    (why,) = cast("list[dict[str, object]]", first["reasons"])
    assert (why["id"], why["title"], why["conclusion"]) == (chain[1], "令牌每天轮换", ["每天一次。", "Daily."])
    assert cast("dict[str, str]", why["source"])["ref"] == "设计文档"
    assert third["reasons"] == []
    assert [[one["subject"] for one in cast("list[dict[str, str]]", row["commits"])] for row in (first, second)] == [
        ["first"],
        ["the others 其余"],
    ]
    text = hfa("show", chain[0], "--history").out
    origin = "hook, claude, session s-1, branch main, commit aaaaaaaaaaaa; 设计文档"
    assert f"    why: {chain[1]}: 每天一次。 / Daily. ({origin})" in text


def test_gits_own_variables_do_not_lead_the_history_elsewhere(
    hfa: Hfa, chain: list[str], git: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    git("add", ".")
    git("commit", "-m", "all")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))

    assert len(rows_of(hfa("show", chain[0], "--history", "--json"), "commits")) == 1


def test_without_git_the_history_is_the_chain(
    hfa: Hfa, chain: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))

    done = hfa("show", chain[0], "--history", "--json")

    assert (done.code, done.json["commits"]) == (0, [])
    assert len(rows_of(done, "history")) == 3


def test_several_successors_are_shown_as_a_dispute(hfa: Hfa, memory: Layout, chain: list[str]) -> None:
    rival = write_twin(memory, chain[1], "chunk_0002-ffffff", "另一个分支")

    shown = hfa("show", chain[0], "--json").json

    assert (shown["state"], shown["superseded_by"]) == ("disputed", sorted([chain[1], rival]))
    assert "state      disputed" in hfa("show", chain[0]).out


def test_a_damaged_record_is_shown_as_far_as_it_can_be(hfa: Hfa, memory: Layout, chain: list[str]) -> None:
    Path(memory.chunk(chain[2])).write_bytes(b"{")

    done = hfa("show", chain[2], "--history", "--json")

    assert (done.code, done.json["state"]) == (0, "damaged")
    assert "is not JSON" in str(done.json["problem"])
    assert "damaged" in hfa("show", chain[2]).out


def test_an_ambiguous_id_ends_with_its_own_code_and_names_the_candidates(
    hfa: Hfa, memory: Layout, chain: list[str]
) -> None:
    twin = write_twin(memory, chain[0], "chunk_0001-ffffff", "双胞胎")

    done = hfa("show", "chunk_0001")

    assert (done.code, done.out) == (29, "")
    assert chain[0] in done.err
    assert twin in done.err
    assert hfa("show", "chunk_0001-ff", "--json").json["title"] == "双胞胎"


def test_an_unknown_id_ends_with_its_own_code(hfa: Hfa, chain: list[str]) -> None:
    done = hfa("show", "chunk_0001-000000", "--json")

    error = cast("dict[str, object]", done.json["error"])
    assert (done.code, error["type"], error["exit_code"]) == (28, "UnknownRecordError", 28)
    assert chain[0] in str(error["message"])


def test_a_list_is_paged_newest_first_with_totals(hfa: Hfa, chain: list[str]) -> None:
    first = hfa("list", "--state", "all", "--limit", "2", "--json").json
    second = hfa("list", "--state", "all", "--limit", "2", "--page", "2", "--json")

    assert [first[key] for key in ("total", "page", "pages")] == [3, 1, 2]
    assert [row["id"] for row in rows_of(second, "records")] == [chain[0]]
    assert rows_of(second, "records")[0] == {
        "id": chain[0],
        "scope": "project",
        "title": "令牌每小时轮换",
        "kind": "decision",
        "node": "M1",
        "created_at": read_created(second),
        "state": "superseded",
        "superseded_by": [chain[1]],
        "problem": "",
    }


def read_created(done: Done) -> str:
    """The time of the first record, which must be one."""
    created = str(rows_of(done, "records")[0]["created_at"])
    assert created.endswith("Z")
    return created


def test_a_list_shows_current_records_unless_asked(hfa: Hfa, chain: list[str]) -> None:
    lines = hfa("list").out.splitlines()

    assert lines[0].startswith(chain[2])
    assert lines[1:] == ["1 record, page 1 of 1"]
    assert f"[superseded by {chain[1]}]" in hfa("list", "--state", "superseded").out


def test_a_list_of_another_scope_has_none_of_the_projects_records(hfa: Hfa, chain: list[str]) -> None:
    project = hfa("list", "--in", "project", "--json")

    assert [row["id"] for row in rows_of(project, "records")] == [chain[2]]
    for scope in ("user", "sessions/s-1/vp/lead", "chat/闲聊"):
        assert hfa("list", "--in", scope, "--state", "all", "--json").json["total"] == 0


@pytest.mark.usefixtures("memory")
def test_an_empty_list_is_no_error(hfa: Hfa) -> None:
    assert hfa("list", "--json").json == {"total": 0, "page": 1, "pages": 0, "records": []}


@pytest.mark.parametrize(
    "wrong",
    [
        ("--kind", "rumour"),
        ("--state", "odd"),
        ("--limit", "0"),
        ("--page", "0"),
        ("--page", "x"),
        ("--in", "projects"),
        ("--in", "sessions/.."),
    ],
    ids=repr,
)
@pytest.mark.usefixtures("memory")
def test_a_wrong_filter_is_a_usage_error(hfa: Hfa, wrong: tuple[str, str]) -> None:
    assert hfa("list", *wrong).code == 2


@pytest.mark.parametrize("command", [("show", "chunk_0001"), ("list",)])
def test_without_a_memory_nothing_is_made(hfa: Hfa, project: Path, command: tuple[str, ...]) -> None:
    assert hfa(*command).code == 10
    assert not (project / "memory").exists()
