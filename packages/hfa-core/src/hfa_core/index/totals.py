"""What the index keeps of all its records as sums, so that a write costs the same however many there are."""

from __future__ import annotations

from hfa_core.light.sha256 import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hfa_core.index.database import Database

_MASK = (1 << 256) - 1


class Totals:
    """
    What one transaction changes: how many records hold each term and each epoch, their digests, number and lengths,
    and the highest number ever given out. It is written once, with the commit.
    """

    __slots__ = ("_digests", "_epochs", "_highest", "_lengths", "_terms")

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._epochs: dict[int, int] = {}
        self._digests = 0
        self._lengths = 0
        self._highest = 0

    def count(self, chunk_id: str, *, sign: int, digest: str, epoch: int, length: int, terms: Iterable[str]) -> None:
        """Count a sound record in (`sign` 1) or out (-1)."""
        self._digests += sign * int(sha256_hex(f"{chunk_id} {digest}".encode()), 16)
        self._lengths += sign * length
        self._epochs[epoch] = self._epochs.get(epoch, 0) + sign
        changes = self._terms
        for term in terms:
            changes[term] = changes.get(term, 0) + sign

    def raise_highest(self, number: int) -> None:
        """Note a number as given out."""
        self._highest = max(self._highest, number)

    def write(self, database: Database) -> None:
        """Add the changes to the stored sums."""
        if self._highest:
            database.set_meta(highest=max(self._highest, _number(database, "highest")))
        if self._epochs:
            stored = database.get_meta("sum")
            digests = int(stored, 16) if isinstance(stored, str) else 0
            database.set_meta(
                sum=f"{(digests + self._digests) & _MASK:064x}",
                count=_number(database, "count") + sum(self._epochs.values()),
                length=_number(database, "length") + self._lengths,
            )
            self._write_epochs(database)
            self._write_terms(database)

    def _write_epochs(self, database: Database) -> None:
        """The page of an epoch whose records changed is behind, be there as many as before."""
        database.connection.executemany(
            "INSERT INTO epochs VALUES (?, ?, 1)"
            " ON CONFLICT(epoch) DO UPDATE SET records = records + excluded.records, page_behind = 1",
            list(self._epochs.items()),
        )

    def _write_terms(self, database: Database) -> None:
        # The index has these counts too, but only in its posting lists, which it would read whole for each term.
        changes = [(term, change) for term, change in self._terms.items() if change]
        # In the order of the table: ten thousand records change a hundred thousand rows.
        changes.sort()
        database.connection.executemany(
            "INSERT INTO terms VALUES (?, ?) ON CONFLICT(term) DO UPDATE SET records = records + excluded.records",
            changes,
        )
        gone = [(term,) for term, change in changes if change < 0]
        database.connection.executemany("DELETE FROM terms WHERE term = ? AND records <= 0", gone)


def _number(database: Database, key: str) -> int:
    stored = database.get_meta(key)
    return stored if isinstance(stored, int) else 0
