"""A set's documents as a real memory folder, asked the way every front end asks."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evaluation.sets import Document
from hfa_core.fs.layout import Layout
from hfa_core.index.analyzer import analyze_query
from hfa_core.index.database import Database, open_database
from hfa_core.index.rebuild import rebuild
from hfa_core.index.search import search
from hfa_core.model import Chunk, Draft, Source
from hfa_core.recall.rank import order
from hfa_core.recall.recall import Request, recall
from hfa_core.store.config import Config, read_config
from hfa_core.store.create import create_memory
from hfa_core.store.directory import Directory, read_directory
from hfa_core.store.schema import make_chunk, render_chunk

UNBOUNDED = 1 << 30
"""Documents of a set may be longer than any record can be; none is held back for what it costs."""


@dataclass(frozen=True)
class Answer:
    """What was shown, its tokens (at most the recall budget of a memory), and the time that took in the process."""

    shown: tuple[str, ...]
    tokens: int
    milliseconds: float


class Memory:
    """An open memory of one group of documents, which answers in the ids of the set."""

    def __init__(self, database: Database, directory: Directory, config: Config, ids: dict[str, str]) -> None:
        self._database = database
        self._directory = directory
        self._config = Config(memory_id=config.memory_id, recall_budget=UNBOUNDED)
        self._budget = config.recall_budget
        self._ids = ids

    def order(self, prompt: str) -> list[str]:
        """The documents as the ranker orders them, best first, before gate and supersession have their say."""
        return [self._ids[one.candidate.id] for one in order(search(self._database, analyze_query(prompt)))]

    def recall(self, prompt: str) -> Answer:
        """What a prompt hook would show."""
        started = time.perf_counter()
        found = recall(self._database, self._directory, self._config, Request(prompt, brief=True))
        milliseconds = (time.perf_counter() - started) * 1000
        shown = tuple(self._ids[one.id] for one in found.selected)
        return Answer(shown, min(found.recall_tokens, self._budget), milliseconds)


@contextmanager
def open_memory(folder: Path, documents: Sequence[Document]) -> Generator[Memory]:
    """
    A memory made in `folder` from scratch: a chunk file for each document, then one rebuild of the index.

    The files are what `hfa remember` writes, but for their syncs, for the rule that a conclusion has three short lines
    (a text is kept whole, as one line), and for hit words, which nobody gave the documents of most sets.
    """
    layout = Layout(str(folder))
    create_memory(layout, "Evaluation")
    ids: dict[str, str] = {}
    chunks: dict[str, Chunk] = {}
    for number, document in enumerate(_oldest_first(documents), 1):
        draft = Draft(
            title=document.title,
            hit_words=document.hit_words,
            conclusion=[document.text],
            source=Source("import"),
            node="M1",
            supersedes=[chunks[old].id for old in document.supersedes if old in chunks],
        )
        chunk = make_chunk(draft, number=number, epoch=1, created_at="2026-01-01T00:00:00Z")
        chunks[document.id] = chunk
        ids[chunk.id] = document.id
        Path(layout.chunk(chunk.id)).write_bytes(render_chunk(chunk))
    rebuild(layout)
    with open_database(layout) as database:
        yield Memory(database, read_directory(layout), read_config(layout), ids)


def _oldest_first(documents: Sequence[Document]) -> list[Document]:
    """
    The documents in their order, but each after those that it replaces, for a record names an older one by its id.
    Of links in a circle, the one that closes it is lost.
    """
    by_id = {document.id: document for document in documents}
    placed: dict[str, Document] = {}
    entered: set[str] = set()
    for document in documents:
        pending = [document.id]
        while pending:
            current = by_id[pending[-1]]
            waiting = [old for old in current.supersedes if old in by_id and old not in entered]
            if current.id not in entered and waiting:
                entered.add(current.id)
                pending.extend(waiting)
                continue
            entered.add(current.id)
            placed.setdefault(current.id, current)
            pending.pop()
    return list(placed.values())
