"""Other rankers on the same sets by the same figures, HFA's own beside them; none has a gate here.

    python benchmarks/baselines.py SET_DIR... [--engines NAME,...] [--sets NAME,...] [--json | --markdown]

The form of a set and the meaning of the figures stand in docs/explanation/retrieval.md. Shares are from 0 to 1.
"""

from __future__ import annotations

import sys
import time

from evaluation.engines import ENGINES
from evaluation.metrics import EvidenceTally, Figures, RankingTally, mean_figures, time_figures
from evaluation.options import make_parser, open_sets
from evaluation.report import print_baselines
from evaluation.sets import EvaluationSet, SetError

TURN_SET = "locomo"
"""The set whose figures are also given turn by turn, as others publish them."""


def main() -> int:
    """Run the engines over the sets named on the command line; 2 where one cannot be read."""
    parser = make_parser(__doc__ or "")
    parser.add_argument("--engines", default=",".join(ENGINES), metavar="NAME,...", help=f"of {', '.join(ENGINES)}")
    options = parser.parse_args()
    names = [name for name in str(options.engines).split(",") if name]
    unknown = [name for name in names if name not in ENGINES]
    if unknown:
        parser.error(f"--engines: {unknown[0]!r} is none of {', '.join(ENGINES)}")
    rows: dict[str, dict[str, Figures]] = {name: {} for name in names}
    extra: dict[str, dict[str, Figures]] = {name: {} for name in names}
    try:
        for found in open_sets(options):
            for name in names:
                rows[name][found.name], turns = measure(found, name)
                if found.name == TURN_SET:
                    extra[name][f"{TURN_SET}_turn"] = turns
    except SetError as error:
        print(f"baselines: {error}", file=sys.stderr)
        return 2
    means = {name: mean_figures(list(row.values())) for name, row in rows.items()}
    print_baselines(rows, means, extra, options)
    return 0


def measure(found: EvaluationSet, engine: str) -> tuple[Figures, Figures]:
    """The figures of one engine on one set, and those of its evidence turn by turn."""
    ranking, turns = RankingTally(), EvidenceTally()
    milliseconds: list[float] = []
    for group, questions in found.questions.items():
        with ENGINES[engine](found.documents.get(group, [])) as order:
            for question in questions:
                started = time.perf_counter()
                ranked = order(question.text)
                milliseconds.append((time.perf_counter() - started) * 1000)
                ranking.add(question, ranked)
                turns.add(question.relevant or question.near_miss, ranked)
    return {**ranking.figures(), **time_figures(milliseconds)}, turns.figures()


if __name__ == "__main__":
    sys.exit(main())
