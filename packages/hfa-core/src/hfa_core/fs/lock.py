"""The one lock of a memory: writers hold it, readers never need it.

The system drops the lock of a process that dies, so a killed owner blocks nobody. Threads of one process are kept
apart by a lock of their own, because file locks belong to the whole process on some systems. The lock file holds its
owner's process id and is emptied by an orderly release: so the next owner knows, at no cost that grows with the
memory, whether somebody died at work and left temporary files.
"""

from __future__ import annotations

import _thread
import errno
import os
import stat
import time

from hfa_core.errors import HfaError, LockTimeoutError, StorageError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

POLL_S = 0.01
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_WINDOWS_BYTE = 1 << 30
"""Windows bars others from reading what is locked, so it is a byte far behind the owner's process id."""
_threads_guard = _thread.allocate_lock()
_thread_locks: dict[str, _thread.LockType] = {}


class MemoryLock:
    """
    A context in which this thread alone may write to a memory. `interrupted` says whether the owner before did not end
    in an orderly way.

    Raises on entering:
        LockTimeoutError: Another process or thread held it for `timeout_s` seconds.
        StorageError: The lock file could not be made or locked.
    """

    def __init__(self, path: str, *, timeout_s: float = 10.0) -> None:
        self.interrupted = False
        self._path = path
        self._timeout_s = timeout_s
        self._descriptor = -1
        with _threads_guard:
            self._thread_lock = _thread_locks.setdefault(os.path.realpath(path), _thread.allocate_lock())

    def __enter__(self) -> MemoryLock:
        deadline = time.monotonic() + self._timeout_s
        if not self._thread_lock.acquire(True, self._timeout_s):
            raise LockTimeoutError(self._path, self._timeout_s)
        try:
            self._descriptor = _open(self._path)
            while not _try_lock(self._descriptor):
                if time.monotonic() >= deadline:
                    raise LockTimeoutError(self._path, self._timeout_s)
                time.sleep(POLL_S)
            self._sign()
        except BaseException as error:
            self._release()
            if isinstance(error, OSError):
                raise StorageError(self._path, error.strerror or str(error)) from error
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A refusal on purpose leaves nothing behind. After anything else the next owner has to look.
        refused = isinstance(error, HfaError) and not isinstance(error, StorageError)
        self.release(orderly=error is None or refused)

    def release(self, *, orderly: bool) -> None:
        """Give the lock up; the owner is struck out of its file only if nothing of its work was left behind."""
        try:
            if orderly:
                os.ftruncate(self._descriptor, 0)
        except OSError:
            # It costs the next owner a look, no more.
            pass
        finally:
            self._release()

    def _sign(self) -> None:
        self.interrupted = os.fstat(self._descriptor).st_size > 0
        if not self.interrupted:
            os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def _release(self) -> None:
        if self._descriptor >= 0:
            if fcntl is None:
                _unlock_on_windows(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1
        self._thread_lock.release()


def _open(path: str) -> int:
    """The lock file, opened; it is emptied later, so it must not be a link to somebody's file."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _PLAIN, 0o644)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(error.errno, "is a link; put nothing in the place of the lock") from None
        raise
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "is no file but a pipe or a device; put nothing in the place of the lock")


def _try_lock(descriptor: int) -> bool:
    if fcntl is None:
        return _try_lock_on_windows(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _try_lock_on_windows(descriptor: int) -> bool:
    """Windows reports a lock that is held as "permission denied". Unverified on Windows."""
    import msvcrt

    os.lseek(descriptor, _WINDOWS_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except PermissionError:
        return False
    finally:
        os.lseek(descriptor, 0, os.SEEK_SET)
    return True


def _unlock_on_windows(descriptor: int) -> None:
    """Closing would do, but Windows does not say how soon. Refused where it was not held. Unverified on Windows."""
    import msvcrt

    try:
        os.lseek(descriptor, _WINDOWS_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return
