"""Verification: every file of truth read and hashed, and the index compared with what they say. It changes nothing."""

from __future__ import annotations

import os

from hfa_core.errors import HfaError, JournalError
from hfa_core.index.database import open_database
from hfa_core.index.freshness import file_mark, is_current
from hfa_core.index.rows import index_terms
from hfa_core.light.sqlite import SqliteError
from hfa_core.model import Record
from hfa_core.store.chunks import id_of_file, list_files, read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.transaction.journal import read_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.index.database import Database
    from hfa_core.model import Chunk

JOURNAL_FIX = "keep a copy of the file, then see docs/explanation/transactions.md"


class Problem(Record):
    """One fault: a stable code, the file, what is wrong in a sentence, and the step that mends it (may be empty)."""

    __slots__ = ("code", "fix", "path", "text")

    def __init__(self, code: str, path: str, text: str, fix: str = "") -> None:
        self.code = code
        self.path = path
        self.text = text
        self.fix = fix


def verify_memory(layout: Layout) -> list[Problem]:
    """Everything that is wrong with a memory, files of truth first; empty if it is sound."""
    problems: list[Problem] = []
    for path, read in ((layout.config, read_config), (layout.directory, _read_l0)):
        try:
            read(layout)
        except HfaError as error:
            problems.append(Problem(_code_of(error), path, _without_path(error, path)))
    _check_journal(layout, problems)
    try:
        chunks = _read_chunks(layout, problems)
        _check_links(layout, chunks, problems)
        if os.path.exists(layout.database):
            with open_database(layout) as database:
                _check_index(database, chunks, problems)
    except HfaError as error:
        problems.append(Problem(_code_of(error), layout.root, str(error)))
    return problems


def _check_journal(layout: Layout, problems: list[Problem]) -> None:
    path = layout.journal
    try:
        journal = read_journal(layout)
    except JournalError as error:
        problems.append(Problem("journal_damaged", path, _without_path(error, path), JOURNAL_FIX))
        return
    if journal is not None:
        problems.append(
            Problem("journal_open", path, f"an operation ({journal.operation}) was not finished", "hfa status")
        )


def _read_l0(layout: Layout) -> None:
    read_directory(layout).active_main(layout.directory)


def _code_of(error: HfaError) -> str:
    """`MemoryDamagedError` to `memory_damaged`."""
    name = type(error).__name__.removesuffix("Error")
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


def _without_path(error: HfaError, path: str) -> str:
    return str(error).removeprefix(f"{path}: ")


def _read_chunks(layout: Layout, problems: list[Problem]) -> dict[str, Chunk]:
    chunks: dict[str, Chunk] = {}
    for entry in sorted(list_files(layout), key=lambda entry: entry.name):
        try:
            chunk = read_chunk(layout, id_of_file(entry.name))
        except HfaError as error:
            fix = f"git checkout -- {os.path.relpath(entry.path, layout.workspace)}"
            problems.append(Problem(_code_of(error), entry.path, _without_path(error, entry.path), fix))
            continue
        chunks[chunk.id] = chunk
    return chunks


def _check_links(layout: Layout, chunks: dict[str, Chunk], problems: list[Problem]) -> None:
    requests: dict[str, str] = {}
    for chunk in chunks.values():
        first = requests.setdefault(chunk.request_id, chunk.id)
        if chunk.request_id and first != chunk.id:
            text = f"has the request id of {first}, which counts; a merge may have brought both"
            problems.append(Problem("request_id_twice", layout.chunk(chunk.id), text))
        for old in chunk.supersedes:
            if old not in chunks:
                problems.append(Problem("link_broken", layout.chunk(chunk.id), f"supersedes {old}, which is missing"))
            elif _supersedes(chunks, old, chunk.id):
                problems.append(Problem("link_cycle", layout.chunk(chunk.id), f"{old} and it supersede each other"))


def _supersedes(chunks: dict[str, Chunk], newer: str, older: str) -> bool:
    pending, seen = [newer], set[str]()
    while pending:
        current = pending.pop()
        if current == older:
            return True
        if current not in seen and current in chunks:
            seen.add(current)
            pending.extend(chunks[current].supersedes)
    return False


def _check_index(database: Database, chunks: dict[str, Chunk], problems: list[Problem]) -> None:
    """An index that lags is no fault, it is synced before any read; one that says it is current must tell the truth."""
    path = database.layout.database
    fix = "hfa reindex"
    try:
        if database.writable:
            database.connection.execute("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('integrity-check', 1)")
        rows = database.connection.execute(
            "SELECT id, digest, title_terms, word_terms, body_terms, size, mtime_ns, inode FROM chunks"
        ).fetchall()
    except SqliteError as error:
        problems.append(Problem("index_damaged", path, str(error), fix))
        return
    if not is_current(database):
        return
    files = {id_of_file(entry.name): file_mark(os.stat(entry.path)) for entry in list_files(database.layout)}
    if {row[0] for row in rows} != files.keys():
        problems.append(Problem("index_wrong", path, "its records are not those of the chunk files", fix))
        return
    # A file edited in place has another mark than its row: the row lags, and the next sync reads the file.
    claimed = {row[0]: row[1:5] for row in rows if row[5:] == files[row[0]]}
    if any(terms != (chunks[id].digest, *index_terms(chunks[id])) for id, terms in claimed.items() if id in chunks):
        problems.append(Problem("index_wrong", path, "what it says of a record differs from the chunk file", fix))
