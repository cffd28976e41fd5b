"""The SQLite index file: its schema, and how it is opened where it is missing, old, damaged or read-only."""

from __future__ import annotations

import os

from hfa_core.errors import StorageError
from hfa_core.fs.atomic import make_folder, move_over, remove_if_there
from hfa_core.fs.links import leaves
from hfa_core.light.sqlite import Connection, DatabaseError, OperationalError, SqliteError, connect
from hfa_core.tokens import ESTIMATED_LINE_END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.index.totals import Totals

SCHEMA_VERSION = 12
"""Raised with every change to the tables, the analyzer or the snippet: an index of another version is built anew."""

WRITE_TIMEOUT_S = 5.0
READ_TIMEOUT_S = 0.4

# Pre-analysed terms are separated by blanks and keep these characters; everything beyond ASCII belongs to a term.
_TOKENIZER = """tokenize = "ascii tokenchars '._-/\\:+#@'''" """

_SCHEMA = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE chunks(
    doc INTEGER PRIMARY KEY, id TEXT UNIQUE, number INTEGER, epoch INTEGER, node TEXT, kind TEXT, title TEXT,
    created_at TEXT, request_id TEXT, content_key TEXT, conclusion_key TEXT, digest TEXT, tokens INTEGER, exact INTEGER,
    line_end INTEGER DEFAULT {ESTIMATED_LINE_END},
    problem TEXT, size INTEGER, mtime_ns INTEGER, inode INTEGER, title_terms TEXT, word_terms TEXT, body_terms TEXT,
    exact_terms TEXT, length INTEGER, branch TEXT NOT NULL DEFAULT '', committed INTEGER);
CREATE INDEX chunks_by_request ON chunks(request_id);
CREATE INDEX chunks_by_conclusion ON chunks(conclusion_key);
CREATE INDEX chunks_by_epoch ON chunks(epoch);
CREATE INDEX chunks_by_number ON chunks(number);
CREATE INDEX chunks_uncounted ON chunks(doc) WHERE exact = 0 AND problem = '';
CREATE INDEX chunks_by_branch ON chunks(branch) WHERE branch != '';
CREATE INDEX chunks_by_commit ON chunks(committed, branch) WHERE branch != '';
CREATE TABLE epochs(epoch INTEGER PRIMARY KEY, records INTEGER, page_behind INTEGER);
CREATE TABLE router_lines(line TEXT PRIMARY KEY, tokens INTEGER, line_end INTEGER) WITHOUT ROWID;
CREATE TABLE supersedes(old TEXT, new TEXT, PRIMARY KEY(old, new)) WITHOUT ROWID;
CREATE TABLE paths(path TEXT, id TEXT, PRIMARY KEY(path, id)) WITHOUT ROWID;
CREATE INDEX paths_by_record ON paths(id);
CREATE INDEX supersedes_by_new ON supersedes(new);
CREATE TABLE hit_words(gram TEXT, owner TEXT, word TEXT, PRIMARY KEY(gram, owner)) WITHOUT ROWID;
CREATE INDEX hit_words_by_owner ON hit_words(owner);
CREATE VIRTUAL TABLE chunks_fts USING fts5(
    title_terms, word_terms, body_terms, exact_terms, content = 'chunks', content_rowid = 'doc', {_TOKENIZER});
CREATE VIRTUAL TABLE chunks_vocabulary USING fts5vocab(chunks_fts, row);
CREATE TABLE terms(term TEXT PRIMARY KEY, records INTEGER) WITHOUT ROWID;
CREATE TRIGGER chunks_added AFTER INSERT ON chunks BEGIN
    INSERT INTO chunks_fts(rowid, title_terms, word_terms, body_terms, exact_terms)
    VALUES (new.doc, new.title_terms, new.word_terms, new.body_terms, new.exact_terms);
END;
CREATE TRIGGER chunks_removed AFTER DELETE ON chunks BEGIN
    INSERT INTO chunks_fts(chunks_fts, rowid, title_terms, word_terms, body_terms, exact_terms)
    VALUES ('delete', old.doc, old.title_terms, old.word_terms, old.body_terms, old.exact_terms);
