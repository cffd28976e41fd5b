"""A tiny set in both languages, with groups, a superseded record and questions that nothing answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

CORPUS: list[Mapping[str, object]] = [
    {"id": "a", "title": "Refresh tokens rotate daily", "text": "The auth service rotates refresh tokens every 24 h."},
    # The successor stands before what it supersedes, as an alphabetical corpus may have it.
    {"id": "new", "title": "Invoices are archived in Glacier", "text": "Cheaper than keeping invoices on disk."},
    {"id": "old", "title": "Invoices are kept on NFS", "text": "The NFS share holds all.", "superseded_by": ["new"]},
    {"id": "c", "title": "", "text": "网关限流按租户计算，超出配额直接拒绝。"},
    {"id": "d", "title": "发票归档", "text": "发票归档到冷存储。", "group": "other"},
]
QUERIES: list[Mapping[str, object]] = [
    {"id": "q1", "query": "how often do refresh tokens rotate", "relevant": ["a"], "kind": "en"},
    {"id": "q2", "query": "网关的限流怎么计算", "relevant": ["c"], "kind": "zh"},
    {"id": "q3", "query": "are invoices kept on NFS", "relevant": ["new"], "forbidden": ["old"], "kind": "superseded"},
    {"id": "q4", "query": "which colour is the login button", "relevant": [], "kind": "neg_near"},
    {"id": "q5", "query": "红烧肉怎么做", "relevant": [], "kind": "neg_far"},
    {"id": "q6", "query": "发票归档到哪里", "relevant": ["d"], "kind": "zh", "group": "other"},
]


def write_lines(path: Path, lines: Iterable[object]) -> None:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


@pytest.fixture
def make_set(tmp_path: Path) -> Callable[..., Path]:
    """`make_set("name", corpus, queries)` writes a set and gives its folder; by default the tiny one."""

    def make(
        name: str = "tiny", corpus: Iterable[object] = tuple(CORPUS), queries: Iterable[object] = tuple(QUERIES)
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        write_lines(folder / "corpus.jsonl", corpus)
        write_lines(folder / "queries.jsonl", queries)
        return folder

    return make
