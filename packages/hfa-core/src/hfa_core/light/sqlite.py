"""SQLite without what a hook does not need: the `sqlite3` package's date adapters, and `functools`.

The C module imports `functools` only to cache prepared statements, and that import costs a hook more than SQLite does
(measured: 0.4 of an interpreter start). While it loads, a stand-in takes the place of `lru_cache` and caches nothing:
a hook runs each statement a few times at most.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection, DatabaseError, OperationalError, connect
    from sqlite3 import Error as SqliteError
else:

    class _Functools:
        """What the C module takes from `functools`."""

        @staticmethod
        def lru_cache(_maxsize):
            """A decorator that caches nothing."""
            return lambda function: function

    _stands_in = "functools" not in sys.modules
    if _stands_in:
        sys.modules["functools"] = _Functools
    try:
        from _sqlite3 import Connection, DatabaseError, OperationalError, connect
        from _sqlite3 import Error as SqliteError

        # The first connection shows whether this interpreter's SQLite is content with the stand-in.
        connect(":memory:").close()
    except (ImportError, AttributeError, TypeError):
        if _stands_in:
            del sys.modules["functools"]
        for _name in ("_sqlite3", "sqlite3", "sqlite3.dbapi2"):
            sys.modules.pop(_name, None)
        from sqlite3 import Connection, DatabaseError, OperationalError, connect
        from sqlite3 import Error as SqliteError
    finally:
        if sys.modules.get("functools") is _Functools:
            del sys.modules["functools"]

__all__ = ["Connection", "DatabaseError", "OperationalError", "SqliteError", "connect"]
