"""What is derived for people and other programs: which pages and views are behind, and bringing them up to date."""

from __future__ import annotations

import os

from hfa_core.errors import HfaError
from hfa_core.index.database import Database, open_database, open_for_reading, open_in_memory
from hfa_core.index.freshness import source_digest
from hfa_core.index.json_views import NAMES, find_json_views_behind, write_json_views
from hfa_core.index.lookup import list_ids, list_superseded
from hfa_core.index.rebuild import rebuild
from hfa_core.index.sync import is_behind, sync
from hfa_core.model import Record
from hfa_core.store.chunks import read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.store.views import is_page_behind, render_summaries, write_summaries
from hfa_core.transaction.recover import writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hfa_core.fs.layout import Layout
    from hfa_core.model import Chunk
    from hfa_core.store.directory import Directory
    from hfa_core.tokens import Counter

LOCK_TIMEOUT_S = 10.0


class _Pages(Record):
    """What the pages are made of: sound records in order, what superseded them, and the text of each epoch's page."""

    __slots__ = ("chunks", "digest", "successors", "texts")

    def __init__(self, database: Database, directory: Directory) -> None:
        self.successors = list_superseded(database)
        self.digest = source_digest(database, database.layout)
        self.chunks = _read_all(database.layout, list_ids(database))
        by_epoch: dict[int, list[Chunk]] = {directory.epoch: []}
        for chunk in self.chunks:
            by_epoch.setdefault(chunk.epoch, []).append(chunk)
        self.texts = {epoch: render_summaries(epoch, members, self.successors) for epoch, members in by_epoch.items()}


def refresh_views(
    layout: Layout,
    *,
    with_json: bool = False,
    timeout_s: float = LOCK_TIMEOUT_S,
    find_counter: Callable[[], Counter | None] | None = None,
) -> list[str]:
    """
    Write the pages that are behind, and the JSON views too if asked; the paths that changed. `find_counter` as in
    `sync`.

    Two commands at once do so one after the other. Chunks that cannot be read are left out of a page.

    Raises:
        LockTimeoutError: Another process held the memory for too long; the pages lag.
        MemoryDamagedError: L0 cannot be used.
        StorageError: The system refused a file.
        UnsupportedFormatError: A newer HFA made the memory; its pages stay as they are.
    """
    with writing(layout, timeout_s=timeout_s):
        directory = read_directory(layout)
        with open_database(layout) as database:
            sync(database, directory, find_counter=find_counter)
            pages = _Pages(database, directory)
        changed = [
            layout.summaries(epoch) for epoch, text in pages.texts.items() if write_summaries(layout, epoch, text)
        ]
        if with_json:
            changed += write_json_views(layout, directory, pages.chunks, pages.successors, pages.digest)
    return changed


def rebuild_derived(
    layout: Layout, *, find_counter: Callable[[], Counter | None] | None = None
) -> tuple[int, list[str], list[str]]:
    """
    Build the index anew, then write the pages and views that are behind: the number of sound records, what is wrong
    with the others, and the paths that changed. The pages of a newer HFA are its own and stay. `find_counter` as in
    `sync`.

    Raises:
        MemoryDamagedError, LockTimeoutError, StorageError: As `rebuild` and `refresh_views`; no record is touched.
    """
    count, damaged = rebuild(layout, find_counter=find_counter)
    return count, damaged, [] if read_config(layout).is_newer else refresh_views(layout, with_json=True)


def list_behind(layout: Layout, directory: Directory) -> list[str]:
    """
    The pages that are missing or behind, and the JSON views if any of them was ever made; nothing is changed.

    Raises:
        StorageError: A page or the folder of records cannot be read.
    """
    with open_for_reading(layout) as found:
        if not is_behind(found):
            pages = _Pages(found, directory)
        else:
            with open_in_memory(layout) as database:
                sync(database, directory)
                pages = _Pages(database, directory)
    behind = [layout.summaries(epoch) for epoch, text in pages.texts.items() if is_page_behind(layout, epoch, text)]
    if any(os.path.exists(os.path.join(layout.index, name)) for name in NAMES):
        behind += find_json_views_behind(layout, directory, pages.chunks, pages.successors, pages.digest)
    return behind


def _read_all(layout: Layout, ids: list[str]) -> list[Chunk]:
    chunks: list[Chunk] = []
    for chunk_id in ids:
        try:
            chunks.append(read_chunk(layout, chunk_id))
        except HfaError:
            continue
    return chunks
