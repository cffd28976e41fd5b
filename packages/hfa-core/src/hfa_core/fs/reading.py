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
    try:
        descriptor = os.open(path, _FLAGS | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    except OSError as error:
        if error.errno == errno.ELOOP and not follow:
            raise OSError(errno.ELOOP, "is a link; put the file itself there", path) from None
        raise
    try:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "is no file but a pipe or a device", path)
        if found.st_size > limit:
            raise OSError(errno.EFBIG, f"has more than {limit} bytes", path)
        with open(descriptor, "rb", closefd=False) as stream:
            # It may grow while it is read.
            return stream.read(limit)
    finally:
        os.close(descriptor)
