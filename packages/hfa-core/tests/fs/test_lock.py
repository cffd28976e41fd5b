"""The one lock: processes and threads keep out of one another's way, and a dead owner blocks nobody."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hfa_core.errors import LockTimeoutError, StorageError
from hfa_core.fs.lock import MemoryLock

HOLDER = """
import sys
from hfa_core.fs.lock import MemoryLock
with MemoryLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
print("free", flush=True)
"""

COUNTER = """
import sys
from hfa_core.fs.lock import MemoryLock
for _ in range(40):
    with MemoryLock(sys.argv[1], timeout_s=60):
        number = int(open(sys.argv[2]).read())
        open(sys.argv[2], "w").write(str(number + 1))
"""


@contextmanager
def held_elsewhere(path: Path) -> Generator[subprocess.Popen[str], None, None]:
    """Another process that holds the lock until it reads a line."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_lock_held_by_another_process_times_out_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / ".hfa.lock"

    with held_elsewhere(path) as holder:
        with pytest.raises(LockTimeoutError) as caught, MemoryLock(str(path), timeout_s=0.05):
            pytest.fail("the lock was taken")
        assert (caught.value.path, caught.value.timeout_s) == (str(path), 0.05)

        assert holder.communicate("go on\n")[0] == "free\n"
    with MemoryLock(str(path), timeout_s=0):
        pass


def test_a_killed_owner_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / ".hfa.lock"
    with held_elsewhere(path) as holder:
        holder.kill()
        holder.wait()

        with MemoryLock(str(path), timeout_s=0):
            pass


def test_processes_exclude_one_another(tmp_path: Path) -> None:
    number = tmp_path / "number"
    number.write_text("0", encoding="utf-8")
    command = [sys.executable, "-c", COUNTER, str(tmp_path / ".hfa.lock"), str(number)]

    processes = [subprocess.Popen(command) for _ in range(4)]

    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    assert number.read_text(encoding="utf-8") == "160"


def test_threads_of_one_process_exclude_one_another(tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(50):
            with MemoryLock(str(tmp_path / ".hfa.lock")):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(most), max(most)) == (300, 1)


def test_a_thread_that_waits_too_long_gets_the_same_error(tmp_path: Path) -> None:
    path = str(tmp_path / ".hfa.lock")
    caught: list[BaseException] = []

    def wait() -> None:
        try:
            with MemoryLock(path, timeout_s=0.01):
                pass
        except LockTimeoutError as error:
            caught.append(error)

    with MemoryLock(path):
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()

    assert len(caught) == 1
    with MemoryLock(path, timeout_s=0):
        pass


def test_an_error_inside_frees_the_lock(tmp_path: Path) -> None:
    path = str(tmp_path / ".hfa.lock")

    with pytest.raises(KeyError), MemoryLock(path):
        raise KeyError

    with MemoryLock(path, timeout_s=0):
        pass


def test_a_lock_file_that_cannot_be_made_is_an_error_and_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "missing" / ".hfa.lock"

    with pytest.raises(StorageError), MemoryLock(str(path)):
        pytest.fail("the lock was taken")

    path.parent.mkdir()
    with MemoryLock(str(path), timeout_s=0):
        pass


@pytest.mark.parametrize(
    ("error", "interrupted"),
    [(None, False), (LockTimeoutError("x", 0), False), (StorageError("x", "full"), True), (KeyboardInterrupt(), True)],
)
def test_the_next_owner_knows_whether_the_one_before_left_in_an_orderly_way(
    tmp_path: Path, error: BaseException | None, interrupted: bool
) -> None:
    path = str(tmp_path / "lock")

    def work() -> None:
        with MemoryLock(path):
            if error:
                raise error

    if error:
        with pytest.raises(type(error)):
            work()
    else:
        work()

    with MemoryLock(path) as lock:
        assert lock.interrupted is interrupted
    with MemoryLock(path) as lock:
        assert not lock.interrupted


def test_the_next_owner_knows_of_a_killed_one(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with held_elsewhere(path) as process:
        process.kill()
        process.wait()

    with MemoryLock(str(path)) as lock:
        assert lock.interrupted
