"""The one writer: whole files or none, links and modes kept, nothing left behind by a refusal."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hfa_core.errors import StorageError
from hfa_core.fs.atomic import (
    TEMPORARY_PREFIX,
    append_line,
    make_folder,
    move_in,
    move_over,
    remove_file,
    remove_if_there,
    write_atomic,
    write_staged,
)

posix_only = pytest.mark.skipif(os.name != "posix", reason="permission bits, symbolic links and limits of POSIX")


def temporary_files(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(TEMPORARY_PREFIX)]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("data", [b"", "令牌\r\n".encode(), bytes(range(256)) * 4096])
def test_a_file_is_made_and_replaced_with_exactly_these_bytes(tmp_path: Path, data: bytes, durable: bool) -> None:
    path = tmp_path / "文件.json"

    for content in (data, b"other", data):
        write_atomic(str(path), content, durable=durable)
        assert path.read_bytes() == content
    assert os.listdir(tmp_path) == ["文件.json"]


def test_a_reader_sees_the_old_bytes_or_the_new_ones(tmp_path: Path) -> None:
    path = tmp_path / "file"
    versions = [bytes([65 + n]) * (200_000 + n) for n in range(8)]
    write_atomic(str(path), versions[0])
    done = threading.Event()
    seen: list[bytes] = []

    def poll() -> None:
        while not done.is_set():
            seen.append(path.read_bytes())

    reader = threading.Thread(target=poll)
    reader.start()
    for _ in range(12):
        for version in versions:
            write_atomic(str(path), version, durable=False)
    done.set()
    reader.join()

    assert seen
    assert all(content in versions for content in seen)


def test_threads_that_write_one_file_leave_one_of_their_versions(tmp_path: Path) -> None:
    path = tmp_path / "file"
    versions = [bytes([65 + n]) * 50_000 for n in range(6)]
    writers = [threading.Thread(target=write_atomic, args=(str(path), version)) for version in versions]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert path.read_bytes() in versions
    assert temporary_files(tmp_path) == []


def test_a_folder_in_the_way_is_an_error_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "taken" / "inner").mkdir(parents=True)

    with pytest.raises(StorageError) as caught:
        write_atomic(str(tmp_path / "taken"), b"data")

    assert caught.value.path == str(tmp_path / "taken")
    assert os.listdir(tmp_path) == ["taken"]


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        write_atomic(str(tmp_path / "missing" / "file"), b"data")

    assert os.listdir(tmp_path) == []


LIMITED = """
import resource, signal, sys
from hfa_core.errors import StorageError
from hfa_core.fs.atomic import write_atomic
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    write_atomic(sys.argv[1], b"n" * 100_000)
except StorageError as error:
    print(error.reason)
