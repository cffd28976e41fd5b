"""What every script of the evaluation takes: which sets, which part of them, and how to print."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from evaluation.sets import CORPUS, QUERIES, REPORT, TUNE, EvaluationSet, SetError, read_set


def make_parser(description: str) -> argparse.ArgumentParser:
    """A parser with the common options."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="SET_DIR", help="a set, or a folder of sets")
    parser.add_argument("--sets", default="", metavar="NAME,...", help="only the sets of these names")
    parser.add_argument("--part", choices=[TUNE, REPORT], default="", help="only that half of the questions")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="at most N questions of each set")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    shape.add_argument("--markdown", action="store_true", help="print a Markdown table")
    return parser


def open_sets(options: argparse.Namespace) -> Iterator[EvaluationSet]:
    """
    The chosen sets in turn, each told of on standard error as it begins.

    Raises:
        SetError: A folder holds no set, or a set is not of the form.
    """
    folders: list[Path] = [found for folder in options.folders for found in _find_sets(folder)]
    wanted = [name for name in str(options.sets).split(",") if name]
    missing = [name for name in wanted if name not in {folder.resolve().name for folder in folders}]
    if missing:
        raise SetError(f"no set is called {' or '.join(missing)}; there are {', '.join(f.name for f in folders)}")
    for folder in folders:
        if not wanted or folder.resolve().name in wanted:
            found = read_set(folder, part=str(options.part), limit=int(options.limit))
            documents = sum(map(len, found.documents.values()))
            questions = sum(map(len, found.questions.values()))
            print(f"{found.name}: {documents} documents, {questions} questions", file=sys.stderr)
            yield found


def _find_sets(folder: Path) -> list[Path]:
    candidates = [folder, *sorted(folder.iterdir())] if folder.is_dir() else []
    found = [one for one in candidates if (one / CORPUS).is_file() and (one / QUERIES).is_file()]
    if not found:
        raise SetError(f"{folder}: holds no {CORPUS} and {QUERIES}, nor does a folder in it")
    return found
