"""Pages of records: newest first, filtered, counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.index.database import Database
from hfa_core.index.listing import list_page


@pytest.fixture
def ids(memory: Layout, add: Callable[..., str]) -> list[str]:
    old = add("令牌轮换", kind="fact")
    ids = [old, add("Tokens rotate", supersedes=(old,)), add("坑", kind="pitfall"), add("Broken")]
    Path(memory.chunk(ids[3])).write_bytes(b"")
    return ids


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, [2, 1]),
        ({"state": "superseded"}, [0]),
        ({"state": "damaged"}, [3]),
        ({"state": "all"}, [3, 2, 1, 0]),
        ({"kind": "pitfall"}, [2]),
        ({"node": "M1", "state": "all"}, [2, 1, 0]),
        ({"node": "S9"}, []),
        ({"kind": "fact", "state": "all"}, [0]),
        ({"state": "damaged", "kind": "fact"}, []),
    ],
    ids=repr,
)
def test_records_are_listed_newest_first_by_node_kind_and_state(
    ids: list[str], resync: Callable[[], Database], filters: dict[str, str], found: list[int]
) -> None:
    with resync() as database:
        page = list_page(database, **filters)  # type: ignore[arg-type]  # the filters are all texts

    assert [link.id for link in page.records] == [ids[place] for place in found]
    assert (page.total, page.pages) == (len(found), 1 if found else 0)


def test_the_pages_together_hold_every_record_once(add: Callable[..., str], resync: Callable[[], Database]) -> None:
    made = [add(f"Record {number}") for number in range(7)]

    with resync() as database:
        pages = [list_page(database, limit=3, page=number) for number in range(1, 5)]

    assert [link.id for page in pages for link in page.records] == made[::-1]
    assert [len(page.records) for page in pages] == [3, 3, 1, 0]
    assert {(page.total, page.pages) for page in pages} == {(7, 3)}