END;
CREATE TRIGGER chunks_changed AFTER UPDATE OF title_terms, word_terms, body_terms, exact_terms ON chunks BEGIN
    INSERT INTO chunks_fts(chunks_fts, rowid, title_terms, word_terms, body_terms, exact_terms)
    VALUES ('delete', old.doc, old.title_terms, old.word_terms, old.body_terms, old.exact_terms);
    INSERT INTO chunks_fts(rowid, title_terms, word_terms, body_terms, exact_terms)
    VALUES (new.doc, new.title_terms, new.word_terms, new.body_terms, new.exact_terms);
END;
"""


class Database:
    """
    An open index. `writable` is false where the folder is read-only: then it answers, and never changes. `totals` is
    what
    the open transaction changes in the sums over all records, if it does.

    Use it in a `with` block: WAL wants its connections closed promptly.
    """

    __slots__ = ("connection", "layout", "totals", "writable")

    def __init__(self, connection: Connection, layout: Layout, *, writable: bool) -> None:
        self.totals: Totals | None = None
        self.connection = connection
        self.layout = layout
        self.writable = writable

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def begin(self) -> None:
        """
        Start the one write transaction; immediate, because an upgrade from reading fails without waiting.

        Its commit is not synced: the index is derived, and one that a power cut sets back is stale and knows it.
        """
        self.connection.execute("PRAGMA synchronous = NORMAL")
        self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Make the transaction's changes visible to other readers."""
        if self.totals is not None:
            self.totals.write(self)
            self.totals = None
        self.connection.execute("COMMIT")

    def roll_back(self) -> None:
        """Drop the transaction's changes, if one is open."""
        self.totals = None
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def empty(self) -> None:
        """Drop all that is stored but the highest number ever given out, which the files may no longer tell."""
        highest = self.get_meta("highest")
        # To delete the rows would take each of them out of the full-text index, which costs what writing it did.
        for table in _tables():
            self.connection.execute(f"DROP TABLE {table}")
        _make_tables(self.connection)
        if highest is not None:
            self.set_meta(highest=highest)

    def replace_damaged(self) -> bool:
        """Set the file aside and go on with an empty one; whether that was possible."""
        if not (self.writable and _is_writable(self.layout)):
            return False
        self.connection.close()
        _set_aside(self.layout)
        self.connection = open_database(self.layout).connection
        return True

    def leave_file(self) -> None:
        """Go on with an empty index in memory; the file is as it was."""
        self.connection.close()
        self.connection = open_in_memory(self.layout).connection

    def get_meta(self, key: str) -> object:
        """A stored fact about the index, or None."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def set_meta(self, **facts: object) -> None:
        """Store facts about the index."""
        for key, value in facts.items():
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def open_database(layout: Layout, *, timeout_s: float = WRITE_TIMEOUT_S) -> Database:
    """
    The index of a memory, made or made anew where needed; it may be empty or stale: sync it before reading.

    A damaged file is kept as `fts.sqlite.damaged` and replaced. On a read-only folder the file is opened as it is, or,
    where there is none of this version, an index in memory takes its place; so it does where a link leads out of the
    memory, for what lies there is not ours to read or to write.

    Raises:
        StorageError: SQLite refused for another reason, such as a lock held for `timeout_s`.
    """
    if _is_elsewhere(layout):
        return open_in_memory(layout)
    try:
        return _open_file(layout, timeout_s)
    except OperationalError as error:
        if is_locked(error):
            raise StorageError(layout.database, str(error)) from error
        return _open_read_only(layout, timeout_s)
    except (DatabaseError, _OldSchemaError):
        if not _is_writable(layout):
            return _open_read_only(layout, timeout_s)
        _set_aside(layout)
    except StorageError:
        return _open_read_only(layout, timeout_s)
    try:
        return _open_file(layout, timeout_s)
    except SqliteError as error:
        raise StorageError(layout.database, str(error)) from error


def _is_elsewhere(layout: Layout) -> bool:
    """Whether the index, or a file that SQLite makes beside it, leaves the memory through a link."""
    return any(leaves(layout.root, layout.database + ending) for ending in ("", "-wal", "-shm", "-journal"))


class _OldSchemaError(Exception):
    """The file was made by another version."""


def _open_file(layout: Layout, timeout_s: float) -> Database:
    if not os.path.isdir(layout.index):
        make_folder(layout.index)
    connection = connect(layout.database, timeout=timeout_s, isolation_level=None)
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            _create(connection)
        elif version != SCHEMA_VERSION:
            raise _OldSchemaError
    except BaseException:
        connection.close()
        raise
    writable = os.access(layout.database, os.W_OK) and os.access(layout.index, os.W_OK)
    return Database(connection, layout, writable=writable)


def _create(connection: Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have made the tables while this one waited.
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        _make_tables(connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _tables() -> list[str]:
    """The tables of `_SCHEMA`, the last first: those that look into another come after it there."""
    lines = [line for line in _SCHEMA.splitlines() if line.startswith(("CREATE TABLE ", "CREATE VIRTUAL TABLE "))]
    return [line.partition(" TABLE ")[2].replace("(", " ").split()[0] for line in reversed(lines)]


def _make_tables(connection: Connection) -> None:
    statement = ""
    for line in _SCHEMA.splitlines():
        statement += line + "\n"
        if line.endswith(";") and (not statement.lstrip().startswith("CREATE TRIGGER") or line == "END;"):
            connection.execute(statement)
            statement = ""


MISSING = "missing"
OTHER_VERSION = "of another version"
USABLE = "usable"
DAMAGED = "damaged"


def inspect_file(layout: Layout) -> tuple[str, str]:
    """What the file of the index is, one of the words above, and SQLite's reason if it is damaged; nothing changes."""
    if _is_elsewhere(layout) or not os.path.exists(layout.database):
        return MISSING, ""
    try:
        connection = _connect_read_only(layout, "mode=ro", READ_TIMEOUT_S)
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            # Some damage shows only where every page is looked at; `quick_check` leaves out what an index row costs.
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
    except OperationalError:
        # Locked, or in a folder where SQLite can make no file of its own: opening it for use tells more.
        return USABLE, ""
    except DatabaseError as error:
        return DAMAGED, str(error)
    if verdict != "ok":
        return DAMAGED, str(verdict).replace("\n", "; ")
    return (USABLE, "") if version == SCHEMA_VERSION else (OTHER_VERSION, "")


