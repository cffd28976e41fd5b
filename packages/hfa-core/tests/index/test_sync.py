"""The index in step with the files: what a look finds, what it costs, and what a damaged record still says."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hfa_core.fs.layout import Layout
from hfa_core.index import freshness as module
from hfa_core.index.analyzer import analyze_query, document_terms
from hfa_core.index.database import Database, open_database
from hfa_core.index.freshness import is_current, source_digest
from hfa_core.index.lookup import find_successors, list_damaged, list_ids, list_superseded, resolve_id
from hfa_core.index.rebuild import rebuild
from hfa_core.index.rows import put_chunk, put_damaged, remove_chunk
from hfa_core.index.search import search
from hfa_core.index.sync import SyncReport, sync
from hfa_core.index.synonyms import Synonyms
from hfa_core.model import Chunk, Draft, Source
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import Directory, read_directory
from hfa_core.store.schema import check_draft, make_chunk, render_chunk

TITLES = ["令牌轮换 every hour", "Use SQLite with WAL", "乱码由 GBK 引起", "Retry failed uploads"]


def settle(memory: Layout) -> None:
    """Make every file as old as the files of a checkout are, beyond the racy rule."""
    for path in [*Path(memory.chunks).iterdir(), Path(memory.chunks)]:
        os.utime(path, ns=(10**18, 10**18))


def resynced(database: Database, memory: Layout, *, thorough: bool = True) -> SyncReport:
    return sync(database, read_directory(memory), thorough=thorough)


def found(database: Database, prompt: str) -> set[str]:
    return {candidate.id for candidate in search(database, analyze_query(prompt)).candidates}


def dump(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """Everything the index says, without the row numbers and the marks of the files."""
    columns = (
        "id, number, node, kind, title, created_at, request_id, content_key, conclusion_key, digest, tokens, exact,"
        " problem, title_terms, word_terms, body_terms"
    )
    meta = (source_digest(database, database.layout), database.get_meta("count") or 0, database.get_meta("highest"))
    queries = {
        "chunks": f"SELECT {columns} FROM chunks ORDER BY id",
        "supersedes": "SELECT * FROM supersedes ORDER BY 1, 2",
        "hit_words": "SELECT * FROM hit_words ORDER BY 1, 2",
        "terms": "SELECT * FROM terms ORDER BY 1",
        "vocabulary": "SELECT * FROM chunks_vocabulary ORDER BY 1",
    }
    rows = {name: database.connection.execute(query).fetchall() for name, query in queries.items()}
    return {**rows, "meta": [meta]}


def test_added_changed_damaged_and_deleted_files_are_found(
    memory: Layout, add: Callable[..., str], index: Database
) -> None:
    ids = [add(title) for title in TITLES]
    settle(memory)
    resynced(index, memory)
    assert list_ids(index) == ids
    shutil.copy(memory.chunk(ids[0]), memory.root)

    os.unlink(memory.chunk(ids[0]))
    Path(memory.chunk(ids[1])).write_bytes(b"")
    text = Path(memory.chunk(ids[2])).read_text(encoding="utf-8")
    Path(memory.chunk(ids[2])).write_text(text.replace("GBK", "UTF"), encoding="utf-8")
    report = resynced(index, memory)

    assert (report.changed, report.removed, report.complete) == (2, 1, True)
    assert list_ids(index) == [ids[3]]
    assert [problem.split(": ")[0] for problem in list_damaged(index)] == [memory.chunk(ids[1]), memory.chunk(ids[2])]
    assert found(index, "令牌轮换 SQLite GBK 乱码 retry uploads") == {ids[3]}

    shutil.copy(Path(memory.root, f"{ids[0]}.json"), memory.chunks)
    resynced(index, memory)
    assert list_ids(index) == [ids[0], ids[3]]
    assert found(index, "令牌轮换") == {ids[0]}


def test_a_second_run_does_nothing(memory: Layout, add: Callable[..., str], index: Database) -> None:
    add(TITLES[0])
    Path(memory.chunk("chunk_0009-abcdef")).write_bytes(b"damaged")
    settle(memory)
    resynced(index, memory)
    changes = index.connection.total_changes

    assert resynced(index, memory) == SyncReport(0, 0)
    assert is_current(index)
    assert index.connection.total_changes == changes


def test_our_own_write_is_no_reason_to_look_again(
    memory: Layout, add: Callable[..., str], index: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RACY_NS", 0)  # as if the clock tick of the writes were over
    add(TITLES[0])
    add(TITLES[1])
    changes = index.connection.total_changes

    assert is_current(index)
    assert resynced(index, memory) == SyncReport(0, 0)
    assert index.connection.total_changes == changes


def test_an_edit_in_the_same_tick_and_of_the_same_size_is_found(
    memory: Layout, add: Callable[..., str], index: Database
) -> None:
    """The racy rule: a file looked at in the very tick of its last change may change again without a trace."""
    path = Path(memory.chunk(add(TITLES[1])))
    sound = path.read_bytes()
    settle(memory)
    resynced(index, memory)
    now = time.time_ns() + 10**12
    path.write_bytes(sound.replace(b"WAL", b"WAX"))
    os.utime(path, ns=(now, now))
    resynced(index, memory)
    assert len(list_damaged(index)) == 1

    path.write_bytes(sound)
    os.utime(path, ns=(now, now))
    resynced(index, memory)

    assert list_damaged(index) == []


def test_a_large_memory_is_swept_only_when_its_folder_or_directory_moved(
    memory: Layout, add: Callable[..., str], index: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SMALL_MEMORY", 1)
    ids = [add(title) for title in TITLES]
    settle(memory)
    resynced(index, memory)
    path = Path(memory.chunk(ids[0]))
    path.write_bytes(path.read_bytes()[:-9])
    os.utime(memory.chunks, ns=(10**18, 10**18))

    assert resynced(index, memory, thorough=False) == SyncReport(0, 0)
    assert resynced(index, memory).changed == 1
    os.unlink(memory.chunk(ids[1]))
    assert resynced(index, memory, thorough=False).removed == 1
    Path(memory.directory).write_bytes(Path(memory.directory).read_bytes() + b"\n")
    assert not is_current(index)


def test_a_look_cut_short_keeps_what_it_read_and_says_so(
    memory: Layout, add: Callable[..., str], index: Database
) -> None:
    ids = [add(title) for title in TITLES]
    for name in os.listdir(memory.index):
        os.unlink(os.path.join(memory.index, name))
    with open_database(memory) as database:
        assert not sync(database, read_directory(memory), limit_s=-1).complete
        assert not is_current(database)
        assert sync(database, read_directory(memory)).complete
        assert list_ids(database) == ids


@pytest.mark.parametrize("spoil", ["truncated", "conflict", "edited", "empty"])
@pytest.mark.parametrize("known", [True, False], ids=["the index knew it", "a new index"])
def test_a_damaged_successor_keeps_its_predecessor_dead(
    memory: Layout, add: Callable[..., str], resync: Callable[[], Database], spoil: str, known: bool
) -> None:
    old = add("令牌每小时轮换")
    path = Path(memory.chunk(add("令牌每天轮换", supersedes=(old,))))
    text = path.read_text(encoding="utf-8")
    path.write_text(
        {
            "truncated": text[: text.index('"created_at"')],
            "conflict": text.replace('  "kind"', '<<<<<<< HEAD\n  "kind": "fact",\n=======\n  "kind"'),
            "edited": text.replace("每天", "每月"),
            "empty": "",
        }[spoil],
        encoding="utf-8",
    )
    if not known:
        os.unlink(memory.database)

    with resync() as database:
        assert len(list_damaged(database)) == 1
        dead = find_successors(database, old) == (path.stem,)

    # An empty file says nothing, and a new index knows nothing: only then is the link lost.
    assert dead is (known or spoil != "empty")


def test_ids_are_resolved_by_number_suffix_or_whole(memory: Layout, add: Callable[..., str], index: Database) -> None:
    chunk_id = add(TITLES[0])

    assert resolve_id(index, chunk_id) == resolve_id(index, "chunk_0001") == resolve_id(index, chunk_id[:12])
    assert resolve_id(index, "chunk_0001") == (chunk_id,)
    assert resolve_id(index, "chunk_0001-0000000") == resolve_id(index, "令牌") == ()


def test_the_source_digest_changes_with_l0_or_a_record_and_with_nothing_else(
    memory: Layout, add: Callable[..., str], index: Database
) -> None:
    empty = source_digest(index, memory)
    chunk_id = add(TITLES[0])
    one = source_digest(index, memory)
    table = Path(memory.directory).read_bytes()

    Path(memory.directory).write_bytes(table.replace(b"\n", b"\r\n"))
    Path(memory.config).write_bytes(Path(memory.config).read_bytes() + b"\n")
    Path(memory.chunk(chunk_id)).touch()
    resynced(index, memory)
    assert source_digest(index, memory) == one

    Path(memory.directory).write_bytes(table.replace(b"Project", "项目".encode()))
    assert source_digest(index, memory) != one
    Path(memory.directory).write_bytes(table)
    os.unlink(memory.chunk(chunk_id))
    resynced(index, memory)
    assert source_digest(index, memory) == empty != one


def test_the_source_digest_of_a_new_index_is_that_of_the_old_one(
    memory: Layout, add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    digests: list[str] = []
    for title in ("", *TITLES):
        if title:
            add(title)
        for again in (False, True):
            if again:
                os.unlink(memory.database)
            with resync() as database:
                digests.append(source_digest(database, memory))

    assert digests[0::2] == digests[1::2]
    assert len(set(digests)) == len(TITLES) + 1


def test_rebuilding_gives_what_syncing_gave_each_time(
    memory: Layout, add: Callable[..., str], resync: Callable[[], Database]
) -> None:
    first = add(TITLES[0], tags=("auth",))
    add(TITLES[1], supersedes=(first,))
    Path(memory.chunk("chunk_0003-abcdef")).write_bytes(b"damaged")

    dumps: list[dict[str, list[tuple[object, ...]]]] = []
    for step in range(3):
        if step:
            count, damaged = rebuild(memory)
            assert (count, len(damaged)) == (2, 1)
        with resync() as database:
            dumps.append(dump(database))
            assert list_superseded(database) == {first: list_ids(database)[1]}

    assert dumps[0] == dumps[1] == dumps[2]


def test_the_hit_words_of_nodes_follow_l0(memory: Layout, add: Callable[..., str], index: Database) -> None:
    add(TITLES[0], hit_words=("轮换",))
    table = Path(memory.directory).read_text(encoding="utf-8")

    Path(memory.directory).write_text(table.replace("ACTIVE |  |  |", "ACTIVE |  | 登录, login |"), encoding="utf-8")
    resynced(index, memory)
    assert search(index, analyze_query("the 登录 page, login")).node_grams.keys() == {"M1"}

    Path(memory.directory).write_text(table, encoding="utf-8")
    resynced(index, memory)
    assert not search(index, analyze_query("the 登录 page, 轮换")).node_grams
    assert index.connection.execute("SELECT gram FROM hit_words").fetchall() == [("轮换",)]


WORDS = ["令牌", "轮换", "token", "tokens", "GBK乱码", "src/a.py", "rotate", "C++"]
steps = st.lists(
    st.tuples(
        st.sampled_from(["put", "damage", "remove"]), st.integers(1, 4), st.lists(st.sampled_from(WORDS), max_size=4)
    ),
    max_size=12,
)


def record(number: int, words: list[str]) -> Chunk:
    draft = Draft(
        title=f"题 {' '.join(words)}", hit_words=["词", *words], conclusion=["c", *words[:2]], source=Source("cli")
    )
    return make_chunk(check_draft(draft), number=number, epoch=1, created_at="2026-01-01T00:00:00Z", with_suffix=False)


@given(steps)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_any_sequence_of_changes_leaves_a_sound_text_index_and_true_counts(
    index: Database, changes: list[tuple[str, int, list[str]]]
) -> None:
    stat = os.stat(index.layout.root)
    model: dict[str, Chunk] = {}
    index.begin()
    for row in index.connection.execute("SELECT id FROM chunks").fetchall():
        remove_chunk(index, row[0])
    for action, number, words in changes:
        chunk = record(number, words)
        if action == "put":
            put_chunk(index, chunk, stat, Synonyms())
            model[chunk.id] = chunk
        else:
            model.pop(chunk.id, None)
            if action == "damage":
                put_damaged(index, chunk.id, stat, "damaged", ())
            else:
                remove_chunk(index, chunk.id)
    index.connection.execute("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('integrity-check', 1)")
    counted: dict[str, int] = {}
    for chunk in model.values():
        texts = [chunk.title, *chunk.hit_words, *chunk.conclusion]
        terms = [document_terms(text) for text in texts]
        plain = {term for one in terms for term in (*one.content, *one.exact)}
        for term in plain.union(Synonyms().concepts(texts)):
            counted[term] = counted.get(term, 0) + 1
    index.commit()
    frequencies = dict(index.connection.execute("SELECT term, doc FROM chunks_vocabulary").fetchall())
    written = dict(index.connection.execute("SELECT term, records FROM terms").fetchall())
    stored = (index.get_meta("count") or 0, list_ids(index))

    assert written == frequencies == counted
    assert stored == (len(model), sorted(model))


@given(steps)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15, deadline=None)
def test_a_synced_index_equals_a_rebuilt_one(memory: Layout, changes: list[tuple[str, int, list[str]]]) -> None:
    directory = Directory(())
    for entry in os.scandir(memory.chunks):
        os.unlink(entry.path)
    with open_database(memory) as database:
        sync(database, directory)
        for action, number, words in changes:
            chunk = record(number, words)
            path = Path(memory.chunk(chunk.id))
            if action == "remove":
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(render_chunk(chunk)[: None if action == "put" else 50])
            sync(database, directory)
        synced = dump(database)
    rebuild(memory)
    with open_database(memory) as database:
        assert dump(database) == synced


def test_a_chunk_file_that_is_a_folder_or_a_broken_link_stops_nothing(
    memory: Layout, add: Callable[..., str], index: Database
) -> None:
    os.mkdir(memory.chunk("chunk_0007-abcdef"))
    os.symlink("nowhere", memory.chunk("chunk_0008-abcdef"))

    chunk_id = add(TITLES[0])

    assert list_ids(index) == [chunk_id]
    assert len(list_damaged(index)) == 2
    assert read_chunk(memory, chunk_id).title == TITLES[0]


def test_a_sync_tells_how_far_it_has_come(
    memory: Layout, add: Callable[..., str], index: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for title in TITLES:
        add(title)
    monkeypatch.setattr("hfa_core.index.sync.PROGRESS_STEP", 2)
    told: list[tuple[int, int]] = []

    sync(index, read_directory(memory), on_progress=lambda done, total: told.append((done, total)))
    rebuild(memory, on_progress=lambda done, total: told.append((done, total)))

    assert told == [(2, 4), (4, 4)]
