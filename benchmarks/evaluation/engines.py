"""The rankers that HFA's is compared with, behind one call: documents in, a function from query to ids out."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol, cast

from evaluation.lexical import LexTuned, words
from evaluation.memory import open_memory
from evaluation.sets import Document

Order = Callable[[str], list[str]]
"""From a query to ids of documents, best first."""

DEPTH = 100
"""How far an engine is read; a turn-by-turn figure needs a dozen, a session-by-session one several times that."""
TRIGRAM_CHARACTERS = 3


@contextmanager
def open_lex_tuned(documents: Sequence[Document]) -> Generator[Order]:
    """The strong lexical floor; see `evaluation.lexical`."""
    yield LexTuned(documents).order


@contextmanager
def open_fts5_unicode61(documents: Sequence[Document]) -> Generator[Order]:
    """SQLite's full-text search as it comes: words, its own BM25."""
    with _open_fts5(documents, "unicode61", lambda query: re.findall(r"\w+", query)) as order:
        yield order


@contextmanager
def open_fts5_trigram(documents: Sequence[Document]) -> Generator[Order]:
    """SQLite's full-text search over every three characters."""
    with _open_fts5(documents, "trigram", _trigrams) as order:
        yield order


def _trigrams(query: str) -> list[str]:
    last = len(query) - TRIGRAM_CHARACTERS + 1
    return [query[start : start + TRIGRAM_CHARACTERS] for start in range(last)]


@contextmanager
def _open_fts5(documents: Sequence[Document], tokenizer: str, split: Callable[[str], list[str]]) -> Generator[Order]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE docs USING fts5(title, text, tokenize = '{tokenizer}')")
        connection.executemany("INSERT INTO docs VALUES (?, ?)", ((one.title, one.text) for one in documents))

        def order(query: str) -> list[str]:
            # A NUL ends the text of an expression, whatever stands around it.
            terms = dict.fromkeys(term.replace('"', '""') for term in split(query.replace("\0", " ")))
            if not terms:
                return []
            expression = " OR ".join(f'"{term}"' for term in terms)
            rows = connection.execute(
                "SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs), rowid LIMIT ?", (expression, DEPTH)
            )
            return [documents[int(rowid) - 1].id for (rowid,) in rows]

        yield order


class _Retriever(Protocol):
    """What is used of bm25s, which says nothing about its types."""

    def index(self, corpus: list[list[str]], *, show_progress: bool) -> None: ...

    def retrieve(
        self, query_tokens: list[list[str]], *, k: int, show_progress: bool
    ) -> tuple[Sequence[Iterable[int]], Sequence[Iterable[float]]]: ...


@contextmanager
def open_bm25s(documents: Sequence[Document]) -> Generator[Order]:
    """The bm25s library over the same stems, stop words and CJK pairs as `lex-tuned`, title and text as one."""
    import bm25s  # pyright: ignore[reportMissingTypeStubs] # none exist

    retriever = cast("_Retriever", bm25s.BM25(k1=1.2, b=0.75))
    retriever.index([list(words(f"{one.title}\n{one.text}")) or [""] for one in documents], show_progress=False)
    depth = min(DEPTH, len(documents))

    def order(query: str) -> list[str]:
        terms = list(words(query))
        if not terms:
            return []
        places, scores = retriever.retrieve([terms], k=depth, show_progress=False)
        return [documents[place].id for place, score in zip(places[0], scores[0], strict=True) if score > 0]

    yield order


@contextmanager
def open_hfa(documents: Sequence[Document]) -> Generator[Order]:
    """HFA's own ranker, before the gate."""
    with (
        tempfile.TemporaryDirectory(prefix="hfa-eval-") as folder,
        open_memory(Path(folder, "memory"), documents) as it,
    ):
        yield it.order


ENGINES = {
    "hfa": open_hfa,
    "lex-tuned": open_lex_tuned,
    "fts5 unicode61": open_fts5_unicode61,
    "fts5 trigram": open_fts5_trigram,
    "bm25s": open_bm25s,
}
"""Every engine by the name it is printed under."""
