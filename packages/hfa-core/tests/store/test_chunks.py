"""Ids, and the files that carry them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.errors import MemoryDamagedError, StorageError
from hfa_core.fs.layout import Layout
from hfa_core.store.chunks import id_of_file, list_files, parse_id, read_chunk


@given(st.integers(0, 10**12), st.text("0123456789abcdef", max_size=8))
def test_an_id_gives_back_its_number_and_suffix(number: int, suffix: str) -> None:
    text = f"chunk_{number:04d}" + (f"-{suffix}" if suffix else "")

    assert parse_id(text) == (number, suffix)
    assert id_of_file(text + ".json") == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "chunk_",
        "chunk_12",
        "chunk_001",
        "chunk_0001-",
        "chunk_0001-xyz",
        "chunk_0001-7F3A9C",
        "Chunk_0001",
        "chunk_０００１",
        "chunk_²²²²",
        "chunk_0001.json",
        "chunk_" + "9" * 20,
        "chunk_" + "9" * 5000,
        "../chunk_0001",
        "chunk_0001-7f/../x",
    ],
)
def test_other_text_is_no_id(text: str) -> None:
    assert parse_id(text) is None
    assert id_of_file(text + ".json") == ""


@given(st.text())
def test_no_text_makes_the_parser_raise(text: str) -> None:
    parse_id(text)
    parse_id("chunk_" + text)


def test_only_chunk_files_are_listed(memory: Layout, add: Callable[..., str]) -> None:
    chunk = add("令牌")
    for name in ("notes.txt", ".hfa-tmp-1-2", "chunk_0002-abc.json~", "chunk_x.json", "chunk_" + "9" * 40 + ".json"):
        Path(memory.chunks, name).write_text("{}", encoding="utf-8")

    assert [entry.name for entry in list_files(memory)] == [f"{chunk}.json"]


def test_a_missing_chunk_folder_holds_no_chunks_and_a_file_in_its_place_is_an_error(memory: Layout) -> None:
    os.rmdir(memory.chunks)
    assert list_files(memory) == []

    Path(memory.chunks).write_text("", encoding="utf-8")
    with pytest.raises(StorageError):
        list_files(memory)


def test_a_chunk_under_another_name_or_gone_is_an_error(memory: Layout, add: Callable[..., str]) -> None:
    chunk = add("Tokens rotate")
    os.rename(memory.chunk(chunk), memory.chunk("chunk_0009-abcdef"))

    with pytest.raises(MemoryDamagedError, match=f"says it is '{chunk}'"):
        read_chunk(memory, "chunk_0009-abcdef")
    with pytest.raises(StorageError):
        read_chunk(memory, chunk)
