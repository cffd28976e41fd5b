"""What is derived for people and other programs: which pages and views are behind, and bringing them up to date."""

from __future__ import annotations

import os

from hfa_core.errors import HfaError
from hfa_core.fs.atomic import write_atomic
from hfa_core.index.commits import refresh_commits
from hfa_core.index.database import Database, open_database, open_for_reading, open_in_memory
from hfa_core.index.freshness import source_digest
from hfa_core.index.json_views import NAMES, find_json_views_behind, write_json_views
from hfa_core.index.lookup import list_epoch, list_ids, list_pages_behind, list_superseded
from hfa_core.index.rebuild import rebuild
from hfa_core.index.sync import is_behind, sync
from hfa_core.light.sqlite import SqliteError
from hfa_core.model import Record
from hfa_core.settings import current_environment
from hfa_core.store.chunks import read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.store.epochs import restate
from hfa_core.store.views import is_page_behind, render_summaries, write_summaries
from hfa_core.transaction.recover import writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hfa_core.fs.layout import Layout
    from hfa_core.model import Chunk
    from hfa_core.store.directory import Directory
    from hfa_core.tokens import Counter

LOCK_TIMEOUT_S = 10.0


class _Everything(Record):
    """What all pages and views are made of: sound records in order, what superseded them, and each epoch's page."""

    __slots__ = ("chunks", "digest", "pages", "successors")

    def __init__(self, database: Database, directory: Directory) -> None:
        self.successors = list_superseded(database)
        self.digest = source_digest(database, database.layout)
        self.chunks = _read_all(database.layout, list_ids(database))
        by_epoch: dict[int, list[Chunk]] = {directory.epoch: []}
        for chunk in self.chunks:
            by_epoch.setdefault(chunk.epoch, []).append(chunk)
        self.pages = {epoch: render_summaries(epoch, members, self.successors) for epoch, members in by_epoch.items()}


def refresh_views(
    layout: Layout,
    *,
    timeout_s: float = LOCK_TIMEOUT_S,
    find_counter: Callable[[], Counter | None] | None = None,
) -> list[str]:
    """
    Write the pages of the epochs that changed since they were last written; the paths that changed. `find_counter` as
    in `sync`.

    What it reads does not grow with the memory, but with these epochs. Two commands at once do so one after the other.
    Chunks that cannot be read are left out of a page.

    Raises:
        LockTimeoutError: Another process held the memory for too long; the pages lag.
        MemoryDamagedError: L0 cannot be used.
        StorageError: The system refused a file.
        UnsupportedFormatError: A newer HFA made the memory; its pages stay as they are.
    """
    with writing(layout, timeout_s=timeout_s):
        directory = read_directory(layout)
        with open_database(layout) as database:
            sync(database, directory, thorough=False, writing=True, find_counter=find_counter)
            epochs = {*list_pages_behind(database), directory.epoch}
            pages = {epoch: _render_page(database, epoch) for epoch in sorted(epochs)}
            changed = _write_pages(layout, pages, directory)
            _note_written(database, epochs)
    return changed


def refresh_all_views(
    layout: Layout,
    *,
    timeout_s: float = LOCK_TIMEOUT_S,
    find_counter: Callable[[], Counter | None] | None = None,
) -> list[str]:
    """As `refresh_views`, for every epoch and for the JSON views, however old what they show is."""
    with writing(layout, timeout_s=timeout_s):
        directory = read_directory(layout)
        with open_database(layout) as database:
            sync(database, directory, find_counter=find_counter)
            refresh_commits(database, current_environment().variables)
            everything = _Everything(database, directory)
            changed = _write_pages(layout, everything.pages, directory)
            _note_written(database, everything.pages)
        changed += write_json_views(layout, directory, everything.chunks, everything.successors, everything.digest)
    return changed


def _render_page(database: Database, epoch: int) -> str:
    chunks = _read_all(database.layout, list_epoch(database, epoch))
    return render_summaries(epoch, chunks, list_superseded(database, epoch))


def _write_pages(layout: Layout, pages: dict[int, str], directory: Directory) -> list[str]:
    changed = [layout.summaries(epoch) for epoch, text in pages.items() if write_summaries(layout, epoch, text)]
    for path, data in filter(None, [restate(layout, epoch, directory.epoch) for epoch in pages]):
        write_atomic(path, data, within=layout.root)
        changed.append(path)
    return changed


def _note_written(database: Database, epochs: Iterable[int]) -> None:
    if not database.writable:
        return
    try:
        database.begin()
        for epoch in epochs:
            database.connection.execute("UPDATE epochs SET page_behind = 0 WHERE epoch = ?", (epoch,))
        database.commit()
    except SqliteError:
        # They are written once more next time.
        database.roll_back()


def rebuild_derived(
    layout: Layout,
    *,
    find_counter: Callable[[], Counter | None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[int, list[str], list[str]]:
    """
    Build the index anew, then write the pages and views that are behind: the number of sound records, what is wrong
    with the others, and the paths that changed. The pages of a newer HFA are its own and stay. `find_counter` and
    `on_progress` as in `sync`.

    Raises:
        MemoryDamagedError, LockTimeoutError, StorageError: As `rebuild` and `refresh_views`; no record is touched.
    """
    count, damaged = rebuild(layout, find_counter=find_counter, on_progress=on_progress)
    if read_config(layout).is_newer:
        return count, damaged, []
    return count, damaged, refresh_all_views(layout, find_counter=find_counter)


def list_behind(layout: Layout, directory: Directory) -> list[str]:
    """
    The pages that are missing or behind, and the JSON views if any of them was ever made; nothing is changed.

    Raises:
        StorageError: A page or the folder of records cannot be read.
    """
    with open_for_reading(layout) as found:
        if not is_behind(found):
            everything = _Everything(found, directory)
        else:
            with open_in_memory(layout) as database:
                sync(database, directory)
                everything = _Everything(database, directory)
    behind = [
        layout.summaries(epoch) for epoch, text in everything.pages.items() if is_page_behind(layout, epoch, text)
    ]
    if any(os.path.exists(os.path.join(layout.index, name)) for name in NAMES):
        behind += find_json_views_behind(layout, directory, everything.chunks, everything.successors, everything.digest)
    return behind


def _read_all(layout: Layout, ids: list[str]) -> list[Chunk]:
    chunks: list[Chunk] = []
    for chunk_id in ids:
        try:
            chunks.append(read_chunk(layout, chunk_id))
        except HfaError:
            continue
    return chunks
