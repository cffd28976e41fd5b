"""Verification of records beside one another: links, forks, numbers, request ids, nodes, and what is no record."""

from __future__ import annotations

import os

from hfa_core.errors import StorageError
from hfa_core.fs.atomic import TEMPORARY_PREFIX
from hfa_core.index.problem import INFO, WARNING, Problem
from hfa_core.store.chunks import id_of_file, parse_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hfa_core.fs.layout import Layout
    from hfa_core.model import Chunk
    from hfa_core.store.directory import Directory

    Chunks = dict[str, Chunk]

_GIT_FILES = (".gitkeep", ".gitignore", ".gitattributes")
_DROPPINGS = (".DS_Store", "Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r")
"""What the file managers of macOS and Windows leave in a folder, beside `._NAME` for a file's other half."""
_SWAP_ENDINGS = ("~", ".swp", ".swo", ".swx", ".un~")
_SWAP_STARTS = ("._", ".#", "#", ".~lock.")
"""What Emacs, Vim, LibreOffice and their like leave beside a file that is open."""


_IGNORE = "add its name to your global git ignore file"


def check_records(layout: Layout, chunks: Chunks, directory: Directory | None) -> Iterator[Problem]:
    """Everything that is wrong or remarkable between sound records; without L0 their nodes are not judged."""
    yield from _check_requests(layout, chunks)
    yield from _check_links(layout, chunks)
    yield from _check_forks(layout, chunks)
    yield from _check_numbers(layout, chunks)
    if directory is not None:
        yield from _check_nodes(layout, chunks, directory)


def find_foreign(layout: Layout) -> Iterator[Problem]:
    """
    What stands in the folder of records and is none: an error, because it may be a record that a rename took out of
    use; what a file manager or an editor left by itself is a warning. A temporary file is left out: its writer may be
    at work.

    Raises:
        StorageError: The folder cannot be read.
    """
    try:
        names = sorted(os.listdir(layout.chunks))
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(layout.chunks, error.strerror or str(error)) from error
    for name in names:
        path = os.path.join(layout.chunks, name)
        if id_of_file(name) or name in _GIT_FILES or name.startswith(TEMPORARY_PREFIX):
            continue
        if name in _DROPPINGS or name.startswith(_SWAP_STARTS) or name.endswith(_SWAP_ENDINGS):
            text, fix = "was left by a file manager or an editor, and is not read", f"keep it out of git: {_IGNORE}"
            yield Problem("dropping", path, text, fix, severity=WARNING)
        else:
            text = "is not named as a record is, and is not read"
            fix = "move it out of chunks/; if it is a record, restore its name, which is the `id` in it"
            yield Problem("foreign_file", path, text, fix)


def _check_requests(layout: Layout, chunks: Chunks) -> Iterator[Problem]:
    first_of: dict[str, str] = {}
    for chunk in chunks.values():
        first = first_of.setdefault(chunk.request_id, chunk.id)
        if chunk.request_id and first != chunk.id:
            text = f"has the request id of {first}, which counts; a merge may have brought both"
            fix = "nothing breaks; if both say the same, store one record that supersedes both"
            yield Problem("request_id_twice", layout.chunk(chunk.id), text, fix, severity=WARNING)


def _check_links(layout: Layout, chunks: Chunks) -> Iterator[Problem]:
    for chunk in chunks.values():
        path = layout.chunk(chunk.id)
        for old in chunk.supersedes:
            if old in chunks:
                if chunk.id in _ancestors(chunks, old):
                    fix = "store one record that says what holds, and supersedes both"
                    yield Problem("link_cycle", path, f"{old} and it supersede each other", fix)
            elif not (parse_id(old) and os.path.exists(layout.chunk(old))):
                shown = os.path.relpath(layout.chunk(old), layout.workspace)
                fix = f"bring {shown} back: `git log --all -- {shown}` shows the commits that have it"
                yield Problem("link_broken", path, f"supersedes {old}, which is missing", fix)


def _ancestors(chunks: Chunks, newest: str) -> set[str]:
    """A record and all that it supersedes, directly or through others."""
    pending, seen = [newest], set[str]()
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            pending += chunks[current].supersedes if current in chunks else ()
    return seen


def _check_forks(layout: Layout, chunks: Chunks) -> Iterator[Problem]:
    successors: dict[str, list[str]] = {}
    for chunk in chunks.values():
        for old in chunk.supersedes:
            successors.setdefault(old, []).append(chunk.id)
    for old, first in successors.items():
        heads = _heads(successors, old) if len(first) > 1 else []
        if len(heads) > 1:
            text = f"is disputed: superseded by {', '.join(first)}, and {' and '.join(heads)} both stand"
            fix = "store one record that says what holds: hfa add-topic " + " ".join(f"--supersedes {h}" for h in heads)
            yield Problem("disputed", layout.chunk(old), text, fix, severity=WARNING)


def _heads(successors: dict[str, list[str]], start: str) -> list[str]:
    pending, seen, heads = [start], {start}, list[str]()
    while pending:
        following = successors.get(current := pending.pop(), [])
        heads += [] if following else [current]
        pending += [new for new in following if new not in seen]
        seen.update(following)
    return sorted(heads)


def _check_numbers(layout: Layout, chunks: Chunks) -> Iterator[Problem]:
    first_of: dict[int, str] = {}
    for chunk_id in chunks:
        number = (parse_id(chunk_id) or (0, ""))[0]
        first = first_of.setdefault(number, chunk_id)
        if first != chunk_id:
            text = f"has the number of {first}; a merge brought both, and both stand"
            yield Problem("number_shared", layout.chunk(chunk_id), text, severity=INFO)


def _check_nodes(layout: Layout, chunks: Chunks, directory: Directory) -> Iterator[Problem]:
    for chunk in chunks.values():
        if directory.find(chunk.node) is None:
            text = f"its node {chunk.node or '(none)'} is not in directory.md, so it is never recalled"
            fix = f"add a row for {chunk.node or 'it'} to directory.md, or supersede it by a record of another node"
            yield Problem("node_unknown", layout.chunk(chunk.id), text, fix, severity=WARNING)
