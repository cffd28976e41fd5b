"""Verification: every file of truth read and hashed, and the index compared with what they say. It changes nothing."""

from __future__ import annotations

import os

from hfa_core.errors import HfaError, JournalError
from hfa_core.index.conflicts import find_conflicts
from hfa_core.index.database import open_database
from hfa_core.index.freshness import file_mark, is_current
from hfa_core.index.problem import SEVERITIES, Problem
from hfa_core.index.relations import check_records, find_foreign
from hfa_core.index.rows import index_terms
from hfa_core.index.stuffing import check_hit_words
from hfa_core.index.synonyms import Synonyms, read_aliases
from hfa_core.light.sqlite import SqliteError
from hfa_core.store.chunks import id_of_file, list_files, read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.transaction.journal import read_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.index.database import Database
    from hfa_core.model import Chunk
    from hfa_core.store.directory import Directory

JOURNAL_FIX = "keep a copy of the file, then see docs/explanation/transactions.md"


def verify_memory(layout: Layout) -> list[Problem]:
    """
    Everything that is wrong with a memory or worth knowing, the gravest first; empty if there is nothing to say.

    Views and an index that lag are no fault.
    """
    problems: list[Problem] = []
    try:
        problems += find_conflicts(layout)
        directory = _check_settings(layout, problems)
        _check_journal(layout, problems)
        chunks = _read_chunks(layout, problems)
        problems += check_records(layout, chunks, directory)
        problems += check_hit_words(layout, chunks.values(), directory)
        problems += find_foreign(layout)
        if os.path.exists(layout.database):
            with open_database(layout) as database:
                _check_index(database, chunks, problems)
    except HfaError as error:
        problems.append(Problem(_code_of(error), layout.root, str(error)))
    return sorted(problems, key=lambda problem: SEVERITIES.index(problem.severity))


def _check_settings(layout: Layout, problems: list[Problem]) -> Directory | None:
    """Configuration and L0; the latter if it can be used. A file in conflict was named already."""
    conflicts = {problem.path for problem in problems}
    directory: Directory | None = None
    for path in (layout.config, layout.directory):
        try:
            if path == layout.config:
                read_config(layout)
            else:
                found = read_directory(layout)
                found.active_main(path)
                directory = found
        except HfaError as error:
            if path not in conflicts:
                problems.append(Problem(_code_of(error), path, _without_path(error, path)))
    return directory


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


def _code_of(error: HfaError) -> str:
    """`MemoryDamagedError` to `memory_damaged`."""
    name = type(error).__name__.removesuffix("Error")
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


def _without_path(error: HfaError, path: str) -> str:
    return str(error).removeprefix(f"{path}: ")


def _read_chunks(layout: Layout, problems: list[Problem]) -> dict[str, Chunk]:
    chunks: dict[str, Chunk] = {}
    conflicts = {problem.path for problem in problems}
    for entry in sorted(list_files(layout), key=lambda entry: entry.name):
        try:
            chunk = read_chunk(layout, id_of_file(entry.name))
        except HfaError as error:
            if entry.path in conflicts:
                continue
            shown = os.path.relpath(entry.path, layout.workspace)
            fix = f"look at `git diff -- {shown}`; a new text belongs into a record that supersedes this one"
            problems.append(Problem(_code_of(error), entry.path, _without_path(error, entry.path), fix))
            continue
        chunks[chunk.id] = chunk
    return chunks


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
    synonyms = Synonyms(read_aliases(database.layout))
    expected = {id: (chunks[id].digest, *index_terms(chunks[id], synonyms)) for id in claimed if id in chunks}
    if any(claimed[id] != terms for id, terms in expected.items()):
        problems.append(Problem("index_wrong", path, "what it says of a record differs from the chunk file", fix))
