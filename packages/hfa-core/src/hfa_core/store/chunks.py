"""Reading chunks: their ids, their files, and the one an abbreviated id means."""

from __future__ import annotations

import os

from hfa_core.errors import MemoryDamagedError, StorageError
from hfa_core.fs.links import ensure_within
from hfa_core.fs.reading import read_bytes
from hfa_core.store.schema import parse_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.model import Chunk

PREFIX = "chunk_"
LARGEST_CHUNK = 1 << 20
"""Bytes. choice: a record within its limits has at most a twentieth of that."""
_HEX = "0123456789abcdef"
_DIGITS = range(4, 16)
"""How many digits a number may have: more would not fit into SQLite's integers."""


def parse_id(chunk_id: str) -> tuple[int, str] | None:
    """Number and suffix of an id, such as `(42, "7f3a9c")`; the suffix of a bare id is empty; None for other text."""
    if not chunk_id.startswith(PREFIX):
        return None
    digits, dash, suffix = chunk_id[len(PREFIX) :].partition("-")
    if len(digits) not in _DIGITS or not (digits.isascii() and digits.isdigit()):
        return None
    if dash and (not suffix or any(character not in _HEX for character in suffix)):
        return None
    return int(digits), suffix


def id_of_file(name: str) -> str:
    """The id in a file name of the chunk folder; empty if the file is not a chunk."""
    stem, dot, ending = name.rpartition(".")
    return stem if dot and ending == "json" and parse_id(stem) else ""


def read_chunk(layout: Layout, chunk_id: str) -> Chunk:
    """
    One chunk from its file.

    Raises:
        MemoryDamagedError: The file is not a sound chunk, or names another id than its file.
        StorageError: It cannot be read.
    """
    path = layout.chunk(chunk_id)
    try:
        data = read_bytes(path, limit=LARGEST_CHUNK, follow=False)
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error
    chunk = parse_chunk(data, path)
    if chunk.id != chunk_id:
        raise MemoryDamagedError(path, f"says it is {chunk.id!r}; a chunk's file must carry its id")
    return chunk


def list_files(layout: Layout) -> list[os.DirEntry[str]]:
    """
    The chunk files of a memory, in no order; a missing folder has none.

    Raises:
        StorageError: The folder cannot be read, or leaves the memory through a link.
    """
    ensure_within(layout.root, layout.chunks)
    try:
        with os.scandir(layout.chunks) as entries:
            return [entry for entry in entries if id_of_file(entry.name)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(layout.chunks, error.strerror or str(error)) from error
