"""Retrieval figures of any folder of sets: what the index ranks, and what the gate lets through.

    python benchmarks/retrieval.py SET_DIR... [--json]

A set is a folder with `corpus.jsonl` (`id`, `title`, `text`, optional `group`) and `queries.jsonl` (`id`, `query`,
`relevant` ids, empty where nothing is the right answer, `kind`, optional `group`). Each group becomes a memory folder
of real chunk files; nothing is tuned to a set. Shares are from 0 to 1.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hfa_core.fs.layout import Layout
from hfa_core.index.analyzer import analyze_query
from hfa_core.index.database import open_database
from hfa_core.index.rebuild import rebuild
from hfa_core.index.search import search
from hfa_core.light.json_codec import as_texts
from hfa_core.model import Draft, Source
from hfa_core.recall.rank import order, rank
from hfa_core.store.create import create_memory
from hfa_core.store.schema import make_chunk, render_chunk

SHOWN = 2
"""How many records a prompt is given at most."""


@dataclass(frozen=True)
class Document:
    """One record of a set."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Question:
    """One query of a set; no `relevant` id means that nothing is the right answer."""

    text: str
    relevant: frozenset[str]
    kind: str
    group: str


@dataclass
class Tally:
    """What was counted over the questions of a set."""

    positives: int = 0
    ranked_right: int = 0
    answered: int = 0
    shown_right: int = 0
    reciprocal: float = 0.0
    negatives: Counter[str] = field(default_factory=Counter[str])
    false_positives: Counter[str] = field(default_factory=Counter[str])
    milliseconds: list[float] = field(default_factory=list[float])

    def add(self, question: Question, ranked: Sequence[str], shown: Sequence[str]) -> None:
        """Count one answer: the ids as ranked, and those that the gate let through."""
        if not question.relevant:
            self.negatives[question.kind] += 1
            self.false_positives[question.kind] += bool(shown)
            return
        self.positives += 1
        self.ranked_right += any(one in question.relevant for one in ranked[:SHOWN])
        self.shown_right += any(one in question.relevant for one in shown)
        self.answered += bool(shown)
        place = next((place for place, one in enumerate(ranked, 1) if one in question.relevant), 0)
        self.reciprocal += 1 / place if place else 0

    def figures(self) -> dict[str, float | dict[str, float]]:
        """The figures by name, rounded."""
        total = max(1, self.positives)
        ordered = sorted(self.milliseconds)
        return {
            "r2": round(self.ranked_right / total, 3),
            "mrr": round(self.reciprocal / total, 3),
            "answered": round(self.answered / total, 3),
            "right2": round(self.shown_right / total, 3),
            "fpr": {kind: round(self.false_positives[kind] / count, 3) for kind, count in self.negatives.items()},
            "p50_ms": round(statistics.median(ordered), 2),
            "p95_ms": round(ordered[int(len(ordered) * 0.95)], 2),
        }


def main() -> int:
    """Run the sets named on the command line; 0 also where there is none, with a line that says so."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", type=Path, metavar="SET_DIR")
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    found = [folder for folder in options.sets if (folder / "queries.jsonl").is_file()]
    if not found:
        print("no sets here: name folders that hold corpus.jsonl and queries.jsonl", file=sys.stderr)
    figures = {folder.name: measure(folder) for folder in found}
    if options.as_json:
        print(json.dumps({"sets": figures}, indent=2))
    else:
        for name, row in figures.items():
            print(f"{name:14} " + "  ".join(f"{key} {value}" for key, value in row.items()))
    return 0


def measure(folder: Path) -> Mapping[str, float | dict[str, float]]:
    """The figures of one set."""
    documents: dict[str, list[Document]] = defaultdict(list)
    for line in read_lines(folder / "corpus.jsonl"):
        title = str(line.get("title") or str(line["text"])[:60])
        documents[str(line.get("group", ""))].append(Document(str(line["id"]), title, str(line["text"])))
    questions: dict[str, list[Question]] = defaultdict(list)
    for line in read_lines(folder / "queries.jsonl"):
        ids = frozenset(as_texts(line["relevant"]))
        question = Question(str(line["query"]), ids, str(line.get("kind", "")), str(line.get("group", "")))
        questions[question.group].append(question)
    tally = Tally()
    for group, asked in questions.items():
        with tempfile.TemporaryDirectory(prefix="hfa-eval-") as place:
            ask(Layout(str(Path(place) / "memory")), documents[group], asked, tally)
    return tally.figures()


def read_lines(path: Path) -> Iterator[dict[str, object]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def ask(layout: Layout, documents: Sequence[Document], questions: Sequence[Question], tally: Tally) -> None:
    """Make a memory of the documents and count the answers to the questions."""
    create_memory(layout, "Evaluation")
    ids: dict[str, str] = {}
    for number, document in enumerate(documents, 1):
        draft = Draft(
            title=document.title, hit_words=(), conclusion=[document.text], source=Source("import"), node="M1"
        )
        chunk = make_chunk(draft, number=number, epoch=1, created_at="2026-01-01T00:00:00Z")
        ids[chunk.id] = document.id
        Path(layout.chunk(chunk.id)).write_bytes(render_chunk(chunk))
    rebuild(layout)
    with open_database(layout) as database:
        for question in questions:
            started = time.perf_counter()
            found = search(database, analyze_query(question.text))
            shown = [ids[one.candidate.id] for one in rank(found)[:SHOWN]]
            tally.milliseconds.append((time.perf_counter() - started) * 1000)
            tally.add(question, [ids[one.candidate.id] for one in order(found)], shown)


if __name__ == "__main__":
    sys.exit(main())