"""


@posix_only
def test_a_disk_that_refuses_half_way_leaves_the_old_bytes_and_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], capture_output=True, encoding="utf-8", check=True)

    assert done.stdout.strip() == "File too large"
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


@posix_only
def test_a_linked_file_stays_linked(tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "settings.json"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link = tmp_path / "settings.json"
    link.symlink_to(Path("dotfiles", "settings.json"))

    write_atomic(str(link), b"new")

    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert os.listdir(target.parent) == ["settings.json"]


@posix_only
def test_a_link_to_a_file_that_is_not_there_yet_makes_it(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("later.json")

    write_atomic(str(link), b"new")

    assert link.is_symlink()
    assert (tmp_path / "later.json").read_bytes() == b"new"


@posix_only
@pytest.mark.parametrize("bits", [0o600, 0o640, 0o664, 0o755])
def test_an_existing_file_keeps_its_mode_and_a_new_one_has_the_mode_asked_for(tmp_path: Path, bits: int) -> None:
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "old").chmod(bits)
    umask = os.umask(0o077)
    try:
        write_atomic(str(tmp_path / "old"), b"new", mode=0o600)
        write_atomic(str(tmp_path / "new"), b"new", mode=bits)
        write_atomic(str(tmp_path / "default"), b"new")
    finally:
        os.umask(umask)

    assert [mode_of(tmp_path / name) for name in ("old", "new", "default")] == [bits, bits, 0o644]


def test_lines_of_several_threads_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"

    def write(letter: str) -> None:
        for _ in range(50):
            append_line(str(path), letter.encode() * 2000 + b"\n")

    writers = [threading.Thread(target=write, args=(letter,)) for letter in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 200
    assert all(line == line[0] * 2000 for line in lines)


@posix_only
def test_private_folders_and_logs_are_for_the_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "user" / "state"
    make_folder(str(folder), private=True)
    append_line(str(folder / "log"), b"line\n")

    assert mode_of(folder) == 0o700
    assert mode_of(folder / "log") == 0o600


def test_making_a_folder_twice_is_no_error_and_a_file_in_its_place_is_one(tmp_path: Path) -> None:
    make_folder(str(tmp_path / "a" / "b"))
    make_folder(str(tmp_path / "a" / "b"))
    (tmp_path / "file").write_bytes(b"")

    for path in ("file", "file/below"):
        with pytest.raises(StorageError):
            make_folder(str(tmp_path / path))
    with pytest.raises(StorageError):
        append_line(str(tmp_path / "a"), b"line\n")


def test_removing_says_whether_there_was_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()

    assert remove_if_there(str(tmp_path / "file"))
    assert not remove_if_there(str(tmp_path / "file"))
    assert not remove_if_there(str(tmp_path / "folder"))
    assert os.listdir(tmp_path) == ["folder"]


def test_a_staged_file_changes_nothing_until_it_is_moved_in(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    staged = write_staged(str(path), b"new")

    assert path.read_bytes() == b"old"
    assert temporary_files(tmp_path) == [os.path.basename(staged)]
    move_in(staged, str(path))
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"new", ["file"])


@pytest.mark.parametrize("keep", [True, False])
def test_a_staged_file_that_cannot_be_moved_in_is_kept_for_another_try_if_asked(tmp_path: Path, keep: bool) -> None:
    staged = write_staged(str(tmp_path / "file"), b"new")
    (tmp_path / "file" / "inner").mkdir(parents=True)

    with pytest.raises(StorageError):
        move_in(staged, str(tmp_path / "file"), keep=keep)

    assert os.path.exists(staged) is keep


def test_removing_for_good_raises_where_the_system_refuses(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()

    remove_file(str(tmp_path / "file"))
    remove_file(str(tmp_path / "file"))
    with pytest.raises(StorageError):
        remove_file(str(tmp_path / "folder"))

    assert os.listdir(tmp_path) == ["folder"]


def test_every_change_of_the_disk_passes_through_the_one_place_where_it_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").write_bytes(b"old")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def refuse(kind: str, path: str) -> None:
        raise InterruptedError(kind, path)

    monkeypatch.setattr("hfa_core.fs.atomic._effect", refuse)
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    for change in (
        lambda: write_atomic(old, b"new"),
        lambda: write_staged(new, b"new"),
        lambda: append_line(old, b"line\n"),
        lambda: make_folder(new),
        lambda: move_in(old, new, keep=True),
        lambda: move_over(old, new),
        lambda: remove_file(old),
    ):
        with pytest.raises(StorageError):
            change()
    assert not remove_if_there(old)

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
@pytest.mark.parametrize("linked", [False, True], ids=["a pipe", "a link to one"])
def test_what_is_no_plain_file_is_not_replaced(tmp_path: Path, linked: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    path = tmp_path / "link" if linked else pipe
    if linked:
        path.symlink_to(pipe)

    with pytest.raises(StorageError, match="no plain file"):
        write_atomic(str(path), b"text")

    assert pipe.is_fifo()
    assert {one.name for one in tmp_path.iterdir()} <= {"pipe", "link"}
