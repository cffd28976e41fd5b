"""Bringing the generated pages up to date after a write command."""

from __future__ import annotations

from hfa_core.errors import HfaError
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
    """Write the pages that are behind; the paths that changed. Chunks that cannot be read are left out of a page."""
    with writing(layout):
        return _refresh(layout)


def _refresh(layout: Layout) -> list[str]:
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
    changed: list[str] = []
    for epoch, chunks in by_epoch.items():
        if write_summaries(layout, epoch, render_summaries(epoch, chunks, successors)):
            changed.append(layout.summaries(epoch))
    return changed
