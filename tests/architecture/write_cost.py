"""Run by `test_write_cost.py` as a process: makes a memory of `SIZE` records in `FOLDER` and counts what writes do.

    python write_cost.py FOLDER SIZE

Prints one JSON object: for each kind of write the files opened, the stats, the folders listed and the instructions of
SQLite's machine, each the least of several writes, for a merge of the full-text index may fall into any of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial

import corpus
from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index import database
from hfa_core.index.pages import refresh_views
from hfa_core.index.rebuild import rebuild
from hfa_core.light.sqlite import Connection
from hfa_core.model import Draft, Source

WRITES = 5
NOW = 1_790_000_000.0
FILES = ("open",)
LISTINGS = ("os.listdir", "os.scandir")

counted = {"opens": 0, "stats": 0, "listings": 0, "steps": 0}


def main(folder: str, size: int) -> None:
    """Measure and print."""
    layout = Layout(os.path.join(folder, "memory"))
    git = ["git", "-C", folder, "-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", folder], check=True)
    corpus.fill(layout, size)
    rebuild(layout)
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--no-gpg-sign", "--message", "A memory"], check=True)
    source = corpus.drafts(first=size + 1)

    def write(draft: Draft) -> None:
        remember(layout, draft, now=NOW)

    # The first begins an epoch and asks git about the commit.
    write(next(source))
    refresh_views(layout)
    count_from_here()
    plain = [partial(write, next(source)) for _ in range(WRITES)]
    replacing = [partial(write, replace(next(source), f"chunk_{number:04}")) for number in range(20, 20 + WRITES)]
    captured = [partial(write, capture(next(source))) for _ in range(WRITES)]
    pages = [partial(refresh_views, layout) for _ in range(WRITES)]
    kinds = {"plain": plain, "replacing": replacing, "captured": captured, "pages": pages}
    print(json.dumps({name: least(writes) for name, writes in kinds.items()}))


def replace(draft: Draft, old: str) -> Draft:
    """The draft as one that supersedes a record, named by its number."""
    draft.supersedes = (old,)
    return draft


def capture(draft: Draft) -> Draft:
    """The draft as one of a hook, made on another branch than the records before it."""
    draft.source = Source("hook", session="one", branch="other")
    return draft


def least(writes: Sequence[Callable[[], object]]) -> dict[str, int]:
    """The least count of each thing in one of the writes."""
    seen: list[dict[str, int]] = []
    for write in writes:
        counted.update(dict.fromkeys(counted, 0))
        write()
        seen.append(dict(counted))
    return {name: min(one[name] for one in seen) for name in counted}


def count_from_here() -> None:
    """Count from here on; Python has audit events for opening and listing, and none for a stat."""

    def audit(event: str, _: object) -> None:
        if event in FILES:
            counted["opens"] += 1
        elif event in LISTINGS:
            counted["listings"] += 1

    def counting(call: Callable[..., os.stat_result], *arguments: object, **options: object) -> os.stat_result:
        counted["stats"] += 1
        return call(*arguments, **options)

    def step() -> int:
        counted["steps"] += 1
        return 0

    def connect(*arguments: object, **options: object) -> Connection:
        connection = real_connect(*arguments, **options)
        connection.set_progress_handler(step, 1)
        return connection

    real_connect: Callable[..., Connection] = getattr(database, "connect")  # noqa: B009  # as it is set below
    sys.addaudithook(audit)
    for name in ("stat", "lstat"):
        setattr(os, name, partial(counting, getattr(os, name)))
    setattr(database, "connect", connect)  # noqa: B010  # counts and hands on


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
