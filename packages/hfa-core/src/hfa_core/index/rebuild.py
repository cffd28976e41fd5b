"""The index built anew from the files of truth, as if there had been none."""

from __future__ import annotations

from hfa_core.errors import StorageError
from hfa_core.index.database import open_database
from hfa_core.index.lookup import list_damaged
from hfa_core.index.sync import sync
from hfa_core.light.sqlite import DatabaseError, SqliteError
from hfa_core.store.directory import read_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hfa_core.fs.layout import Layout
    from hfa_core.tokens import Counter


def rebuild(
    layout: Layout,
    *,
    find_counter: Callable[[], Counter | None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[int, list[str]]:
    """
    Read every chunk again; the number of sound records, and what is wrong with the others. `find_counter` and
    `on_progress` as in `sync`.

    Raises:
        MemoryDamagedError: L0 cannot be used. The index is as it was.
        StorageError: The index cannot be written. It is empty or as it was, and is filled by the next sync.
    """
    directory = read_directory(layout)
    with open_database(layout) as database:
        try:
            database.begin()
            database.empty()
            database.commit()
        except SqliteError as error:
            database.roll_back()
            if type(error) is not DatabaseError or not database.replace_damaged():
                raise StorageError(layout.database, str(error)) from error
        sync(database, directory, find_counter=find_counter, on_progress=on_progress)
        count = database.get_meta("count")
        return count if isinstance(count, int) else 0, list_damaged(database)
