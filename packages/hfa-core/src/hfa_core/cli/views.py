"""Bringing the generated pages up to date after a write command."""

from __future__ import annotations

from hfa_core.errors import HfaError, LockTimeoutError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.lookup import list_ids, list_superseded
from hfa_core.index.sync import sync
from hfa_core.model import Chunk
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import read_directory
from hfa_core.store.views import render_summaries, write_summaries
from hfa_core.transaction.recover import writing


def refresh_views(layout: Layout) -> list[str]:
    """
    Write the pages that are behind; the paths that changed. Chunks that cannot be read are left out of a page.

    While other writers hold the lock for long, the pages lag: the next command writes them.
    """
    pages = _render_pages(layout)
    # Under the lock, so that no other writer takes the temporary files of this one for a dead one's.
    try:
        with writing(layout):
            return [layout.summaries(epoch) for epoch, text in pages.items() if write_summaries(layout, epoch, text)]
    except LockTimeoutError:
        return []


def _render_pages(layout: Layout) -> dict[int, str]:
    directory = read_directory(layout)
    by_epoch: dict[int, list[Chunk]] = {directory.epoch: []}
    with open_database(layout) as database:
        sync(database, directory)
        successors = list_superseded(database)
        for chunk_id in list_ids(database):
            try:
                chunk = read_chunk(layout, chunk_id)
            except HfaError:
                continue
            by_epoch.setdefault(chunk.epoch, []).append(chunk)
    return {epoch: render_summaries(epoch, chunks, successors) for epoch, chunks in by_epoch.items()}
