"""What a write, a sync and a recall cost as a memory grows.

    python benchmarks/store.py [--sizes 1000 10000] [--rounds 60] [--json]

One memory of each size is made and committed to git; then all sizes are measured in turn within each round, so that
what else the machine does falls on all of them, and medians are compared as ratios to the smallest. BENCH_FULL=1 adds
100,000 records, which take some minutes to index.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import corpus
from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.rebuild import rebuild
from hfa_core.index.sync import sync
from hfa_core.model import Chunk, Draft
from hfa_core.recall.recall import Request, recall
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.store.schema import check_draft, make_chunk

TARGET = 1.5
"""What one write to the largest memory may cost, as a ratio to one to the smallest."""
FULL = 100_000
CHANGED = (1, 100, 10_000)
PROCESSES = 7
PROMPTS = 100
_NOW = 1_790_000_000.0
_GIT = ("git", "-c", "user.name=Benchmark", "-c", "user.email=benchmark@example.invalid")

Samples = dict[int, list[float]]


class Store:
    """One memory of `size` records, and the drafts that come next in it."""

    def __init__(self, folder: Path, size: int) -> None:
        self.size = size
        self.workspace = folder / f"project-{size}"
        self.layout = Layout(str(self.workspace / "memory"))
        self.workspace.mkdir()
        _git(self.workspace, "init", "--quiet", "--initial-branch=main")
        self.filled_s = _seconds(self._fill)
        self.indexed_s = _seconds(lambda: rebuild(self.layout))
        _git(self.workspace, "add", "--all")
        _git(self.workspace, "commit", "--quiet", "--no-gpg-sign", "-m", "A memory")
        self.drafts: Iterator[Draft] = corpus.drafts(first=size + 1)
        self.prompts = corpus.prompts(PROMPTS, size)

    def _fill(self) -> None:
        self.chunks: list[Chunk] = corpus.fill(self.layout, self.size)

    def remember(self) -> float:
        """Milliseconds of one write in this process."""
        draft = next(self.drafts)
        return 1000 * _seconds(lambda: remember(self.layout, draft, now=_NOW))

    def remember_in_process(self, environment: dict[str, str]) -> float:
        """Milliseconds of `hfa remember`, its page included."""
        draft = next(self.drafts)
        command = [str(Path(sys.executable).with_name("hfa")), "remember", "--title", draft.title]
        command += [part for word in draft.hit_words for part in ("--hit-words", word)]
        command += [part for line in draft.conclusion for part in ("--conclusion", line)]
        return 1000 * _seconds(lambda: _run(command, self.workspace, environment))

    def recall(self, prompt: str) -> float:
        """Milliseconds of one recall in this process, the index open and in step."""
        directory, config = read_directory(self.layout), read_config(self.layout)
        with open_database(self.layout) as database:
            return 1000 * _seconds(lambda: recall(database, directory, config, Request(prompt, brief=True)))

    def sync_changed(self, count: int) -> float:
        """Milliseconds of a sync after `count` records were replaced by others of the same ids."""
        for chunk, draft in zip(self.chunks[:count], islice(self.drafts, count), strict=True):
            number = int(chunk.id[6:].partition("-")[0])
            changed = make_chunk(check_draft(draft), number=number, epoch=chunk.epoch, created_at=chunk.created_at)
            changed.id = chunk.id
            corpus.write(self.layout, changed)
        with open_database(self.layout) as database:
            return 1000 * _seconds(lambda: sync(database, read_directory(self.layout)))


def main() -> int:
    """Run the benchmark; 1 if a write to the largest memory is over its target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    full = [FULL] if os.environ.get("BENCH_FULL") == "1" else []
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, *full])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hfa-bench-") as folder:
        stores = [Store(Path(folder), size) for size in sorted(options.sizes)]
        environment = {**os.environ, "HOME": folder, "HFA_USER_DIR": str(Path(folder) / "user")}
        figures = {
            "remember": _in_turn(stores, options.rounds, lambda store, _: store.remember()),
            "hfa remember": _in_turn(stores, PROCESSES, lambda store, _: store.remember_in_process(environment)),
            "recall": _in_turn(stores, PROMPTS, lambda store, turn: store.recall(store.prompts[turn % PROMPTS])),
        }
        synced = {count: stores[-1].sync_changed(count) for count in CHANGED if count <= stores[-1].size}
    writes = figures["remember"]
    ratio = statistics.median(writes[stores[-1].size]) / statistics.median(writes[stores[0].size])
    if options.as_json:
        print(json.dumps({"build": _rates(stores), **figures, "sync": synced, "ratio": ratio}, indent=2))
    else:
        _show(stores, figures, synced)
        print(f"target: a write to {stores[-1].size} records at most {TARGET:.1f}x; it is {ratio:.2f}x")
    return 0 if ratio <= TARGET else 1


def _in_turn(stores: list[Store], rounds: int, measure: Callable[[Store, int], float]) -> Samples:
    """Milliseconds by size, after three rounds that do not count."""
    samples: Samples = {store.size: [] for store in stores}
    for turn in range(-3, rounds):
        for store in random.sample(stores, len(stores)):
            taken = measure(store, turn)
            if turn >= 0:
                samples[store.size].append(taken)
    return samples


def _show(stores: list[Store], figures: dict[str, Samples], synced: dict[int, float]) -> None:
    for size, (files, records) in _rates(stores).items():
        print(f"{size:7} records: {files:6.0f} files/s written, {records:5.0f} records/s indexed")
    for name, samples in figures.items():
        floor = statistics.median(samples[stores[0].size])
        for size, values in samples.items():
            median, high = statistics.median(values), statistics.quantiles(values, n=20)[-1]
            print(f"  {name:14}{size:7} records  median {median:7.1f} ms {median / floor:5.2f}x  p95 {high:7.1f} ms")
    for count, taken in synced.items():
        print(f"  sync after {count:6} changed of {stores[-1].size} {taken:9.1f} ms")


def _rates(stores: list[Store]) -> dict[int, tuple[float, float]]:
    return {store.size: (store.size / store.filled_s, store.size / store.indexed_s) for store in stores}


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _git(workspace: Path, *arguments: str) -> None:
    subprocess.run([*_GIT, *arguments], cwd=workspace, check=True)


def _run(command: list[str], workspace: Path, environment: dict[str, str]) -> None:
    subprocess.run(command, cwd=workspace, env=environment, check=True, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
