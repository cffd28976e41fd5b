"""The places and memories that tests of the core work in: real folders, real git, nothing of the user's own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index.database import Database, open_database
from hfa_core.index.sync import sync
from hfa_core.model import Draft, Source
from hfa_core.settings import Environment
from hfa_core.store.create import create_memory
from hfa_core.store.directory import read_directory
from hfa_core.tokens.exact import is_installed, load_counter

START = 1_790_000_000
"""When the first record of a test is made, seconds since the epoch; each further one comes a minute later."""


@pytest.fixture(autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, so that nothing of the user's is read or written; gives the home folder."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("HFA_", "GIT_", "XDG_", "CLAUDE")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Test")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "test@example.invalid")
    return home


@pytest.fixture
def environment(own_environment: Path) -> Environment:
    """The switches of a user who has set none."""
    return Environment(home=str(own_environment), user_dir=str(own_environment / ".local" / "state" / "hfa"))


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., str]:
    """`git("commit", "-m", "text", cwd=folder)` runs git, by default in `tmp_path`/project; gives what it printed."""

    def run(*arguments: str, cwd: str | Path = tmp_path / "project") -> str:
        command = ["git", "-c", "init.defaultBranch=main", *arguments]
        done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def project(tmp_path: Path, git: Callable[..., str]) -> Path:
    """The root of a git work tree with one commit, on branch `main`."""
    root = tmp_path / "project"
    root.mkdir()
    git("init")
    (root / "README.md").write_text("# Project\n", encoding="utf-8")
    git("add", ".")
    git("commit", "-m", "start")
    return root


@pytest.fixture
def memory(project: Path) -> Layout:
    """A fresh memory in `project`/memory, with the main line M1."""
    layout = Layout(str(project / "memory"))
    assert create_memory(layout, "Project")
    return layout


@pytest.fixture
def draft() -> Callable[..., Draft]:
    """`draft("title", conclusion=..., hit_words=..., ...)`: a draft whose other fields follow from its title."""
    return make_draft


def make_draft(
    title: str,
    *,
    conclusion: str | tuple[str, ...] = "",
    hit_words: tuple[str, ...] = (),
    source: Source | None = None,
    kind: str = "decision",
    node: str = "",
    paths: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    supersedes: tuple[str, ...] = (),
    request_id: str = "",
) -> Draft:
    """See the fixture `draft`."""
    lines = (conclusion,) if isinstance(conclusion, str) else conclusion
    return Draft(
        title=title,
        hit_words=hit_words or (title.split(maxsplit=1)[0],),
        conclusion=lines if any(lines) else (f"{title}, as agreed.",),
        source=source or Source("cli"),
        kind=kind,
        node=node,
        paths=paths,
        tags=tags,
        supersedes=supersedes,
        request_id=request_id,
    )


@pytest.fixture
def add(memory: Layout) -> Callable[..., str]:
    """`add("title", ...)` remembers a record in `memory`, with the fields of `draft`; gives its id."""
    made = 0

    def remember_one(title: str, **fields: object) -> str:
        nonlocal made
        made += 1
        one = make_draft(title, **fields)  # type: ignore[arg-type]  # the callable is untyped for its users' sake
        return remember(memory, one, now=START + 60 * made).id

    return remember_one


class Crash(BaseException):
    """The process is gone: no handler of the code under test may go on."""


@pytest.fixture
def stop_before(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object], int | None], int]:
    """`stop_before(run, 3)` runs as a process that dies before its fourth effect on the disk; how many it saw."""

    def run_until(run: Callable[[], object], stop: int | None) -> int:
        seen = 0

        def effect(_kind: str, _path: str) -> None:
            nonlocal seen
            if stop is not None and seen >= stop:
                raise Crash
            seen += 1

        with monkeypatch.context() as patch:
            patch.setattr("hfa_core.fs.atomic._effect", effect)
            if stop is None:
                run()
            else:
                with pytest.raises(Crash):
                    run()
        return seen

    return run_until


@pytest.fixture
def index(memory: Layout) -> Iterator[Database]:
    """The open index of `memory`, in step with its files when the test begins."""
    with open_database(memory) as database:
        sync(database, read_directory(memory))
        yield database


@pytest.fixture
def resync(memory: Layout) -> Callable[[], Database]:
    """`resync()` opens the index and brings it up to the files; close it, or use it in a `with` block."""

    def opened() -> Database:
        database = open_database(memory)
        sync(database, read_directory(memory))
        return database

    return opened


@pytest.fixture(scope="session")
def count() -> Callable[[str], int]:
    """`count("text")`: the tokens of a text by the real tokenizer; the test is skipped only where that is not there."""
    if not is_installed():
        pytest.skip("the extra `tokens` is not installed")
    counter = load_counter()
    assert counter is not None
    return counter
