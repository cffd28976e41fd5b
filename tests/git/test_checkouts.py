"""Recall follows the checkout at once, whatever git does with it, and judges uncommitted records by their branch."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.index.pages import refresh_views
from hfa_core.index.rebuild import rebuild
from hfa_core.store.chunks import read_chunk
from hfa_core.store.git_head import read_head
from hfa_core.store.nodes import add_node

from .conftest import Repository

TITLES = {"en": "Tokens rotate every night", "zh": "令牌每晚轮换一次"}
PROMPTS = {"en": "when do the tokens rotate", "zh": "令牌多久轮换"}


@pytest.mark.parametrize("language", TITLES)
def test_a_switch_of_branches_takes_committed_records_away_and_brings_them_back(
    repository: Repository, language: str
) -> None:
    repository.git("switch", "--quiet", "--create", "side")
    made = repository.add(TITLES[language])
    repository.commit("side")
    assert repository.ids(PROMPTS[language]) == [made]

    repository.git("switch", "--quiet", "main")
    assert repository.ids(PROMPTS[language]) == []
    repository.git("switch", "--quiet", "side")
    assert repository.ids(PROMPTS[language]) == [made]
    assert read_chunk(repository.memory, made).source.branch == "side"


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_a_record_that_was_committed_and_then_branched_from_is_current_without_a_new_session(
    repository: Repository, packed: bool
) -> None:
    made = repository.add(TITLES["en"])
    repository.commit("on main")
    if packed:
        # Before a prompt git is not asked, and packed objects are not read: a session's start tells.
        repository.git("gc", "--quiet")
    repository.git("switch", "--quiet", "--create", "side")
    if packed:
        assert repository.ids(PROMPTS["en"]) == []
        repository.start_session()

    assert repository.ids(PROMPTS["en"]) == [made]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("language", TITLES)
def test_what_is_not_committed_is_deferred_on_every_other_branch(
    repository: Repository, language: str, staged: bool
) -> None:
    repository.git("branch", "old")
    (repository.root / "more.txt").write_text("more\n", encoding="utf-8")
    repository.commit("more")
    made = repository.add(TITLES[language])
    if staged:
        repository.git("add", "--all")
    repository.git("switch", "--quiet", "old")

    for _ in range(2):
        found = repository.ask(PROMPTS[language])
        assert (found.selected, found.recall_text) == ((), "")
        assert [item.id for item in found.deferred] == [made]
        assert found.deferred[0].reason == "made on branch main and not committed; old is checked out"
        repository.start_session()
    assert [item.id for item in repository.ask(PROMPTS[language], unlock="looking back").selected] == [made]
    repository.git("switch", "--quiet", "main")
    assert repository.ids(PROMPTS[language]) == [made]


def test_a_commit_that_is_taken_back_makes_the_record_uncommitted_again(repository: Repository) -> None:
    repository.add("Something that is committed")
    repository.commit("base")
    made = repository.add(TITLES["en"])
    repository.commit("to be taken back")
    repository.git("switch", "--quiet", "--create", "side")
    repository.start_session()
    assert repository.ids(PROMPTS["en"]) == [made]

    repository.git("reset", "--quiet", "--soft", "HEAD~1")
    repository.start_session()

    assert repository.ids(PROMPTS["en"]) == []


def test_an_index_that_reads_a_file_again_still_knows_that_it_is_uncommitted(repository: Repository) -> None:
    made = repository.add(TITLES["en"])
    os.utime(repository.memory.chunk(made), (1, 1))
    repository.git("switch", "--quiet", "--create", "side")
    assert repository.ids(PROMPTS["en"]) == []
    rebuild(repository.memory)
    repository.start_session()
    assert repository.ids(PROMPTS["en"]) == []


def test_a_stash_takes_records_along_and_brings_them_back(repository: Repository) -> None:
    made = repository.add(TITLES["zh"])
    repository.git("stash", "--quiet", "--include-untracked")
    assert repository.ids(PROMPTS["zh"]) == []
    repository.git("switch", "--quiet", "--create", "side")
    repository.git("stash", "pop", "--quiet")

    assert repository.ids(PROMPTS["zh"]) == []
    repository.git("switch", "--quiet", "main")
    assert repository.ids(PROMPTS["zh"]) == [made]


def test_a_rebase_keeps_every_record_and_stops_at_none(repository: Repository) -> None:
    repository.git("switch", "--quiet", "--create", "side")
    made = [repository.add(f"Side rule {number} about tokens") for number in range(3)]
    repository.commit("side")
    repository.git("switch", "--quiet", "main")
    made.append(repository.add("Main rule about tokens"))
    repository.commit("main")
    repository.git("switch", "--quiet", "side")
    repository.git("rebase", "--quiet", "main")

    assert repository.problems() == []
    assert set(os.listdir(repository.memory.chunks)) == {f"{one}.json" for one in made}
    assert repository.ids("which rule is about tokens")
    repository.git("reset", "--quiet", "--hard", "main")
    assert os.listdir(repository.memory.chunks) == [f"{made[-1]}.json"]
    assert repository.ids("which rule is about tokens") == [made[-1]]


def test_a_checkout_that_replaces_a_file_under_its_name_is_followed(repository: Repository) -> None:
    config = Path(repository.memory.config)
    config.write_text(json.dumps({**json.loads(config.read_bytes()), "id_suffix": False}), encoding="utf-8")
    repository.commit("bare ids")
    for branch, title in (("a", "Tokens rotate daily"), ("b", "Tokens rotate hourly")):
        repository.git("switch", "--quiet", "--create", branch, "main")
        # As in two clones, neither knows what number the other gave out.
        shutil.rmtree(repository.memory.index, ignore_errors=True)
        repository.add(title)
        repository.commit(branch)

    for branch, word in (("a", "daily"), ("b", "hourly"), ("a", "daily")):
        repository.git("switch", "--quiet", branch)
        found = repository.ask(PROMPTS["en"])
        assert [item.id for item in found.selected] == ["chunk_0001"]
        assert word in found.recall_text


def test_a_detached_head_defers_nothing_and_records_the_commit_alone(repository: Repository) -> None:
    made = repository.add(TITLES["en"])
    repository.git("switch", "--quiet", "--detach")
    other = repository.add("Caches live an hour")

    assert repository.ids(PROMPTS["en"]) == [made]
    source = read_chunk(repository.memory, other).source
    assert (source.branch, source.commit) == ("", repository.git("rev-parse", "HEAD").strip())


def test_a_repository_without_a_commit_judges_by_the_branch(tmp_path: Path, repository: Repository) -> None:
    unborn = Repository(tmp_path / "unborn")
    unborn.root.mkdir()
    unborn.git("init", "--quiet")
    shutil.copytree(repository.memory.root, unborn.memory.root, ignore=shutil.ignore_patterns("index"))
    made = unborn.add(TITLES["en"])
    assert read_chunk(unborn.memory, made).source.branch == "main"
    assert unborn.ids(PROMPTS["en"]) == [made]

    unborn.git("switch", "--quiet", "--orphan", "other")
    assert unborn.ids(PROMPTS["en"]) == []
    unborn.commit("first")
    assert unborn.ids(PROMPTS["en"]) == [made]


@pytest.mark.parametrize("where", [".git/info/exclude", ".gitignore"])
def test_a_memory_that_git_ignores_has_nobody_to_judge_it(
    make_repository: Callable[[str], Repository], where: str, tmp_path: Path
) -> None:
    shared = make_repository("shared")
    private = Repository(tmp_path / "private")
    private.root.mkdir()
    private.git("init", "--quiet")
    (private.root / where).write_text("/memory/\n", encoding="utf-8")
    (private.root / "README.md").write_text("# Project\n", encoding="utf-8")
    private.commit("start")
    shutil.copytree(shared.memory.root, private.memory.root, ignore=shutil.ignore_patterns("index"))
    made = private.add(TITLES["en"])

    private.git("switch", "--quiet", "--create", "side")

    assert private.ids(PROMPTS["en"]) == [made]
    private.start_session()
    assert private.ids(PROMPTS["en"]) == [made]


@pytest.mark.parametrize("broken", ["missing", "slow", "failing"])
def test_without_an_answer_from_git_everything_is_current(
    repository: Repository, broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository.add(TITLES["en"])
    repository.git("switch", "--quiet", "--create", "side")
    assert repository.ids(PROMPTS["en"]) == []
    folder = tmp_path / "bin"
    folder.mkdir()
    if broken != "missing":
        body = "exec /bin/sleep 60" if broken == "slow" else "exit 128"
        (folder / "git").write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (folder / "git").chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(folder))
        # Another commit than the one git was asked about, so that it is asked again.
        Path(repository.root, ".git", "refs", "heads", "side").write_text("f" * 40 + "\n", encoding="utf-8")
        repository.start_session()

        assert repository.ids(PROMPTS["en"]) == [made]


def test_gits_variables_of_another_repository_confuse_nobody(
    repository: Repository, make_repository: Callable[[str], Repository], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository("other")
    made = repository.add(TITLES["en"])
    repository.git("switch", "--quiet", "--create", "side")
    with monkeypatch.context() as patch:
        patch.setenv("GIT_DIR", str(other.root / ".git"))
        patch.setenv("GIT_WORK_TREE", str(other.root))
        patch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
        repository.start_session()
        assert repository.ids(PROMPTS["en"]) == []
    repository.commit("committed")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    assert repository.ids(PROMPTS["en"]) == [made]


def test_a_branch_whose_name_a_record_holds_changed_is_still_its_own(repository: Repository) -> None:
    for name in ("/".join(["x" * 200] * 2), "fix/cafe\u0301", "feature/ghp_" + "a1B2" * 9):
        repository.git("switch", "--quiet", "--create", name, "main")
        made = repository.add(f"Tokens rotate {len(name)} times")
        recorded = read_chunk(repository.memory, made).source.branch
        repository.start_session()

        assert recorded == read_head(repository.memory.root)[0]
        assert made in repository.ids(f"tokens rotate {len(name)} times")
        repository.git("stash", "--quiet", "--include-untracked")


def test_linked_worktrees_have_their_own_lock_and_index_and_share_what_is_private(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    side = Repository(tmp_path / "side")
    here = repository.add(TITLES["en"])
    there = side.add(TITLES["zh"])

    assert (repository.ids(PROMPTS["en"]), repository.ids(PROMPTS["zh"])) == ([here], [])
    assert (side.ids(PROMPTS["en"]), side.ids(PROMPTS["zh"])) == ([], [there])
    assert Path(side.memory.lock).exists()
    assert not Path(side.memory.lock).samefile(repository.memory.lock)
    ids = [json.loads(Path(one.memory.config).read_bytes())["memory_id"] for one in (repository, side)]
    assert ids[0] == ids[1], "the user's folder is named by it"
    assert read_chunk(side.memory, there).source.branch == "side"
    side.commit("side")
    repository.commit("here")
    repository.git("merge", "--quiet", "side")
    assert repository.ids(PROMPTS["zh"]) == [there]


def test_a_memory_in_a_submodule_is_judged_by_the_submodule(repository: Repository, tmp_path: Path) -> None:
    outer = Repository(tmp_path / "outer")
    outer.root.mkdir()
    outer.git("init", "--quiet")
    outer.git("submodule", "--quiet", "add", str(repository.root), "lib")
    outer.commit("with lib")
    outer.git("switch", "--quiet", "--create", "outer-branch")
    inner = Repository(outer.root / "lib")
    made = inner.add(TITLES["en"])

    assert read_chunk(inner.memory, made).source.branch == "main"
    inner.start_session()
    assert inner.ids(PROMPTS["en"]) == [made]
    inner.git("switch", "--quiet", "--create", "inner-branch")
    assert inner.ids(PROMPTS["en"]) == []
    inner.commit("committed in the submodule")
    assert inner.ids(PROMPTS["en"]) == [made]


def test_a_memory_that_is_a_repository_of_its_own_is_judged_by_that(repository: Repository) -> None:
    repository.git("rm", "-r", "--quiet", "--cached", "memory")
    inner = Repository(Path(repository.memory.root))
    inner.git("init", "--quiet")
    inner.git("switch", "--quiet", "--create", "notes")
    inner.commit("its own")
    made = repository.add(TITLES["en"])

    assert read_chunk(repository.memory, made).source.branch == "notes"
    repository.git("switch", "--quiet", "--create", "side")
    repository.start_session()
    assert repository.ids(PROMPTS["en"]) == [made]


@pytest.mark.parametrize("options", [("--depth=1",), ("--filter=tree:0",), ("--no-checkout",)], ids=str)
def test_shallow_and_partial_clones_work(repository: Repository, tmp_path: Path, options: tuple[str, ...]) -> None:
    made = repository.add(TITLES["en"])
    repository.commit("record")
    repository.add("Another record")
    repository.commit("another")
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.git("clone", "--quiet", *options, f"file://{repository.root}", str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    if options == ("--no-checkout",):
        clone.git("checkout", "--quiet", "main")
    clone.git("switch", "--quiet", "--create", "side")
    clone.start_session()

    assert clone.ids(PROMPTS["en"]) == [made]
    assert clone.problems() == []


def test_without_git_everything_is_current(repository: Repository) -> None:
    made = repository.add(TITLES["en"])
    shutil.rmtree(repository.root / ".git")

    assert repository.ids(PROMPTS["en"]) == [made]
    repository.start_session()
    assert repository.ids(PROMPTS["en"]) == [made]
    other = repository.add("Caches live an hour")
    assert read_chunk(repository.memory, other).source.branch == ""


@pytest.mark.parametrize("attributes", [True, False], ids=["with our attributes", "without"])
def test_a_checkout_with_crlf_verifies_green_and_is_written_to(
    repository: Repository, tmp_path: Path, attributes: bool
) -> None:
    if not attributes:
        Path(repository.memory.root, ".gitattributes").unlink()
    made = repository.add(TITLES["zh"])
    add_node(repository.memory, "S", "Side 支线", time="2026-09-21T14:00:00Z")
    repository.commit("record")
    repository.git("clone", "--quiet", "--config", "core.autocrlf=true", str(repository.root), str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    crlf = b"\r\n" in Path(clone.memory.chunk(made)).read_bytes()

    assert crlf is not attributes
    assert clone.problems() == []
    assert clone.ids(PROMPTS["zh"]) == [made]
    refresh_views(clone.memory)
    assert clone.status() == ""
    newer = clone.add("令牌每周轮换", supersedes=(made,))
    assert clone.ids(PROMPTS["zh"]) == [newer]
    assert clone.problems() == []


def test_decomposed_contents_and_names_verify_green(repository: Repository) -> None:
    from unicodedata import normalize

    made = repository.add("Café müssen täglich 가나다 sein")
    add_node(repository.memory, "M", "Café", path="main/Café.md", time="2026-09-21T14:00:00Z")
    directory = Path(repository.memory.directory)
    text = directory.read_text(encoding="utf-8").replace("ACTIVE", "WAS", 1).replace("OPEN", "ACTIVE")
    directory.write_text(text.replace("WAS", "OPEN"), encoding="utf-8")
    page = Path(repository.memory.root, "main", "Café.md")
    page.rename(page.with_name(normalize("NFD", page.name)))
    for path in (Path(repository.memory.chunk(made)), Path(repository.memory.config)):
        path.write_text(normalize("NFD", path.read_text(encoding="utf-8")), encoding="utf-8")

    assert normalize("NFC", "é") not in Path(repository.memory.chunk(made)).read_text(encoding="utf-8")
    assert repository.problems() == []
    found = repository.ask("täglich café", unlock="it is on the other main line")
    assert [item.id for item in found.selected] == [made]
    assert add_node(repository.memory, "S", "Next", time="2026-09-21T14:00:00Z").node.id == "S1"


def test_git_clean_takes_no_truth_and_nothing_private(repository: Repository, own_environment: Path) -> None:
    made = repository.add(TITLES["en"])
    private = own_environment / "hfa" / "receipts.jsonl"
    private.parent.mkdir()
    private.write_text("{}\n", encoding="utf-8")
    repository.ask(PROMPTS["en"], unlock="why not")
    repository.commit("record")
    truth = repository.git("ls-files", "memory")

    repository.git("clean", "-xfdq")

    assert not Path(repository.memory.index).exists()
    assert repository.git("ls-files", "memory") == truth
    assert repository.status() == ""
    assert private.exists()
    assert repository.ids(PROMPTS["en"]) == [made]
    assert repository.problems() == []
