"""Files that are no plain files, and links that lead out of a memory: nothing waits, nothing is read or written."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import StorageError
from hfa_core.fs.atomic import append_line, make_folder, write_atomic
from hfa_core.fs.layout import Layout
from hfa_core.fs.links import leaves
from hfa_core.fs.reading import read_bytes
from hfa_core.index.database import Database, open_database
from hfa_core.index.pages import rebuild_derived
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft
from hfa_core.store.chunks import read_chunk

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")

PRECIOUS = b"a file of the user's own\n"


def test_a_plain_file_is_read_whole_and_a_longer_one_than_the_limit_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")

    assert read_bytes(str(path), limit=5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_bytes(str(path), limit=4)


def test_a_pipe_a_device_and_a_folder_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.symlink("/dev/zero", tmp_path / "endless")

    for name in ("pipe", "endless"):
        with pytest.raises(OSError, match="pipe or a device"):
            read_bytes(str(tmp_path / name))
    with pytest.raises(IsADirectoryError):
        read_bytes(str(tmp_path))


def test_a_link_is_followed_only_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    os.symlink("file", tmp_path / "link")

    assert read_bytes(str(tmp_path / "link")) == b"text"
    with pytest.raises(OSError, match="is a link"):
        read_bytes(str(tmp_path / "link"), follow=False)


def test_a_link_leaves_a_folder_only_where_it_leads_out_of_it(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    (inside / "folder").mkdir(parents=True)
    os.symlink("folder", inside / "stays")
    os.symlink("..", inside / "out")
    os.symlink(inside, tmp_path / "entrance")

    assert not leaves(str(inside), str(inside / "stays" / "new"))
    assert not leaves(str(tmp_path / "entrance"), str(tmp_path / "entrance" / "folder"))
    assert leaves(str(inside), str(inside / "out" / "new"))
    assert leaves(str(inside), f"{inside}-beside")


def test_nothing_is_written_through_a_link_that_leaves(tmp_path: Path) -> None:
    inside, victim = tmp_path / "inside", tmp_path / "victim"
    inside.mkdir()
    victim.write_bytes(PRECIOUS)
    os.symlink(victim, inside / "file")
    os.symlink(tmp_path, inside / "folder")

    with pytest.raises(StorageError, match="leaves the memory"):
        write_atomic(str(inside / "file"), b"x", within=str(inside))
    with pytest.raises(StorageError, match="leaves the memory"):
        append_line(str(inside / "file"), b"x\n", within=str(inside))
    with pytest.raises(StorageError, match="leaves the memory"):
        make_folder(str(inside / "folder" / "new"), within=str(inside))

    assert victim.read_bytes() == PRECIOUS
    assert not (tmp_path / "new").exists()


LINKED = [
    ".hfa.lock",
    "history/access.jsonl",
    "history/epoch_01/summaries.md",
    "history/epoch_01/framework.md",
    "index/fts.sqlite",
    "index/fts.sqlite-wal",
    "index/search.json",
    "tombstones.jsonl",
]


@pytest.mark.parametrize("name", LINKED)
def test_a_cloned_memory_with_a_link_to_a_file_of_the_user_leaves_that_file_alone(
    memory: Layout, draft: Callable[..., Draft], tmp_path: Path, name: str
) -> None:
    remember(memory, draft("缓存放在 Redis"), now=1_790_000_000)
    victim, link = tmp_path / "victim", Path(memory.root, name)
    victim.write_bytes(PRECIOUS)
    link.parent.mkdir(exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(victim)

    with suppress(StorageError):
        remember(memory, draft("Tokens rotate"), now=1_790_000_060)
    with suppress(StorageError):
        rebuild_derived(memory)

    assert victim.read_bytes() == PRECIOUS
    assert "link_leaves" in {problem.code for problem in verify_memory(memory)}


def test_an_index_folder_that_is_a_link_gets_no_file_and_recall_goes_on(
    memory: Layout, add: Callable[..., str], tmp_path: Path, resync: Callable[[], Database]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Path(memory.index).symlink_to(elsewhere)

    add("缓存放在 Redis")

    with resync() as database:
        assert database.get_meta("count") == 1
    with open_database(memory) as database:
        assert database.get_meta("count") is None
    assert list(elsewhere.iterdir()) == []


def test_a_record_that_is_a_link_a_pipe_or_endless_is_damaged_and_the_others_are_served(
    memory: Layout, add: Callable[..., str], tmp_path: Path, resync: Callable[[], Database]
) -> None:
    good = add("部署用 ArgoCD")
    moved = add("Tokens rotate daily")
    os.rename(memory.chunk(moved), tmp_path / "moved.json")
    os.symlink(tmp_path / "moved.json", memory.chunk(moved))
    os.mkfifo(memory.chunk("chunk_0008-aaaaaa"))
    os.symlink("/dev/zero", memory.chunk("chunk_0009-aaaaaa"))
    Path(memory.chunk("chunk_0010-aaaaaa")).write_bytes(b" " * (1 << 20) + b"{}")

    with resync() as database:
        rows = database.connection.execute("SELECT id FROM chunks WHERE problem = ''").fetchall()

    assert [row[0] for row in rows] == [good]
    with pytest.raises(StorageError, match="is a link"):
        read_chunk(memory, moved)


def test_a_folder_of_records_that_leads_elsewhere_is_not_read(
    memory: Layout, add: Callable[..., str], tmp_path: Path, resync: Callable[[], Database]
) -> None:
    add("部署用 ArgoCD")
    os.rename(memory.chunks, tmp_path / "chunks")
    os.symlink(tmp_path / "chunks", memory.chunks)

    with pytest.raises(StorageError, match="leaves the memory through a link"):
        resync()
