"""Verification: every file of truth read and hashed, and the index compared with what they say. It changes nothing."""

from __future__ import annotations

import os

from hfa_core.errors import HfaError, JournalError
from hfa_core.fs.links import LEAVES, leaves
from hfa_core.index.conflicts import find_conflicts
from hfa_core.index.database import DAMAGED, USABLE, inspect_file, open_database
from hfa_core.index.freshness import file_mark, is_current
from hfa_core.index.problem import SEVERITIES, WARNING, Problem
from hfa_core.index.relations import check_records, find_foreign
from hfa_core.index.rows import IndexTerms
from hfa_core.index.stuffing import check_hit_words
from hfa_core.index.synonyms import Synonyms, read_aliases
from hfa_core.light.sqlite import SqliteError
from hfa_core.store.chunks import id_of_file, list_files, read_chunk
from hfa_core.store.config import describe_newer, read_config
from hfa_core.store.directory import read_directory
from hfa_core.transaction.journal import read_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hfa_core.fs.layout import Layout
    from hfa_core.index.database import Database
    from hfa_core.model import Chunk
    from hfa_core.store.directory import Directory

INDEX_FIX = "hfa reindex"
JOURNAL_FIX = "keep a copy of the file, then see docs/explanation/transactions.md"


def verify_memory(layout: Layout) -> list[Problem]:
    """
    Everything that is wrong with a memory or worth knowing, the gravest first; empty if there is nothing to say.

    Views and an index that lag are no fault.
    """
    problems: list[Problem] = []
    try:
        problems += _find_links(layout)
        problems += find_conflicts(layout)
        directory = _check_settings(layout, problems)
        _check_journal(layout, problems)
        chunks = _read_chunks(layout, problems)
        problems += check_records(layout, chunks, directory)
        problems += check_hit_words(layout, chunks.values(), directory)
        problems += find_foreign(layout)
        state, reason = inspect_file(layout)
        if state == DAMAGED:
            problems.append(Problem("index_damaged", layout.database, reason, INDEX_FIX))
        elif state == USABLE:
            with open_database(layout) as database:
                _check_index(database, chunks, problems)
    except HfaError as error:
        fix = "make the file readable for you, then run `hfa verify` again"
        problems.append(Problem(_code_of(error), layout.root, str(error), fix))
    return sorted(problems, key=lambda problem: SEVERITIES.index(problem.severity))


def _find_links(layout: Layout) -> Iterator[Problem]:
    """The links that lead out of the memory: nothing is read or written there, so what they stand for is missing."""
    for folder, folders, names in os.walk(layout.root):
        for path in (os.path.join(folder, name) for name in sorted([*folders, *names])):
            if os.path.islink(path) and leaves(layout.root, path):
                shown = os.path.relpath(path, layout.workspace)
                yield Problem("link_leaves", path, LEAVES, f"see who made it: `git log -- {shown}`")


def _check_settings(layout: Layout, problems: list[Problem]) -> Directory | None:
    """Configuration and L0; the latter if it can be used. A file in conflict was named already."""
    conflicts = {problem.path for problem in problems}
    directory: Directory | None = None
    for path in (layout.config, layout.directory):
        try:
            if path == layout.config:
                config = read_config(layout)
                if config.is_newer:
                    text, fix = describe_newer(config), "install the HFA that made it, or a newer one"
                    problems.append(Problem("format_newer", path, text, fix, severity=WARNING))
            else:
                found = read_directory(layout)
                _check_active(found, path, problems)
                # An empty table knows no node at all; that is said once and not for every record.
                directory = found if found.nodes else None
        except HfaError as error:
            if path not in conflicts:
                shown = os.path.relpath(path, layout.workspace)
                fix = f"mend it by hand; `git diff -- {shown}` shows what changed"
                problems.append(Problem(_code_of(error), path, _without_path(error, path), fix))
    return directory


def _check_active(directory: Directory, path: str, problems: list[Problem]) -> None:
    """Exactly one main line must be ACTIVE; which one it should be, a person says where several may."""
    try:
        directory.active_main(path)
    except HfaError as error:
        choices = [node.id for node in directory.main_lines()]
        fix = f"hfa node activate {choices[0]}" if choices else f"add a row for a main line, such as M1, to {path}"
        if len(choices) > 1:
            fix += f", or one of {', '.join(choices[1:])}"
        problems.append(Problem("main_line_unclear", path, _without_path(error, path), fix))


def _check_journal(layout: Layout, problems: list[Problem]) -> None:
    path = layout.journal
    try:
        journal = read_journal(layout)
    except JournalError as error:
        problems.append(Problem("journal_damaged", path, _without_path(error, path), JOURNAL_FIX))
        return
    if journal is not None:
        text = f"an operation ({journal.operation}) was not finished"
        problems.append(Problem("journal_open", path, text, "hfa status finishes it"))


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
    path, fix = database.layout.database, INDEX_FIX
    try:
        if database.writable:
            database.connection.execute("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('integrity-check', 1)")
        rows = database.connection.execute(
            "SELECT id, digest, title_terms, word_terms, body_terms, exact_terms, length, size, mtime_ns, inode"
            " FROM chunks"
        ).fetchall()
        miscounted = database.connection.execute(
            "SELECT term, records FROM terms EXCEPT SELECT term, doc FROM chunks_vocabulary LIMIT 1"
        ).fetchone()
    except SqliteError as error:
        problems.append(Problem("index_damaged", path, str(error), fix))
        return
    if not is_current(database):
        return
    if miscounted:
        problems.append(Problem("index_wrong", path, "it miscounts the records that hold a term", fix))
        return
    files = {id_of_file(entry.name): file_mark(os.lstat(entry.path)) for entry in list_files(database.layout)}
    if {row[0] for row in rows} != files.keys():
        problems.append(Problem("index_wrong", path, "its records are not those of the chunk files", fix))
        return
    # A file edited in place has another mark than its row: the row lags, and the next sync reads the file.
    claimed = {row[0]: row[1:7] for row in rows if row[7:] == files[row[0]]}
    synonyms = Synonyms(read_aliases(database.layout))
    expected = {id: (chunks[id].digest, *IndexTerms(chunks[id], synonyms).columns) for id in claimed if id in chunks}
    if any(claimed[id] != terms for id, terms in expected.items()):
        problems.append(Problem("index_wrong", path, "what it says of a record differs from the chunk file", fix))
