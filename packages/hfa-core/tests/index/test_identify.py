"""What an abbreviated id means: one record, or an error that names the candidates."""

from __future__ import annotations

import pytest

from hfa_core.errors import AmbiguousIdError, UnknownRecordError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import Database, open_database
from hfa_core.index.identify import identify

IDS = ("chunk_0041-7f3a9c", "chunk_0042-7f3b00", "chunk_0042-aa0011", "chunk_0043", "chunk_12345-123456")


def put(database: Database, chunk_id: str) -> None:
    """A row of the index, without a file."""
    database.connection.execute(
        "INSERT INTO chunks(id, number, problem, title_terms, word_terms, body_terms) VALUES (?, ?, '', '', '', '')",
        (chunk_id, int(chunk_id[6:].partition("-")[0])),
    )


@pytest.fixture
def filled(memory: Layout) -> Database:
    database = open_database(memory)
    for one in IDS:
        put(database, one)
    return database


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("chunk_0041-7f3a9c", 0),
        ("CHUNK_0041-7F3A9C", 0),
        (" chunk_0041-7f3a9c.json ", 0),
        ("chunk_0041", 0),
        ("chunk_41", 0),
        ("41", 0),
        ("41-7", 0),
        ("7f3a", 0),
        ("7f3a9c", 0),
        ("chunk_0042-7", 1),
        ("7f3b", 1),
        ("aa00", 2),
        ("chunk_0043", 3),
        ("12345", 4),
        ("123456", 4),
    ],
)
def test_an_id_may_be_abbreviated_while_it_names_one_record(filled: Database, asked: str, meant: int) -> None:
    with filled:
        assert identify(filled, asked) == IDS[meant]


@pytest.mark.parametrize(
    ("asked", "candidates"),
    [("chunk_0042", IDS[1:3]), ("42", IDS[1:3]), ("chunk_0042-", IDS[1:3])],
)
def test_an_id_that_fits_several_records_names_them_all(
    filled: Database, asked: str, candidates: tuple[str, ...]
) -> None:
    with filled, pytest.raises(AmbiguousIdError) as caught:
        identify(filled, asked)

    assert caught.value.candidates == candidates


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("chunk_0042-9", IDS[1:3]),
        ("chunk_0099", ()),
        ("7f3", ()),
        ("", ()),
        ("令牌", ()),
        ("٤٢", ()),
        ("chunk_*", ()),
        ("9" * 40, ()),
        ("../../etc/passwd", ()),
    ],
)
def test_an_unknown_id_names_the_records_of_the_same_number(
    filled: Database, asked: str, near: tuple[str, ...]
) -> None:
    with filled, pytest.raises(UnknownRecordError) as caught:
        identify(filled, asked)

    assert caught.value.near == near


def test_a_number_shared_by_a_whole_and_a_bare_id_means_the_bare_one_where_it_is_written_out(filled: Database) -> None:
    with filled:
        put(filled, "chunk_0043-ffffff")
        assert identify(filled, "chunk_0043") == "chunk_0043"


def test_many_candidates_are_shortened(filled: Database) -> None:
    with filled:
        for place in range(20):
            put(filled, f"chunk_0007-{place:06x}")
        with pytest.raises(AmbiguousIdError) as caught:
            identify(filled, "chunk_0007")

    assert len(caught.value.candidates) == 9
    assert caught.value.candidates[-1] == "12 more"
