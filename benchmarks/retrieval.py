"""Retrieval figures of any folder of sets, by the public recall path: what is ranked, and what the gate lets through.

    python benchmarks/retrieval.py SET_DIR... [--sets NAME,...] [--part tune|report] [--limit N] [--json | --markdown]

A set is a folder with `corpus.jsonl` and `queries.jsonl`; docs/explanation/retrieval.md gives their form and says what
each figure means. Each group of a set becomes a memory folder of real chunk files. Shares are from 0 to 1.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from evaluation.memory import open_memory
from evaluation.metrics import EvidenceTally, Figures, RankingTally, ShownTally, mean_figures
from evaluation.options import make_parser, open_sets
from evaluation.report import print_retrieval
from evaluation.sets import EvaluationSet, SetError

TURN_SET = "locomo"
"""The set whose figures are also given turn by turn, as others publish them."""


def main() -> int:
    """Run the sets named on the command line; 2 where one cannot be read."""
    options = make_parser(__doc__ or "").parse_args()
    rows: dict[str, Figures] = {}
    extra: dict[str, Figures] = {}
    try:
        for found in open_sets(options):
            rows[found.name], turns = measure(found)
            if found.name == TURN_SET:
                extra[f"{TURN_SET}_turn"] = turns
    except SetError as error:
        print(f"retrieval: {error}", file=sys.stderr)
        return 2
    print_retrieval(rows, mean_figures(list(rows.values())), extra, options)
    return 0


def measure(found: EvaluationSet) -> tuple[Figures, Figures]:
    """The figures of one set, and those of its evidence turn by turn."""
    ranking, shown, turns = RankingTally(), ShownTally(), EvidenceTally()
    for group, questions in found.questions.items():
        with tempfile.TemporaryDirectory(prefix="hfa-eval-") as folder:
            documents = found.documents.get(group, [])
            with open_memory(Path(folder, "memory"), documents) as memory:
                for question in questions:
                    ranked = memory.order(question.text)
                    ranking.add(question, ranked)
                    turns.add(question.relevant or question.near_miss, ranked)
                    shown.add(question, memory.recall(question.text))
    return {**ranking.figures(), **shown.figures()}, turns.figures()


if __name__ == "__main__":
    sys.exit(main())
