"""Fifty engineering records, half English and half Chinese, and asking a memory as the front ends do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

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

RECORDS: list[dict[str, object]] = json.loads((Path(__file__).parent / "records.json").read_text(encoding="utf-8"))


def ask_memory(layout: Layout, prompt: str, **circumstances: object) -> Recall:
    """See the fixture `ask`."""
    with open_database(layout) as database:
        directory = read_directory(layout)
        sync(database, directory)
        request = Request(prompt, **circumstances)  # type: ignore[arg-type]  # as `Request` says
        return recall(database, directory, read_config(layout), request)


@pytest.fixture
def ask(memory: Layout) -> Callable[..., Recall]:
    """`ask("prompt", unlock=..., in_context=...)`: what `memory` recalls, from an index in step with its files."""
    return lambda prompt, **circumstances: ask_memory(memory, prompt, **circumstances)


@pytest.fixture(scope="session")
def _written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    layout = Layout(str(tmp_path_factory.mktemp("fifty") / "memory"))
    create_memory(layout, "Shop")
    for position, fields in enumerate(RECORDS):
        texts = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
        draft = Draft(title=str(fields["title"]), source=Source("cli"), **texts)
        remember(layout, draft, now=1_790_000_000 + 60 * position)
    return Path(layout.root)


@pytest.fixture
def fifty(_written: Path, tmp_path: Path) -> Layout:
    """A memory with the fifty records of `records.json`; it may be changed."""
    return Layout(str(shutil.copytree(_written, tmp_path / "fifty" / "memory")))


@pytest.fixture(scope="session")
def ask_fifty(_written: Path) -> Iterator[Callable[..., Recall]]:
    """As `ask`, of the fifty records, which stay as they are."""
    layout = Layout(str(_written))
    with open_database(layout) as database:
        directory, config = read_directory(layout), read_config(layout)
        sync(database, directory)
        yield lambda prompt, **circumstances: recall(database, directory, config, Request(prompt, **circumstances))
