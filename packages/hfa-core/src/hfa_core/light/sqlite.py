"""SQLite without the `sqlite3` package, whose date adapters no hook needs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection, DatabaseError, OperationalError, connect
    from sqlite3 import Error as SqliteError
else:
    try:
        from _sqlite3 import Connection, DatabaseError, OperationalError, connect
        from _sqlite3 import Error as SqliteError
    except ImportError:
        from sqlite3 import Connection, DatabaseError, OperationalError, connect
        from sqlite3 import Error as SqliteError

__all__ = ["Connection", "DatabaseError", "OperationalError", "SqliteError", "connect"]
