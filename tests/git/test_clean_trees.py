"""Only writes touch what git tracks: whatever else a person or a host runs, `git status` stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.index.pages import list_behind
from hfa_core.store.directory import read_directory
from tests.payloads.claude_hook import ClaudeHook
from tests.payloads.hfa_command import Hfa, run_hfa

from .conftest import Repository

READING = (
    ("status",), ("status", "--json"), ("list", "--state", "all"), ("show", "chunk_0001", "--history"),
    ("recall", "when do tokens rotate"), ("route", "令牌多久轮换"), ("recall", "tokens", "--unlock", "to see"),
    ("verify",), ("reindex", "--verify"), ("doctor",), ("doctor", "--json"), ("doctor", "--dry-run"), ("node", "list"),
    ("tokens", "README.md"), ("upgrade", "--dry-run"), ("init", "--help"),
    ("add-topic", "--title", "New", "--hit-words", "new", "--conclusion", "New.", "--dry-run"),
    ("node", "add", "Side", "--dry-run"), ("node", "rename", "M1", "Other", "--dry-run"),
)  # fmt: skip


@pytest.fixture
def hfa(repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hfa:
    """`hfa("recall", "a prompt")` runs the command in the repository."""
    return lambda *arguments: run_hfa(arguments, repository.root, monkeypatch, capsys)


def fall_behind(repository: Repository) -> None:
    """A merge that leaves generated pages behind the records."""
    repository.git("switch", "--quiet", "--create", "side", "HEAD~1")
    repository.add("Tokens rotate on the side 支线令牌")
    repository.commit("side")
    repository.git("switch", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-edit", "side")
    assert list_behind(repository.memory, read_directory(repository.memory))


STATES: dict[str, Callable[[Repository], object]] = {
    "up to date": lambda _: None,
    "with a fresh clone's empty index": lambda repository: repository.git("clean", "-xfdq"),
    "with pages behind": fall_behind,
    "on another branch": lambda repository: repository.git("switch", "--quiet", "--create", "other"),
    "detached": lambda repository: repository.git("switch", "--quiet", "--detach"),
}


@pytest.mark.parametrize("state", STATES)
def test_no_command_but_a_write_touches_what_git_tracks(repository: Repository, hfa: Hfa, state: str) -> None:
    repository.add("Tokens rotate daily 令牌每天轮换")
    repository.commit("record")
    repository.add("Caches live an hour 缓存")
    repository.commit("another")
    STATES[state](repository)
    assert repository.status() == ""

    for command in READING:
        done = hfa(*command)
        assert done.code == 0, (command, done)
        assert repository.status() == "", command


def test_a_hundred_recalls_leave_the_tree_clean(repository: Repository, hfa: Hfa) -> None:
    made = repository.add("Tokens rotate daily 令牌每天轮换")
    repository.commit("record")
    for number in range(50):
        assert repository.ids(f"when do tokens rotate, asked {number} times") == [made]
        assert made in hfa("recall", f"令牌多久轮换 {number}").out

    assert repository.status() == ""
    assert repository.git("ls-files", "--others", "--exclude-standard") == ""


def test_hooks_that_store_nothing_leave_the_tree_clean(repository: Repository, own_environment: Path) -> None:
    repository.add("Tokens rotate daily 令牌每天轮换")
    repository.commit("record")
    claude = ClaudeHook(own_environment, repository.root)

    for reply in (
        claude.fire("SessionStart"),
        claude.prompt("when do tokens rotate"),
        claude.prompt("thanks, 谢谢"),
        claude.fire("PostToolUse-Edit"),
        claude.stop("Done. 完成。"),
        claude.fire("SessionEnd"),
    ):
        assert reply.code == 0

    assert repository.status() == ""


def test_a_captured_decision_adds_its_file_alone_with_branch_and_commit(
    repository: Repository, own_environment: Path, hfa: Hfa
) -> None:
    repository.git("switch", "--quiet", "--create", "feature/登录")
    claude = ClaudeHook(own_environment, repository.root)

    claude.stop("```hfa-memory\ntitle: Retries 重试\nhit_words: backoff, 退避\nconclusion: Five attempts.\n```")

    (line,) = repository.status().splitlines()
    assert line.startswith("?? memory/chunks/chunk_0001-")
    shown = hfa("show", "chunk_0001", "--json").json["source"]
    assert isinstance(shown, dict)
    assert shown["branch"] == "feature/登录"
    assert shown["commit"] == repository.git("rev-parse", "HEAD").strip()


def test_prompts_follow_the_checkout_through_real_hooks(repository: Repository, own_environment: Path) -> None:
    repository.git("switch", "--quiet", "--create", "side")
    repository.add("Tokens rotate daily 令牌每天轮换")
    repository.commit("side")
    repository.git("switch", "--quiet", "main")
    claude = ClaudeHook(own_environment, repository.root, PATH="/nonexistent")

    assert "rotate daily" not in claude.prompt("when do tokens rotate", session_id="a").context
    repository.git("switch", "--quiet", "side")
    assert "rotate daily" in claude.prompt("when do tokens rotate", session_id="b").context
    repository.add("Caches live an hour 缓存")
    repository.commit("committed on side")
    repository.git("switch", "--quiet", "--create", "third")
    assert "Caches live" in claude.prompt("how long do caches live", session_id="c").context
    repository.add("Deploys happen on Friday 周五部署")
    repository.git("switch", "--quiet", "--create", "fourth")
    assert "as agreed" not in claude.prompt("when do deploys happen", session_id="d").context
