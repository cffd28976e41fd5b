"""Figures as people and programs read them: lines, a Markdown table, or JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence

from evaluation.metrics import Figure, Figures, rounded

MEAN = "mean"
_RANKING = {"r1": "R@1", "r2": "R@2", "r5": "R@5", "r10": "R@10", "mrr": "MRR", "ndcg10": "nDCG@10"}
_SHOWN = {"answered": "answered", "right2": "right", "precision": "precision"}
_NEGATIVES = {"neg_near": "near", "neg_far": "far", "neg_loo": "left out"}
_REST = {
    "successor2": "successor",
    "old_shown": "old",
    "tokens_per_query": "tokens",
    "p50_ms": "p50 ms",
    "p95_ms": "p95",
}


def print_retrieval(
    rows: Mapping[str, Figures], mean: Figures, extra: Mapping[str, Figures], options: argparse.Namespace
) -> None:
    """Print the figures of HFA by set."""
    if options.as_json:
        shown = {"sets": _rounded(rows), "mean": rounded(mean)}
        print(json.dumps({**shown, "extra": _rounded(extra)} if extra else shown, indent=2))
    elif options.markdown:
        titles = {**_RANKING, **_SHOWN, **{f"fpr {key}": f"FPR {title}" for key, title in _NEGATIVES.items()}, **_REST}
        table = [_flat(rounded(figures)) for figures in [*rows.values(), mean]]
        _print_table(
            ["set", *titles.values()],
            [
                [name, *(_cell(figures.get(key)) for key in titles)]
                for name, figures in zip([*rows, MEAN], table, strict=True)
            ],
        )
    else:
        _print_lines({**rows, MEAN: mean} if rows else {})
        _print_lines(extra)


def print_baselines(
    rows: Mapping[str, Mapping[str, Figures]],
    means: Mapping[str, Figures],
    extra: Mapping[str, Mapping[str, Figures]],
    options: argparse.Namespace,
) -> None:
    """Print the figures of several engines by set; as Markdown only R@2 by set, and all figures of the means."""
    if options.as_json:
        engines = {
            name: {
                "sets": _rounded(row),
                "mean": rounded(means[name]),
                **({"extra": _rounded(extra[name])} if extra[name] else {}),
            }
            for name, row in rows.items()
        }
        print(json.dumps({"engines": engines}, indent=2))
    elif options.markdown:
        sets = dict.fromkeys(one for row in rows.values() for one in row)
        _print_table(
            ["R@2", *sets, MEAN],
            [
                [name, *(_cell(rounded(row[one])["r2"]) for one in sets), _cell(rounded(means[name]).get("r2"))]
                for name, row in rows.items()
            ],
        )
        print()
        titles = {**_RANKING, "p50_ms": "p50 ms", "p95_ms": "p95"}
        _print_table(
            [MEAN, *titles.values()],
            [[name, *(_cell(rounded(means[name]).get(key)) for key in titles)] for name in rows],
        )
    else:
        for name, row in rows.items():
            print(f"== {name}")
            _print_lines({**row, MEAN: means[name], **extra[name]})


def _rounded(rows: Mapping[str, Figures]) -> dict[str, Figures]:
    return {name: rounded(figures) for name, figures in rows.items()}


def _flat(figures: Figures) -> dict[str, float | None]:
    """The figures with those by kind under `name kind`."""
    flat: dict[str, float | None] = {}
    for name, value in figures.items():
        if isinstance(value, dict):
            flat.update({f"{name} {kind}": share for kind, share in value.items()})
        else:
            flat[name] = value
    return flat


def _print_lines(rows: Mapping[str, Figures]) -> None:
    for name, figures in rows.items():
        print(f"{name:14} " + "  ".join(f"{key} {_cell(value)}" for key, value in _flat(rounded(figures)).items()))


def _print_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print(f"| {' | '.join(titles)} |")
    print(f"| {' | '.join(['---', *['---:'] * (len(titles) - 1)])} |")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def _cell(value: Figure) -> str:
    """A share as `.425`, another number with up to two places, nothing where there is no figure."""
    if value is None or isinstance(value, dict):
        return ""
    if 0 <= value < 1:
        return f"{value:.3f}".removeprefix("0")
    return f"{value:.3f}" if value == 1 else f"{value:,.1f}"
