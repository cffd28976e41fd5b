"""Bringing the generated pages up to date after a write command."""

from __future__ import annotations

import sys

from hfa_core.errors import HfaError, LockTimeoutError, StorageError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.freshness import source_digest
from hfa_core.index.json_views import write_json_views
from hfa_core.index.lookup import list_ids, list_superseded
from hfa_core.index.sync import sync
from hfa_core.model import Chunk
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import read_directory
from hfa_core.store.views import render_summaries, write_summaries
from hfa_core.tokens.exact import load_counter
from hfa_core.transaction.recover import writing

LOCK_TIMEOUT_S = 10.0


def refresh_views(layout: Layout, *, with_json: bool = False, timeout_s: float = LOCK_TIMEOUT_S) -> list[str]:
    """
    Write the pages that are behind, and the JSON views too if asked; the paths that changed.

    Two commands at once do so one after the other. Chunks that cannot be read are left out of a page.

    Raises:
        LockTimeoutError: Another process held the memory for too long; the pages lag.
        MemoryDamagedError: L0 cannot be used.
        StorageError: The system refused a file.
    """
    with writing(layout, timeout_s=timeout_s):
        directory = read_directory(layout)
        with open_database(layout) as database:
            sync(database, directory, find_counter=load_counter)
            successors = list_superseded(database)
            digest = source_digest(database, layout)
            chunks = _read_all(layout, list_ids(database))
        by_epoch: dict[int, list[Chunk]] = {directory.epoch: []}
        for chunk in chunks:
            by_epoch.setdefault(chunk.epoch, []).append(chunk)
        changed: list[str] = []
        for epoch, members in by_epoch.items():
            if write_summaries(layout, epoch, render_summaries(epoch, members, successors)):
                changed.append(layout.summaries(epoch))
        if with_json:
            changed += write_json_views(layout, directory, chunks, successors, digest)
    return changed


def _read_all(layout: Layout, ids: list[str]) -> list[Chunk]:
    chunks: list[Chunk] = []
    for chunk_id in ids:
        try:
            chunks.append(read_chunk(layout, chunk_id))
        except HfaError:
            continue
    return chunks


def refresh_after_write(layout: Layout) -> None:
    """Refresh the pages after a record was stored; one that cannot be written lags, which is no fault of the write."""
    try:
        refresh_views(layout)
    except (LockTimeoutError, StorageError) as error:
        print(f"hfa: the record is stored; its page is behind until the next write ({error})", file=sys.stderr)
