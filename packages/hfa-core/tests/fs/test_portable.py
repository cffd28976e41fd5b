"""Names that some system cannot hold, and the calls that only Windows answers: injected, for this runs on others."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hfa_core.errors import LockTimeoutError, StorageError
from hfa_core.fs.atomic import move_over, write_atomic
from hfa_core.fs.lock import MemoryLock
from hfa_core.fs.portable import PATH_CHARACTERS, find_unportable


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("branches/CON", "device"),
        ("branches/nul.md", "device"),
        ("branches/aux.json.md", "device"),
        ("Lpt1/page.md", "device"),
        ("branches/com¹.md", "device"),
        ("branches/con .md", "device"),
        ("branches/page.", "end"),
        ("trailing /page.md", "end"),
        ("branches/what?.md", "character"),
        ("branches/a\x07.md", "character"),
        ("branches/" + "长" * PATH_CHARACTERS, "too long"),
    ],
)
def test_a_name_that_windows_refuses_or_changes_is_found(path: str, reason: str) -> None:
    assert reason in find_unportable(path)


@pytest.mark.parametrize("path", ["main/M1.md", "branches/console.md", "branches/令牌 轮换.md", "com0/.hidden/a.b.md"])
def test_other_names_are_portable(path: str) -> None:
    assert find_unportable(path) == ""


class Replace:
    """`os.replace` as Windows answers while another program has the target open for `refusals` attempts."""

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.calls = 0
        self._replace = os.replace

    def __call__(self, source: str, target: str) -> None:
        self.calls += 1
        if self.calls <= self.refusals:
            raise PermissionError(errno.EACCES, "Access is denied", target)
        self._replace(source, target)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Eight attempts, as on Windows; the pauses that were asked for, none of which is made."""
    made: list[float] = []
    monkeypatch.setattr("hfa_core.fs.atomic._ATTEMPTS", 8)
    monkeypatch.setattr("hfa_core.fs.atomic._sleep", made.append)
    return made


@pytest.mark.parametrize("refusals", [0, 1, 7])
def test_a_file_that_another_program_has_open_is_replaced_when_it_lets_go(
    tmp_path: Path, pauses: list[float], monkeypatch: pytest.MonkeyPatch, refusals: int
) -> None:
    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr("hfa_core.fs.atomic.os.replace", Replace(refusals))

    write_atomic(str(tmp_path / "file"), b"new")

    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"new")]
    assert len(pauses) == refusals
    assert pauses == sorted(pauses)
    assert sum(pauses) < 1


def test_a_file_that_is_never_let_go_is_an_error_after_a_bounded_number_of_attempts(
    tmp_path: Path, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("file", "other"):
        (tmp_path / name).write_bytes(b"old")
    replace = Replace(10**9)
    monkeypatch.setattr("hfa_core.fs.atomic.os.replace", replace)

    with pytest.raises(StorageError, match="Access is denied"):
        write_atomic(str(tmp_path / "file"), b"new")
    assert (replace.calls, len(pauses)) == (8, 7)
    with pytest.raises(StorageError, match="Access is denied"):
        move_over(str(tmp_path / "file"), str(tmp_path / "other"))

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"old", "other": b"old"}


@pytest.mark.skipif(os.name == "nt", reason="elsewhere a refusal is final")
def test_where_a_refusal_is_final_there_is_one_attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Replace(10**9)
    monkeypatch.setattr("hfa_core.fs.atomic.os.replace", replace)

    with pytest.raises(StorageError):
        write_atomic(str(tmp_path / "file"), b"new")

    assert replace.calls == 1


class Locking:
    """`msvcrt` as far as it is used: one byte of a file, taken or not; `places` are the offsets that were asked for."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self) -> None:
        self.places: list[int] = []
        self.owner: int | None = None

    def locking(self, descriptor: int, mode: int, size: int) -> None:
        """Take or give up `size` bytes at the file's position."""
        assert size == 1
        self.places.append(os.lseek(descriptor, 0, os.SEEK_CUR))
        if mode == self.LK_UNLCK:
            if self.owner != descriptor:
                raise PermissionError(errno.EACCES, "Permission denied")
            self.owner = None
        elif self.owner is not None:
            raise PermissionError(errno.EACCES, "Permission denied")
        else:
            self.owner = descriptor


def test_on_windows_a_byte_far_behind_the_owners_name_is_locked_and_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locking = Locking()
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking.locking, LK_NBLCK=2, LK_UNLCK=0))
    monkeypatch.setattr("hfa_core.fs.lock.fcntl", None)
    path = tmp_path / ".hfa.lock"

    with MemoryLock(str(path)):
        assert locking.owner is not None
        assert path.read_text(encoding="ascii") == f"{os.getpid()}\n"
    assert locking.owner is None
    assert path.read_bytes() == b""
    assert len(set(locking.places)) == 1
    assert min(locking.places) > 1_000_000

    locking.owner = -1
    with pytest.raises(LockTimeoutError), MemoryLock(str(path), timeout_s=0):
        pytest.fail("the lock was taken")
    assert locking.owner == -1, "what another holds is not given up"
    locking.owner = None
    with MemoryLock(str(path), timeout_s=0) as lock:
        assert not lock.interrupted
