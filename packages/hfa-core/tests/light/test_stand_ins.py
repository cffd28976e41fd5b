"""The stand-ins for `hashlib`, `sqlite3` and `datetime` say what those say."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.light.clock import format_utc
from hfa_core.light.sha256 import sha256_hex
from hfa_core.light.sqlite import DatabaseError, SqliteError, connect


@given(st.binary(max_size=300))
def test_a_digest_is_that_of_hashlib(data: bytes) -> None:
    assert sha256_hex(data) == hashlib.sha256(data).hexdigest()


@given(st.floats(0, 4e9))
def test_a_time_is_utc_to_the_second(seconds: float) -> None:
    expected = datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    assert format_utc(seconds) == expected


def test_sqlite_works_with_fts5_and_raises_its_own_errors() -> None:
    connection = connect(":memory:", isolation_level=None)
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(a)")
    connection.execute("INSERT INTO t VALUES ('令牌 token')")

    assert connection.execute("SELECT count(*) FROM t WHERE t MATCH 'token'").fetchone() == (1,)
    with pytest.raises(SqliteError) as caught:
        connection.execute("SELECT nothing")
    assert isinstance(caught.value, DatabaseError)
    connection.close()


@pytest.mark.parametrize("order", ["first", "last"])
def test_the_sqlite_stand_in_leaves_functools_and_sqlite3_usable(order: str) -> None:
    imports = ["import hfa_core.light.sqlite", "import functools, sqlite3"]
    lines = [
        *(imports if order == "first" else reversed(imports)),
        "assert functools.lru_cache(maxsize=None)(lambda: 1)() == 1",
        "assert functools.partial(max, 1)(2) == 2",
        "assert sqlite3.connect(':memory:').execute('SELECT 1').fetchone() == (1,)",
        "assert issubclass(sqlite3.DatabaseError, hfa_core.light.sqlite.SqliteError)",
    ]

    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)
