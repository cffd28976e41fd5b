"""Reading a file that anybody may have put there: only a plain one, and no more of it than a limit."""

from __future__ import annotations

import errno
import os
import stat

LARGEST = 1 << 26
"""Bytes. choice: far beyond any file of a memory, and read in a fraction of a second."""

# Without waiting, for the open of a named pipe waits for a writer, maybe for ever.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def read_bytes(path: str, *, limit: int = LARGEST, follow: bool = True) -> bytes:
    """
    The bytes of a file.

    Args:
        limit: The longest file that is read, in bytes.
        follow: Whether a link at the end of the path is followed; else it is refused where the system can tell.

    Raises:
        OSError: It cannot be read, or is a pipe, a device, a refused link or too long; `strerror` says which.
    """
    descriptor = _open(path, 0 if follow else getattr(os, "O_NOFOLLOW", 0))
    try:
        if _size(descriptor, path) > limit:
            raise OSError(errno.EFBIG, f"has more than {limit} bytes", path)
        with open(descriptor, "rb", closefd=False) as stream:
            # It may grow while it is read.
            return stream.read(limit)
    finally:
        os.close(descriptor)


def read_tail(path: str, limit: int) -> tuple[bytes, bool]:
    """
    The last `limit` bytes of a file, and whether there are others before them.

    Raises:
        OSError: It cannot be read, or is a pipe or a device.
    """
    descriptor = _open(path, 0)
    try:
        start = max(0, _size(descriptor, path) - limit)
        with open(descriptor, "rb", closefd=False) as stream:
            stream.seek(start)
            return stream.read(limit), start > 0
    finally:
        os.close(descriptor)


def _open(path: str, more: int) -> int:
    try:
        return os.open(path, _FLAGS | more)
    except OSError as error:
        if error.errno == errno.ELOOP and more:
            raise OSError(errno.ELOOP, "is a link; put the file itself there", path) from None
        raise


def _size(descriptor: int, path: str) -> int:
    """The bytes of an open file; only of a plain one."""
    found = os.fstat(descriptor)
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "is no file but a pipe or a device", path)
    return found.st_size
