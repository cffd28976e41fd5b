"""Git's conflict markers in the files of truth: which file holds them, and in which line they begin."""

from __future__ import annotations

import os

from hfa_core.fs.reading import read_bytes
from hfa_core.index.problem import Problem
from hfa_core.store.chunks import list_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hfa_core.fs.layout import Layout

_MARKS = (b"<<<<<<< ", b"||||||| ", b">>>>>>> ")
_PROSE_FOLDERS = ("main", "branches", "profile")


def find_conflicts(layout: Layout) -> list[Problem]:
    """A problem for each file of truth that a merge left unresolved; a file that cannot be read has none here."""
    problems: list[Problem] = []
    for path, is_prose in _list_truth(layout):
        line, mark = _find_mark(path, is_prose)
        if line:
            shown = mark.decode("utf-8", "replace")
            text = f"line {line} holds a git conflict marker ({shown:.60}); the merge is not resolved"
            fix = f"edit {os.path.relpath(path, layout.workspace)} so that one side or both stand, then `git add` it"
            problems.append(Problem("conflict_marker", path, text, fix))
    return problems


def _list_truth(layout: Layout) -> Iterator[tuple[str, bool]]:
    """The files of truth, and whether each is a person's prose."""
    yield from ((os.path.join(layout.root, name), False) for name in ("config.json", "directory.md"))
    yield os.path.join(layout.root, "tombstones.jsonl"), False
    yield from ((path, False) for path in sorted(entry.path for entry in list_files(layout)))
    for folder in _PROSE_FOLDERS:
        try:
            names = sorted(os.listdir(os.path.join(layout.root, folder)))
        except OSError:
            continue
        yield from ((os.path.join(layout.root, folder, name), True) for name in names if name.endswith(".md"))


def _find_mark(path: str, is_prose: bool) -> tuple[int, bytes]:
    try:
        lines = read_bytes(path).splitlines()
    except OSError:
        return 0, b""
    found = [(number, line) for number, line in enumerate(lines, 1) if line.startswith(_MARKS)]
    if is_prose and not (any(line.startswith(_MARKS[0]) for _, line in found) and found[-1][1].startswith(_MARKS[2])):
        # A page may show one marker as an example; a conflict has both ends.
        return 0, b""
    return found[0] if found else (0, b"")
