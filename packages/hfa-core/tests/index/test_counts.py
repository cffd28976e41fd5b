"""Exact counts in the index: who counts, when, and what stays an estimate."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.index.counts import count_exactly
from hfa_core.index.database import Database, open_database
from hfa_core.index.lookup import count_exact, find_entry, find_line_tokens
from hfa_core.index.rebuild import rebuild
from hfa_core.index.sync import sync
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import read_directory
from hfa_core.store.nodes import rename_node
from hfa_core.store.snippet import render_router_line, render_snippet, snippet_tokens
from hfa_core.tokens import ESTIMATED_LINE_END


class Tokenizer:
    """A stand-in that says a text has a token a character, and a line end two, and how often it was asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def find(self) -> Callable[[str], int]:
        self.asked += 1
        return lambda text: len(text) + text.count("\n")


@pytest.fixture
def tokenizer() -> Tokenizer:
    return Tokenizer()


def stored(database: Database, chunk_id: str) -> tuple[int, int, bool]:
    entry = find_entry(database, chunk_id)
    assert entry is not None
    return entry.tokens, entry.line_end, entry.exact


def counted(memory: Layout, chunk_id: str) -> tuple[int, int, bool]:
    snippet = render_snippet(read_chunk(memory, chunk_id))
    return len(snippet) + snippet.count("\n"), 2, True


def estimated(memory: Layout, chunk_id: str) -> tuple[int, int, bool]:
    return snippet_tokens(read_chunk(memory, chunk_id)), ESTIMATED_LINE_END, False


def test_a_record_is_estimated_until_a_command_counts_it(
    memory: Layout, add: Callable[..., str], index: Database, tokenizer: Tokenizer
) -> None:
    ids = [add("令牌轮换 daily"), add("Use SQLite with WAL")]
    directory = read_directory(memory)
    sync(index, directory)
    assert [stored(index, one) for one in ids] == [estimated(memory, one) for one in ids]
    assert count_exact(index) == 0

    sync(index, directory, find_counter=tokenizer.find)

    assert [stored(index, one) for one in ids] == [counted(memory, one) for one in ids]
    assert count_exact(index) == 2
    third = add("Later, 由钩子写入")
    sync(index, directory)
    assert (stored(index, third), stored(index, ids[0])) == (estimated(memory, third), counted(memory, ids[0]))
    sync(index, directory, find_counter=tokenizer.find)
    assert stored(index, third) == counted(memory, third)


def test_the_tokenizer_is_asked_for_only_if_there_is_something_to_count(
    memory: Layout, add: Callable[..., str], index: Database, tokenizer: Tokenizer
) -> None:
    add("令牌轮换")
    directory = read_directory(memory)
    for _ in range(3):
        sync(index, directory, find_counter=tokenizer.find)

    assert tokenizer.asked == 1


def test_counting_leaves_the_order_and_the_terms_of_the_rows_alone(
    memory: Layout, add: Callable[..., str], index: Database, tokenizer: Tokenizer
) -> None:
    for title in ("令牌轮换", "Rotate tokens", "Retry"):
        add(title)
    directory = read_directory(memory)
    sync(index, directory)
    query = "SELECT doc, id, digest, title_terms, word_terms, body_terms FROM chunks ORDER BY doc"
    before = index.connection.execute(query).fetchall()

    sync(index, directory, find_counter=tokenizer.find)

    assert index.connection.execute(query).fetchall() == before
    index.connection.execute("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('integrity-check', 1)")


def test_without_a_tokenizer_estimates_stay(memory: Layout, add: Callable[..., str], index: Database) -> None:
    chunk_id = add("令牌轮换")
    sync(index, read_directory(memory), find_counter=lambda: None)

    assert stored(index, chunk_id) == estimated(memory, chunk_id)
    assert count_exact(index) == 0


def test_a_file_that_was_replaced_is_estimated_anew(
    memory: Layout, add: Callable[..., str], index: Database, tokenizer: Tokenizer
) -> None:
    first, second = add("令牌轮换"), add("Another, and a longer one")
    directory = read_directory(memory)
    sync(index, directory, find_counter=tokenizer.find)
    text = Path(memory.chunk(first)).read_bytes()
    shutil.copy(memory.chunk(first), memory.root)
    os.unlink(memory.chunk(first))
    sync(index, directory)
    Path(memory.chunk(first)).write_bytes(text)

    sync(index, directory)

    assert stored(index, first) == estimated(memory, first)
    assert stored(index, second) == counted(memory, second)


def test_a_file_that_is_not_the_indexed_one_is_not_counted_for_it(
    memory: Layout, add: Callable[..., str], index: Database, tokenizer: Tokenizer
) -> None:
    chunk_id, gone = add("令牌轮换"), add("Retry")
    sync(index, read_directory(memory))
    index.connection.execute("UPDATE chunks SET digest = 'another' WHERE id = ?", (chunk_id,))
    os.unlink(memory.chunk(gone))

    count_exactly(index, read_directory(memory), tokenizer.find)

    assert count_exact(index) == 0


def test_an_index_that_another_process_holds_keeps_its_estimates_and_can_be_read(
    memory: Layout, add: Callable[..., str], tokenizer: Tokenizer
) -> None:
    chunk_id = add("令牌轮换")
    with open_database(memory, timeout_s=0.01) as mine, open_database(memory) as other:
        sync(mine, read_directory(memory))
        other.begin()
        count_exactly(mine, read_directory(memory), tokenizer.find)
        assert stored(mine, chunk_id) == estimated(memory, chunk_id)
        other.roll_back()
        count_exactly(mine, read_directory(memory), tokenizer.find)
        assert stored(mine, chunk_id) == counted(memory, chunk_id)


def test_a_rebuild_counts_too(memory: Layout, add: Callable[..., str], tokenizer: Tokenizer) -> None:
    chunk_id = add("令牌轮换")
    rebuild(memory, find_counter=tokenizer.find)
    with open_database(memory) as database:
        assert stored(database, chunk_id) == counted(memory, chunk_id)

    rebuild(memory)

    with open_database(memory) as database:
        assert stored(database, chunk_id) == estimated(memory, chunk_id)
        assert database.connection.execute("SELECT * FROM router_lines").fetchall() == []


def test_the_lines_of_l0_are_counted_as_they_stand(memory: Layout, index: Database, tokenizer: Tokenizer) -> None:
    old = render_router_line(read_directory(memory).nodes[0])
    sync(index, read_directory(memory), find_counter=tokenizer.find)
    assert find_line_tokens(index, old) == (len(old), 2)

    rename_node(memory, "M1", "支付服务", time="2026-01-01T00:00:00Z")
    new = render_router_line(read_directory(memory).nodes[0])
    sync(index, read_directory(memory))
    assert find_line_tokens(index, new) is None

    sync(index, read_directory(memory), find_counter=tokenizer.find)
    assert (find_line_tokens(index, new), find_line_tokens(index, old)) == ((len(new), 2), None)
