"""Epochs roll by themselves: the record, the marker in L0 and both framework pages, everything else byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.index.database import Database
from hfa_core.index.lookup import count_epoch
from hfa_core.index.rebuild import rebuild
from hfa_core.index.verify import verify_memory
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import read_directory


@pytest.fixture
def limit(memory: Layout) -> Layout:
    """The memory with two topics to an epoch."""
    content = json.loads(Path(memory.config).read_bytes())
    Path(memory.config).write_text(json.dumps({**content, "topics_per_epoch": 2}), encoding="utf-8")
    return memory


def state_of(memory: Layout, epoch: int) -> str:
    return Path(memory.framework(epoch)).read_text(encoding="utf-8")


def test_a_full_epoch_is_sealed_by_the_record_that_begins_the_next(limit: Layout, add: Callable[..., str]) -> None:
    ids = [add(f"Record {number}") for number in range(5)]

    assert [read_chunk(limit, chunk_id).epoch for chunk_id in ids] == [1, 1, 2, 2, 3]
    assert read_directory(limit).epoch == 3
    assert [state_of(limit, epoch).split()[-1] for epoch in (1, 2, 3)] == ["SEALED", "SEALED", "ACTIVE"]
    assert verify_memory(limit) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"Active epoch: 1\n", b"Active epoch: 2\n"),
        (b"  Active epoch:   1  \n", b"  Active epoch:   2  \n"),
        (b"", b"Active epoch: 2\n\n"),
    ],
)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_the_marker_moves_and_the_rest_of_l0_stays_byte_for_byte(
    limit: Layout, add: Callable[..., str], before: bytes, after: bytes, end: bytes, start: bytes
) -> None:
    add("First")
    add("Second")
    text = (
        "# Directory\n\nEin Wort vorab, 说明。\n{}"
        "| id | title | path | state | branch | hit words |\n|--|:-:|--|--|--|--|\n"
        "|M1|  a \\| b |main/M1.md|ACTIVE||  JWT,令牌 |\n\nText after it"
    ).encode()
    Path(limit.directory).write_bytes(start + text.replace(b"{}", before).replace(b"\n", end))

    third = add("Third")

    assert read_chunk(limit, third).epoch == 2
    assert Path(limit.directory).read_bytes() == start + text.replace(b"{}", after).replace(b"\n", end)


def test_what_a_person_wrote_on_a_framework_page_stays(limit: Layout, add: Callable[..., str]) -> None:
    Path(limit.framework(1)).write_bytes("# Epoch 1\r\n\r\nState: ACTIVE  \r\n\r\n笔记\r\n".encode())
    Path(limit.framework(2)).parent.mkdir()
    Path(limit.framework(2)).write_text("Planned.\n", encoding="utf-8")

    for number in range(3):
        add(f"Record {number}")

    assert Path(limit.framework(1)).read_bytes() == "# Epoch 1\r\n\r\nState: SEALED  \r\n\r\n笔记\r\n".encode()
    assert state_of(limit, 2) == "# Epoch 2\n\nState: ACTIVE\nPlanned.\n"


def test_an_epoch_that_is_more_than_full_rolls_with_the_next_write(memory: Layout, add: Callable[..., str]) -> None:
    for number in range(4):
        add(f"Record {number}")
    content = json.loads(Path(memory.config).read_bytes())
    Path(memory.config).write_text(json.dumps({**content, "topics_per_epoch": 3}), encoding="utf-8")

    assert read_chunk(memory, add("Fifth")).epoch == 2


def test_the_index_knows_the_records_of_each_epoch_through_every_change(
    limit: Layout, add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    ids = [add(f"Record {number}") for number in range(5)]

    def counts() -> list[int]:
        with resync() as database:
            return [count_epoch(database, epoch) for epoch in range(5)]

    assert counts() == [0, 2, 2, 1, 0]
    Path(limit.chunk(ids[0])).unlink()
    Path(limit.chunk(ids[2])).write_bytes(b"")
    assert counts() == [0, 1, 1, 1, 0]
    rebuild(limit)
    assert counts() == [0, 1, 1, 1, 0]
