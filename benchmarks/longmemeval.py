"""LongMemEval by the public ranker: is any of a question's evidence among the first turns, and the first sessions?

    python benchmarks/longmemeval.py FILE [--limit N] [--json]

FILE is one of the benchmark's own files, a JSON list of questions, each with its haystack of sessions. Every haystack
becomes a memory of its own, every turn of either side a record. Sessions are ranked by their best turn. Questions whose
id ends with `_abs` have no evidence and are left out, as the benchmark's own retrieval figures do. Source of the form:
github.com/xiaowu0162/LongMemEval, "Dataset Format".
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.memory import open_memory
from evaluation.metrics import EvidenceTally, Figures, rounded
from evaluation.sets import Document, SetError, title_of
from hfa_core.light.json_codec import as_list, as_mapping, as_text, as_texts

ABSTENTION = "_abs"
SESSION, TURN = "session", "turn"
_REQUIRED = ("question_id", "question", "haystack_session_ids", "haystack_sessions", "answer_session_ids")


@dataclass(frozen=True)
class Haystack:
    """One question with all that was said before it, and which turns and sessions hold its evidence."""

    question: str
    kind: str
    turns: Sequence[Document]
    sessions: frozenset[str]
    evidence: frozenset[str]


@dataclass
class Tallies:
    """Figures session by session and turn by turn."""

    session: EvidenceTally = field(default_factory=EvidenceTally)
    turn: EvidenceTally = field(default_factory=EvidenceTally)

    def figures(self) -> dict[str, Figures]:
        """Both, rounded."""
        return {SESSION: rounded(self.session.figures()), TURN: rounded(self.turn.figures())}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a file; 2 where it is not of the form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="only the first N questions")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    options = parser.parse_args(arguments)
    try:
        haystacks = read_file(options.file)
    except SetError as error:
        print(f"longmemeval: {error}", file=sys.stderr)
        return 2
    rows = measure(haystacks[: options.limit] if options.limit else haystacks)
    if options.as_json:
        print(json.dumps(rows, indent=2))
    else:
        for name, row in rows.items():
            for level, figures in row.items():
                shown = "  ".join(f"{key} {value}" for key, value in figures.items())
                print(f"{name:28} {level:8} {shown}")
    return 0


def measure(haystacks: Sequence[Haystack]) -> dict[str, dict[str, Figures]]:
    """The figures over all questions, under `all`, and by kind of question."""
    tallies: dict[str, Tallies] = defaultdict(Tallies)
    for number, haystack in enumerate(haystacks, 1):
        print(f"question {number} of {len(haystacks)}: {len(haystack.turns)} turns", file=sys.stderr)
        session_of = {turn.id: turn.session for turn in haystack.turns}
        with (
            tempfile.TemporaryDirectory(prefix="hfa-eval-") as folder,
            open_memory(Path(folder, "memory"), haystack.turns) as memory,
        ):
            ranked = memory.order(haystack.question)
        for name in ("all", haystack.kind):
            tallies[name].turn.add(haystack.evidence, ranked)
            tallies[name].session.add(haystack.sessions, [session_of[one] for one in ranked])
    return {name: tally.figures() for name, tally in tallies.items()}


def read_file(path: Path) -> list[Haystack]:
    """
    The questions of a file that have evidence, in order.

    Raises:
        SetError: It cannot be read, is not JSON, or an entry lacks a key.
    """
    try:
        entries = as_list(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise SetError(f"{path}: cannot be read as JSON: {error}") from error
    if not entries:
        raise SetError(f"{path}: is not a list of questions")
    return list(_read_entries(path, entries))


def _read_entries(path: Path, entries: Sequence[object]) -> Iterator[Haystack]:
    for number, found in enumerate(entries):
        entry = as_mapping(found)
        missing = [key for key in _REQUIRED if key not in entry]
        if missing:
            raise SetError(f"{path}: entry {number} has no {' and no '.join(missing)}")
        if not as_text(entry["question_id"]).endswith(ABSTENTION):
            yield _read_entry(path, number, entry)


def _read_entry(path: Path, number: int, entry: dict[str, object]) -> Haystack:
    names, sessions = as_texts(entry["haystack_session_ids"]), as_list(entry["haystack_sessions"])
    if len(names) != len(sessions):
        raise SetError(f"{path}: entry {number} names {len(names)} sessions and holds {len(sessions)}")
    turns: list[Document] = []
    evidence: set[str] = set()
    for place, (name, session) in enumerate(zip(names, sessions, strict=True)):
        for position, found in enumerate(as_list(session)):
            turn = as_mapping(found)
            text = as_text(turn.get("content"))
            if not text.strip():
                continue
            # A session may stand in a haystack twice, so its name alone does not tell its turns apart.
            turn_id = f"{place}/{name}/{position}"
            turns.append(Document(turn_id, title_of("", text), text, session=name))
            if turn.get("has_answer"):
                evidence.add(turn_id)
    return Haystack(
        question=as_text(entry["question"]),
        kind=as_text(entry.get("question_type")) or "question",
        turns=turns,
        sessions=frozenset(as_texts(entry["answer_session_ids"])),
        evidence=frozenset(evidence),
    )


if __name__ == "__main__":
    sys.exit(main())
