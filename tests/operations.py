"""Every operation that changes a memory, and what a test compares around one."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from hfa_core.capture.remember import remember
from hfa_core.fs.atomic import TEMPORARY_PREFIX
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft, Source
from hfa_core.store.nodes import activate_node, add_node, rename_node, tombstone_node

NOW = 1_790_000_000.0
TIME = "2026-01-01T00:00:00Z"
DOCS = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "transactions.md"
JOURNAL = ".hfa-transaction.json"


def draft(title: str, *, supersedes: tuple[str, ...] = ()) -> Draft:
    """A record that is as short as one may be."""
    lines = (f"{title}, as agreed.",)
    return Draft(title=title, hit_words=("令牌",), conclusion=lines, source=Source("cli"), supersedes=supersedes)


def _supersede(memory: Layout) -> None:
    remember(memory, draft("Newer", supersedes=("chunk_0001",)), now=NOW)


OPERATIONS: dict[str, Callable[[Layout], object]] = {
    "add": lambda memory: remember(memory, draft("Added"), now=NOW),
    "supersede": _supersede,
    "add with the milestone log": lambda memory: remember(memory, draft("Added"), now=NOW),
    "epoch roll": lambda memory: remember(memory, draft("Rolled"), now=NOW),
    "node add": lambda memory: add_node(memory, "S", "Mobile 客户端", time=TIME),
    "node activate": lambda memory: activate_node(memory, "M2", time=TIME),
    "node activate without a page": lambda memory: activate_node(memory, "M3", time=TIME),
    "node rename": lambda memory: rename_node(memory, "M2", "Renamed", time=TIME),
    "node rename with the milestone log": lambda memory: rename_node(memory, "M2", "Renamed", time=TIME),
    "tombstone": lambda memory: tombstone_node(memory, "S1", "given up", time=TIME),
}


def prepare(memory: Layout, operation: str) -> None:
    """Let the operation `epoch roll` meet the limit of an epoch, and others have the milestone log they name."""
    settings: dict[str, object] = {"topics_per_epoch": 2} if operation == "epoch roll" else {}
    if operation.endswith("milestone log"):
        settings = {"stream": True}
    content = json.loads(Path(memory.config).read_bytes())
    Path(memory.config).write_text(json.dumps({**content, **settings}), encoding="utf-8")


def copy_of(memory: Layout, place: Path) -> Layout:
    """The memory once more, in a folder that is made anew."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(memory.workspace, place, ignore=shutil.ignore_patterns(".git"))
    return Layout(str(place / "memory"))


def files_of(memory: Layout) -> dict[str, bytes]:
    """Every file of truth; no lock, journal, temporary or derived file."""
    found = {path.relative_to(memory.root).as_posix(): path for path in Path(memory.root).rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in sorted(found.items())
        if not name.startswith(("index/", ".hfa")) and TEMPORARY_PREFIX not in name
    }


def temporary_files(memory: Layout) -> list[Path]:
    """What interrupted writes left anywhere in a memory."""
    return list(Path(memory.root).rglob(TEMPORARY_PREFIX + "*"))


def name_effect(memory: Layout, path: str) -> str:
    """A path as the tables of the docs name it: relative to the memory, `*` a temporary file, `ID` a record's id."""
    name = os.path.relpath(path, memory.root).replace(os.sep, "/")
    folder, slash, last = name.rpartition("/")
    if last.startswith(TEMPORARY_PREFIX):
        name = f"{folder}{slash}*"
    return re.sub(r"chunk_\d+-\w+", "ID", name)
