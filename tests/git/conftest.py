"""A repository with a memory, worked on by real git and by the functions that commands and hooks call."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index.commits import refresh_commits
from hfa_core.index.database import open_database
from hfa_core.index.pages import refresh_views
from hfa_core.index.problem import Problem
from hfa_core.index.sync import sync
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft, Source
from hfa_core.recall.recall import Request, recall
from hfa_core.recall.result import Recall
from hfa_core.store.config import read_config
from hfa_core.store.create import create_memory
from hfa_core.store.directory import read_directory
from hfa_core.store.git_head import read_head

START = 1_790_000_000
"""When the first record of a test is made, seconds since the epoch; each further one comes a minute later."""


@pytest.fixture(autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, so that nothing of the user's is read or written; gives the home folder."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("HFA_", "GIT_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("HFA_USER_DIR", str(home / "hfa"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Test")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "test@example.invalid")
    return home


class Repository:
    """A checkout with a memory in it, as a person and an agent work on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.memory = Layout(str(root / "memory"))
        self._made = 0

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run git in the checkout, however it ends."""
        command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(command, cwd=self.root, capture_output=True, encoding="utf-8", check=False)

    def git(self, *arguments: str) -> str:
        """What git printed; it must succeed."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def commit(self, text: str) -> None:
        """Commit everything that git does not ignore."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", text)

    def add(self, title: str, *, hit_words: tuple[str, ...] = (), supersedes: tuple[str, ...] = (), at: int = 0) -> str:
        """Remember a decision as the command does, pages included; its id."""
        self._made += 1
        branch, commit = read_head(self.memory.root)
        draft = Draft(
            title=title,
            hit_words=list(hit_words) or [title.split(maxsplit=1)[0]],
            conclusion=[f"{title}, as agreed."],
            source=Source("cli", branch=branch, commit=commit),
            supersedes=list(supersedes),
        )
        made = remember(self.memory, draft, now=START + 60 * (at or self._made)).id
        refresh_views(self.memory)
        return made

    def start_session(self) -> None:
        """What a session's start does to the index."""
        with open_database(self.memory) as database:
            sync(database, read_directory(self.memory))
            refresh_commits(database, os.environ)

    def ask(self, prompt: str, *, unlock: str | None = None) -> Recall:
        """What a prompt gets, the index brought up to date as before a prompt."""
        directory = read_directory(self.memory)
        with open_database(self.memory) as database:
            sync(database, directory, thorough=False)
            return recall(database, directory, read_config(self.memory), Request(prompt, unlock=unlock))

    def ids(self, prompt: str) -> list[str]:
        """The ids that a prompt gets."""
        return [item.id for item in self.ask(prompt).selected]

    def problems(self, *, severity: str = "error") -> list[Problem]:
        """What verification finds."""
        return [problem for problem in verify_memory(self.memory) if problem.severity == severity]

    def status(self) -> str:
        """What git says has changed."""
        return self.git("status", "--porcelain", "--untracked-files=all")


@pytest.fixture
def make_repository(tmp_path: Path) -> Callable[[str], Repository]:
    """`make_repository("name")`: a repository with a committed, fresh memory, on branch `main`."""

    def make(name: str) -> Repository:
        repository = Repository(tmp_path / name)
        repository.root.mkdir(parents=True)
        repository.git("init", "--quiet")
        (repository.root / "README.md").write_text("# Project\n", encoding="utf-8")
        assert create_memory(repository.memory, "Project")
        repository.commit("start")
        return repository

    return make


@pytest.fixture
def repository(make_repository: Callable[[str], Repository]) -> Repository:
    """A repository with a committed, fresh memory, on branch `main`."""
    return make_repository("project")
