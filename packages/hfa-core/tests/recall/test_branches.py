"""A record that git has not committed holds on the branch it was made on; a committed one holds wherever it stands."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index.commits import refresh_commits
from hfa_core.index.database import open_database
from hfa_core.index.rebuild import rebuild
from hfa_core.index.sync import sync
from hfa_core.model import Draft, Source
from hfa_core.recall.recall import Request, recall
from hfa_core.recall.result import Recall
from hfa_core.store.config import read_config
from hfa_core.store.create import create_memory
from hfa_core.store.directory import read_directory
from hfa_core.store.git_head import read_head
from hfa_core.store.git_tree import list_committed

TITLES = {"en": "Tokens rotate every night", "zh": "令牌每晚轮换一次"}
PROMPTS = {"en": "when do the tokens rotate", "zh": "令牌多久轮换"}


@pytest.fixture
def decide(memory: Layout) -> Callable[[str], str]:
    """`decide("en")`: the id of a record made on the branch that is checked out."""

    def store(language: str) -> str:
        branch, commit = read_head(memory.workspace)
        title = TITLES[language]
        source = Source("cli", branch=branch, commit=commit)
        draft = Draft(title=title, hit_words=[title.split(maxsplit=1)[0]], conclusion=[title], source=source)
        return remember(memory, draft, now=1_790_000_000).id

    return store


@pytest.fixture
def ask(memory: Layout) -> Callable[..., Recall]:
    """`ask("en", unlock=...)`: what a prompt gets, from an index that looked at every file."""

    def ask_memory(language: str, unlock: str | None = None) -> Recall:
        directory = read_directory(memory)
        with open_database(memory) as database:
            sync(database, directory)
            return recall(database, directory, read_config(memory), Request(PROMPTS[language], unlock=unlock))

    return ask_memory


def start_session(memory: Layout) -> None:
    with open_database(memory) as database:
        sync(database, read_directory(memory))
        refresh_commits(database, os.environ)


@pytest.fixture(autouse=True)
def shared(memory: Layout, git: Callable[..., str], decide: Callable[[str], str]) -> None:
    """A memory that is under git's eyes: one record of it is committed."""
    draft = Draft(title="Something else", hit_words=["else"], conclusion=["Else."], source=Source("cli"))
    remember(memory, draft, now=1_790_000_000)
    git("add", ".")
    git("commit", "-m", "memory")


@pytest.mark.parametrize("language", TITLES)
def test_a_record_made_here_is_current_at_once(
    decide: Callable[[str], str], ask: Callable[..., Recall], language: str
) -> None:
    made = decide(language)

    assert [item.id for item in ask(language).selected] == [made]


@pytest.mark.parametrize("language", TITLES)
def test_an_uncommitted_record_of_another_branch_is_deferred_without_its_text(
    git: Callable[..., str], decide: Callable[[str], str], ask: Callable[..., Recall], language: str
) -> None:
    made = decide(language)
    git("switch", "-c", "other")

    found = ask(language)

    assert found.selected == ()
    assert [(item.id, item.reason) for item in found.deferred] == [
        (made, "made on branch main and not committed; other is checked out")
    ]
    assert found.recall_text == ""
    assert [item.id for item in ask(language, unlock="looking back").selected] == [made]


@pytest.mark.parametrize("language", TITLES)
def test_a_record_that_was_committed_on_any_branch_is_current(
    memory: Layout, git: Callable[..., str], decide: Callable[[str], str], ask: Callable[..., Recall], language: str
) -> None:
    made = decide(language)
    git("switch", "-c", "other")
    git("add", ".")
    git("commit", "-m", "the record of main, committed here")
    start_session(memory)

    assert [item.id for item in ask(language).selected] == [made]


def test_a_write_asks_git_too(
    memory: Layout, git: Callable[..., str], decide: Callable[[str], str], ask: Callable[..., Recall]
) -> None:
    made = decide("en")
    git("switch", "-c", "other")
    git("add", ".")
    git("commit", "-m", "committed here")
    decide("zh")

    assert [item.id for item in ask("en").selected] == [made]


def test_an_index_built_anew_learns_what_is_uncommitted(
    memory: Layout, git: Callable[..., str], decide: Callable[[str], str], ask: Callable[..., Recall]
) -> None:
    decide("en")
    git("switch", "-c", "other")
    rebuild(memory)
    start_session(memory)

    assert ask("en").selected == ()


def test_a_detached_head_defers_nothing(
    git: Callable[..., str], decide: Callable[[str], str], ask: Callable[..., Recall]
) -> None:
    made = decide("en")
    git("switch", "--detach")

    assert [item.id for item in ask("en").selected] == [made]


def test_a_linked_worktree_is_asked_for_its_own_branch(
    tmp_path: Path, git: Callable[..., str], decide: Callable[[str], str]
) -> None:
    git("worktree", "add", "-b", "side", str(tmp_path / "side"))
    side = Layout(str(tmp_path / "side" / "memory"))

    assert read_head(side.workspace)[0] == "side"
    assert list_committed(side.chunks, os.environ) == set(os.listdir(side.chunks))


def test_a_memory_that_git_never_saw_has_git_for_no_judge(tmp_path: Path, git: Callable[..., str]) -> None:
    layout = Layout(str(tmp_path / "project" / "hidden" / "memory"))
    assert create_memory(layout, "Hidden")

    assert list_committed(layout.chunks, os.environ) == frozenset()


@pytest.mark.parametrize("path", ["", "/nowhere"], ids=["no git", "no git either"])
def test_without_git_nobody_can_tell(memory: Layout, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", path)

    assert list_committed(memory.chunks, {"PATH": path}) is None


def test_outside_a_work_tree_nobody_can_tell(tmp_path: Path) -> None:
    assert list_committed(str(tmp_path), os.environ) is None


def test_git_that_does_not_answer_in_time_has_not_answered(
    tmp_path: Path, memory: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")

    assert list_committed(memory.chunks, os.environ, limit_s=0.05) is None


def test_gits_own_variables_do_not_lead_elsewhere(
    tmp_path: Path, memory: Layout, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))

    assert list_committed(memory.chunks, os.environ) == set(os.listdir(memory.chunks))


@pytest.mark.parametrize("language", TITLES)
def test_what_an_uncommitted_record_of_another_branch_supersedes_still_holds_here(
    memory: Layout, git: Callable[..., str], decide: Callable[[str], str], ask: Callable[..., Recall], language: str
) -> None:
    made = decide(language)
    git("add", ".")
    git("commit", "-m", "decided")
    git("switch", "-c", "feature")
    newer = Draft(
        title=TITLES[language] + ", twice 两次",
        hit_words=["twice"],
        conclusion=[TITLES[language] + ", twice 两次"],
        source=Source("cli", branch="feature"),
        supersedes=(made,),
    )
    following = remember(memory, newer, now=1_790_000_060.0).id
    assert [item.id for item in ask(language).selected] == [following]
    git("switch", "main")

    found = ask(language)

    assert [item.id for item in found.selected] == [made]
    assert [item.id for item in found.deferred] == [following]
