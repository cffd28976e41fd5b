"""Fifty engineering records, half English and half Chinese, and asking a memory as the front ends do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypedDict

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.sync import sync
from hfa_core.model import Draft, Source
from hfa_core.recall.recall import Request, recall
from hfa_core.recall.result import Recall
from hfa_core.store.config import read_config
from hfa_core.store.create import create_memory
from hfa_core.store.directory import read_directory


class Fields(TypedDict):
    """One record of `records.json`; `ask` is a question in other words that it answers."""

    title: str
    hit_words: list[str]
    conclusion: list[str]
    paths: list[str]
    ask: str


RECORDS: list[Fields] = json.loads((Path(__file__).parent / "records.json").read_text(encoding="utf-8"))


@pytest.fixture
def ask(memory: Layout) -> Callable[..., Recall]:
    """`ask("prompt", unlock=..., in_context=..., characters=...)`: what `memory` recalls."""

    def ask_memory(
        prompt: str, *, unlock: str | None = None, in_context: frozenset[str] = frozenset(), characters: int = 0
    ) -> Recall:
        with open_database(memory) as database:
            directory = read_directory(memory)
            sync(database, directory)
            request = Request(prompt, unlock=unlock, in_context=in_context, characters=characters)
            return recall(database, directory, read_config(memory), request)

    return ask_memory


@pytest.fixture(scope="session")
def _written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    layout = Layout(str(tmp_path_factory.mktemp("fifty") / "memory"))
    create_memory(layout, "Shop")
    for position, fields in enumerate(RECORDS):
        draft = Draft(
            title=fields["title"],
            hit_words=fields["hit_words"],
            conclusion=fields["conclusion"],
            paths=fields["paths"],
            source=Source("cli"),
        )
        remember(layout, draft, now=1_790_000_000 + 60 * position)
    return Path(layout.root)


@pytest.fixture
def fifty(_written: Path, tmp_path: Path) -> Layout:
    """A memory with the fifty records of `records.json`; it may be changed."""
    return Layout(str(shutil.copytree(_written, tmp_path / "fifty" / "memory")))


@pytest.fixture(scope="session")
def ask_fifty(_written: Path) -> Iterator[Callable[..., Recall]]:
    """`ask_fifty("prompt")`: what the fifty records answer; they stay as they are."""
    layout = Layout(str(_written))
    with open_database(layout) as database:
        directory, config = read_directory(layout), read_config(layout)
        sync(database, directory)

        def ask_it(prompt: str) -> Recall:
            return recall(database, directory, config, Request(prompt))

        yield ask_it
