"""How records follow one another: current, superseded, disputed and settled; chains in order, cycles ended."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from hfa_core.fs.layout import Layout
from hfa_core.index.database import Database
from hfa_core.index.lineage import find_chain, find_heads, read_link


def fork(database: Database, *pairs: tuple[str, str]) -> None:
    """Note that the first supersedes the second, as a merge of two branches would."""
    for new, old in pairs:
        database.connection.execute("INSERT INTO supersedes VALUES (?, ?)", (old, new))


def test_a_record_is_current_until_another_one_supersedes_it(
    add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    old = add("令牌每小时轮换")
    new = add("Tokens rotate daily", supersedes=(old,))

    with resync() as database:
        first, second = read_link(database, old), read_link(database, new)

    assert (first.state, first.successors, first.title) == ("superseded", (new,), "令牌每小时轮换")
    assert (second.state, second.successors) == ("current", ())


def test_two_successors_are_a_dispute_until_one_record_settles_it(
    add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    old, left, right, settling = add("A"), add("B"), add("C"), add("D")

    with resync() as database:
        fork(database, (left, old), (right, old))
        assert (read_link(database, old).state, find_heads(database, old)) == ("disputed", [left, right])
        fork(database, (settling, left), (settling, right))
        assert (read_link(database, old).state, find_heads(database, old)) == ("superseded", [settling])


def test_a_successor_that_supersedes_the_other_one_settles_it_too(
    add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    old, left, right = add("A"), add("B"), add("C")

    with resync() as database:
        fork(database, (left, old), (right, old), (right, left))
        assert read_link(database, old).state == "superseded"


def test_a_chain_holds_every_record_tied_to_this_one_oldest_first(
    add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    first = add("一")
    second = add("二", supersedes=(first,))
    other = add("另一个")
    third = add("三", supersedes=(second, other))
    add("Unrelated")

    with resync() as database:
        for one in (first, second, other, third):
            assert [link.id for link in find_chain(database, one)] == [first, second, other, third]


def test_a_cycle_ends_and_has_no_head(add: Callable[..., str], resync: Callable[[], Database]) -> None:
    left, right = add("A"), add("B")

    with resync() as database:
        fork(database, (left, right), (right, left))
        assert [link.id for link in find_chain(database, left)] == [left, right]
        assert find_heads(database, left) == []
        assert read_link(database, left).state == "superseded"


def test_damaged_and_missing_records_keep_their_place(
    memory: Layout, add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    first = add("A")
    second = add("B", supersedes=(first,))
    third = add("C", supersedes=(second,))
    os.unlink(memory.chunk(first))
    Path(memory.chunk(second)).write_text(Path(memory.chunk(second)).read_text("utf-8").replace("B", "X"), "utf-8")

    with resync() as database:
        states = [(link.id, link.state) for link in find_chain(database, third)]

    assert states == [(first, "missing"), (second, "damaged"), (third, "current")]