def open_for_reading(layout: Layout) -> Database:
    """The index as it is, for a look that changes no file; an empty one in memory where it is missing or unusable."""
    return _open_read_only(layout, READ_TIMEOUT_S)


def _connect_read_only(layout: Layout, options: str, timeout_s: float) -> Connection:
    path = layout.database.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return connect(f"file:{path}?{options}", uri=True, timeout=timeout_s, isolation_level=None)


def _open_read_only(layout: Layout, timeout_s: float) -> Database:
    if _is_elsewhere(layout):
        return open_in_memory(layout)
    for options in ("mode=ro", "mode=ro&immutable=1"):
        try:
            connection = _connect_read_only(layout, options, timeout_s)
        except SqliteError:
            continue
        try:
            if connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION:
                connection.execute("SELECT count(*) FROM meta").fetchone()
                return Database(connection, layout, writable=False)
        except SqliteError:
            pass
        connection.close()
    return open_in_memory(layout)


def open_in_memory(layout: Layout) -> Database:
    """An empty index that no file holds, for where the file cannot be used: it is built anew for each use."""
    connection = connect(":memory:", isolation_level=None)
    _create(connection)
    return Database(connection, layout, writable=True)


def is_locked(error: BaseException | None) -> bool:
    """Whether an error of SQLite says that another connection holds the file."""
    return "locked" in str(error) or "busy" in str(error)


def _is_writable(layout: Layout) -> bool:
    folder = layout.index if os.path.isdir(layout.index) else layout.root
    return os.access(folder, os.W_OK) and (not os.path.exists(layout.database) or os.access(layout.database, os.W_OK))


def _set_aside(layout: Layout) -> None:
    for ending in ("-wal", "-shm"):
        remove_if_there(layout.database + ending)
    # Without the file, another process set it aside first.
    move_over(layout.database, layout.database + ".damaged")
