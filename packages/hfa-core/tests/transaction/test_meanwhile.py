"""What others do while we write: an editor saves L0, threads write and read, a checkout turns line ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import EditedMeanwhileError, InvalidRecordError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.lookup import list_damaged, list_ids
from hfa_core.index.sync import sync
from hfa_core.index.verify import verify_memory
from hfa_core.recall.recall import Request, recall
from hfa_core.store.chunks import list_files, parse_id, read_chunk
from hfa_core.store.config import Config, read_config, render_config
from hfa_core.store.directory import read_directory
from hfa_core.store.nodes import add_node
from hfa_core.transaction.opening import ensure_recovered
from tests.operations import NOW, OPERATIONS, copy_of, draft, files_of, prepare, temporary_files

THREADS, WRITES = 16, 20
EDITED = sorted(set(OPERATIONS) - {"add", "add with the milestone log", "supersede"})


def run_beside_an_editor(
    memory: Layout, run: Callable[[Layout], object], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run an operation while an editor saves L0 right before effect `number`, as long as it was."""
    path = Path(memory.directory)
    seen = 0

    def effect(_kind: str, _path: str) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            path.write_bytes(path.read_bytes().replace(b"# Directory", b"# directory"))

    with monkeypatch.context() as patch:
        patch.setattr("hfa_core.fs.atomic._effect", effect)
        run(memory)


@pytest.mark.parametrize("operation", EDITED)
def test_l0_that_an_editor_saves_while_we_stage_stays_and_the_command_can_be_run_again(
    prepared: Layout, operation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(prepared, operation)
    before = files_of(prepared)
    for number in (1, 2, 3):
        memory = copy_of(prepared, tmp_path / "copy")

        with pytest.raises(EditedMeanwhileError) as caught:
            run_beside_an_editor(memory, OPERATIONS[operation], number, monkeypatch)

        assert caught.value.path == memory.directory
        edited = before["directory.md"].replace(b"# Directory", b"# directory")
        assert files_of(memory) == {**before, "directory.md": edited}
        assert temporary_files(memory) == []
        assert not ensure_recovered(memory)
        OPERATIONS[operation](memory)
        assert Path(memory.directory).read_bytes().startswith(b"# directory")
        assert files_of(memory)["directory.md"] != edited
        assert verify_memory(memory) == []


def test_l0_that_is_gone_when_we_commit_is_not_brought_back(prepared: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(prepared.directory)

    def take_away(kind: str, where: str) -> None:
        path.unlink(missing_ok=True)

    with monkeypatch.context() as patch:
        patch.setattr("hfa_core.fs.atomic._effect", take_away)
        with pytest.raises(EditedMeanwhileError):
            add_node(prepared, "S", "Mobile 客户端", time="2026-01-01T00:00:00Z")

    assert not path.exists()


def read_until(memory: Layout, done: threading.Event) -> None:
    """Read as commands do: whatever is listed is whole, and what was there once stays."""
    seen = 0
    while not done.is_set():
        ensure_recovered(memory, lock_timeout_s=120)
        directory = read_directory(memory)
        directory.active_main(memory.directory)
        with open_database(memory, timeout_s=120) as database:
            sync(database, directory)
            assert list_damaged(database) == []
            ids = list_ids(database)
            recall(database, directory, read_config(memory), Request("令牌"))
        assert len(ids) >= seen
        seen = len(ids)
        for chunk_id in ids[-2:]:
            read_chunk(memory, chunk_id)


@pytest.mark.slow
def test_threads_that_write_and_read_at_once_lose_nothing_and_see_nothing_half_done(memory: Layout) -> None:
    config = Config(memory_id=read_config(memory).memory_id, topics_per_epoch=100)
    Path(memory.config).write_text(render_config(config), encoding="utf-8")
    done = threading.Event()

    def write(thread: int) -> list[str]:
        drafts = [draft(f"决定 {thread}-{number} holds") for number in range(WRITES)]
        return [remember(memory, one, now=NOW, lock_timeout_s=120).id for one in drafts]

    with ThreadPoolExecutor(THREADS + 2) as pool:
        readers = [pool.submit(read_until, memory, done) for _ in range(2)]
        try:
            given = [one for ids in pool.map(write, range(THREADS)) for one in ids]
        finally:
            done.set()
    for reader in readers:
        reader.result()

    assert len(set(given)) == THREADS * WRITES
    assert {entry.name for entry in list_files(memory)} == {f"{one}.json" for one in given}
    assert sorted((parse_id(one) or (0, ""))[0] for one in given) == list(range(1, THREADS * WRITES + 1))
    wanted = {f"决定 {thread}-{number} holds" for thread in range(THREADS) for number in range(WRITES)}
    assert {read_chunk(memory, one).title for one in given} == wanted
    assert read_directory(memory).epoch == 4
    assert temporary_files(memory) == []
    assert verify_memory(memory) == []


def test_a_memory_whose_line_ends_a_checkout_turned_is_sound_is_recalled_and_takes_records(
    prepared: Layout, add: Callable[..., str]
) -> None:
    old = add("刷新令牌 rotation", hit_words=("刷新令牌",))
    for path in Path(prepared.root).rglob("*"):
        if path.suffix in (".json", ".md", ".jsonl"):
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))

    assert verify_memory(prepared) == []
    new = add("Golive on Friday", hit_words=("golive",), supersedes=(old,))
    add_node(prepared, "S", "移动客户端", time="2026-01-01T00:00:00Z")

    directory = read_directory(prepared)
    with open_database(prepared) as database:
        sync(database, directory)
        answer = recall(database, directory, read_config(prepared), Request("刷新令牌"))
    found = [item.id for item in answer.selected]
    assert new in found
    assert old not in found
    assert b"\n" not in Path(prepared.directory).read_bytes().replace(b"\r\n", b"")
    assert verify_memory(prepared) == []


@pytest.mark.parametrize("path", ["branches/CON.md", "branches/nul.md", "branches/aux.json.md", "branches/x./page.md"])
def test_a_page_that_windows_could_not_hold_is_refused(memory: Layout, path: str) -> None:
    before = files_of(memory)

    with pytest.raises(InvalidRecordError, match="Windows"):
        add_node(memory, "S", "移动客户端", path=path, time="2026-01-01T00:00:00Z")

    assert files_of(memory) == before
