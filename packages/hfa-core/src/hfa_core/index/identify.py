"""What a person means by a whole or abbreviated id, damaged records included, as git reads short hashes."""

from __future__ import annotations

from hfa_core.errors import AmbiguousIdError, UnknownRecordError
from hfa_core.store.chunks import PREFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.index.database import Database

SHORTEST_SUFFIX = 4
"""A suffix without its number needs this many digits, as git's short hashes do."""
_SHOWN = 8
_HEX = frozenset("0123456789abcdef")
_MAXIMUM_DIGITS = 15


def identify(database: Database, asked: str) -> str:
    """
    The id of the one record that `asked` names: `chunk_0042-7f3a9c`, `chunk_0042-7f`, `chunk_0042`, `42` or `7f3a`.

    Raises:
        UnknownRecordError: None does; the records of the same number are named.
        AmbiguousIdError: Several do; they are named.
    """
    text = asked.strip().lower().removesuffix(".json")
    if database.connection.execute("SELECT 1 FROM chunks WHERE id = ?", (text,)).fetchone():
        return text
    number, suffix = _split(text)
    numbered = _with_number(database, number) if number is not None else []
    found = [one for one in numbered if _suffix_of(one).startswith(suffix)]
    if not text.startswith(PREFIX) and len(text) >= SHORTEST_SUFFIX and _HEX.issuperset(text):
        found += [one for one in _with_suffix(database, text) if one not in found]
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousIdError(asked, _shorten(found))
    raise UnknownRecordError(asked, _shorten(numbered))


def _split(text: str) -> tuple[int | None, str]:
    """Number and beginning of the suffix in an abbreviated id; no number where there is none."""
    digits, _, suffix = text.removeprefix(PREFIX).partition("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAXIMUM_DIGITS):
        return None, ""
    return int(digits), suffix


def _suffix_of(chunk_id: str) -> str:
    return chunk_id.partition("-")[2]


def _with_number(database: Database, number: int) -> list[str]:
    rows = database.connection.execute("SELECT id FROM chunks WHERE number = ? ORDER BY id", (number,)).fetchall()
    return [row[0] for row in rows]


def _with_suffix(database: Database, text: str) -> list[str]:
    # Only hex digits come here, so nothing in `text` is a wildcard.
    rows = database.connection.execute(
        "SELECT id FROM chunks WHERE id GLOB ? ORDER BY number, id", (f"{PREFIX}*-{text}*",)
    ).fetchall()
    return [row[0] for row in rows]


def _shorten(ids: list[str]) -> tuple[str, ...]:
    more = len(ids) - _SHOWN
    return (*ids[:_SHOWN], *([f"{more} more"] if more > 0 else []))
