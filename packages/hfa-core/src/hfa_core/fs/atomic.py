"""Every change HFA makes to a file: written whole under a temporary name, synced, renamed into place.

No other module opens a file for writing. A reader sees the old bytes or the new ones, never a mixture, and a crash
leaves at most a temporary file whose name starts with `TEMPORARY_PREFIX`. Everything that changes the disk passes
through `_effect` first, so that a test can stop a process before any of it.
"""

from __future__ import annotations

import errno
import os
import stat
import time

from hfa_core.errors import StorageError
from hfa_core.fs.links import ensure_within

TEMPORARY_PREFIX = ".hfa-tmp-"
PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
SHARED_FILE = 0o644
_ATTEMPTS = 8 if os.name == "nt" else 1
_PAUSE_S = 0.005
"""Before the second attempt to replace a file; it doubles with each further one, up to 0.64 s in all."""
_sleep = time.sleep


def write_atomic(path: str, data: bytes, *, mode: int | None = None, durable: bool = True, within: str = "") -> None:
    """
    Make `path` hold exactly `data`; the rename is the commit point.

    Args:
        path: The file to make or replace. A symbolic link is followed, so that a linked file stays linked.
        data: The whole new content.
        mode: Permission bits of a new file; an existing file keeps its own. None means `SHARED_FILE`.
        durable: Sync the file and its folder, so that the new bytes survive a power cut as far as the disk promises.
        within: The folder that no link may lead out of, where not everybody who made the links is trusted.

    Raises:
        StorageError: The system refused, or a link leaves. `path` is as it was and no temporary file is left.
    """
    _ensure_stays(path, within)
    target = os.path.realpath(path) if os.path.islink(path) else path
    move_in(write_staged(target, data, mode=mode, durable=durable), target, durable=durable)


def write_staged(target: str, data: bytes, *, mode: int | None = None, durable: bool = True) -> str:
    """
    Write the bytes that `target` is to hold into a temporary file beside it, for `move_in`; the file's path.

    Raises:
        StorageError: The system refused; no temporary file is left.
    """
    name = f"{TEMPORARY_PREFIX}{os.getpid():x}-{os.urandom(4).hex()}"
    temporary = os.path.join(os.path.dirname(target), name)
    try:
        try:
            found = os.stat(target).st_mode
            if not stat.S_ISREG(found):
                # A rename would put a file into the place of a device or a pipe.
                raise OSError(errno.EINVAL, "is no plain file, so it is not replaced")
            bits = found & 0o7777
        except FileNotFoundError:
            bits = SHARED_FILE if mode is None else mode
        _effect("create", temporary)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), bits)
        try:
            _effect("write", temporary)
            _write_all(descriptor, data)
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, bits)
            if durable:
                _effect("fsync", temporary)
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        remove_if_there(temporary)
        raise StorageError(target, error.strerror or str(error)) from error
    return temporary


def move_in(temporary: str, target: str, *, durable: bool = True, keep: bool = False) -> None:
    """
    Rename a staged file to its target.

    Raises:
        StorageError: The system refused; the target is as it was, and the staged file is gone unless `keep` is set.
    """
    try:
        _effect("rename", target)
        _replace(temporary, target)
    except OSError as error:
        if not keep:
            remove_if_there(temporary)
        raise StorageError(target, error.strerror or str(error)) from error
    if durable:
        sync_folder(os.path.dirname(target))


def append_line(path: str, line: bytes, *, mode: int = PRIVATE_FILE, within: str = "") -> None:
    """
    Add `line`, which must end in a newline, to the end of `path`, making the file if needed.

    One write to a descriptor opened for appending, so that lines of several processes do not mix. No link may lead out
    of `within`.

    Raises:
        StorageError: The system refused; the file may be unchanged or hold a part of the line.
    """
    _ensure_stays(path, within)
    try:
        _effect("append", path)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), mode)
        try:
            _write_all(descriptor, line)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error


def make_folder(path: str, *, private: bool = False, within: str = "") -> None:
    """
    Make `path` and its missing parents; a folder that is there stays as it is. Private ones are for the owner only.
    No link may lead out of `within`.

    Raises:
        StorageError: The system refused, or a link leaves.
    """
    _ensure_stays(path, within)
    try:
        if private and not os.path.isdir(os.path.dirname(path)):
            # `makedirs` gives its mode to the last folder only.
            make_folder(os.path.dirname(path), private=True)
        if not os.path.isdir(path):
            _effect("folder", path)
            os.makedirs(path, mode=PRIVATE_FOLDER if private else 0o777, exist_ok=True)
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error


def remove_if_there(path: str) -> bool:
    """Remove a file; whether there was one to remove. A refusal by the system counts as no."""
    if not os.path.lexists(path):
        return False
    try:
        _effect("unlink", path)
        os.unlink(path)
    except OSError:
        return False
    return True


def remove_file(path: str) -> None:
    """
    Remove a file; one that is not there is no error.

    Raises:
        StorageError: The system refused; the file is still there.
    """
    try:
        _effect("unlink", path)
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error


def move_over(path: str, target: str) -> bool:
    """Give a file of derived or private data another name, replacing what was there; False if there is no such file."""
    try:
        _effect("rename", target)
        _replace(path, target)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error
    return True


def set_mode(path: str, mode: int) -> None:
    """
    Give a file or folder other permission bits.

    Raises:
        StorageError: The system refused; they are as they were.
    """
    try:
        _effect("mode", path)
        os.chmod(path, mode)
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error


def sync_folder(path: str) -> None:
    """
    Make renames inside a folder durable, where the system can sync a folder at all (Windows cannot).

    A refusal is no error: what was renamed is there, and an error would say that it is not.
    """
    try:
        _effect("sync", path)
        descriptor = os.open(path or ".", os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        # Some network and overlay file systems refuse to sync a folder; the rename itself has happened.
        return
    finally:
        os.close(descriptor)


def _replace(source: str, target: str) -> None:
    """
    Rename, over a file that may be there. Windows refuses while another program, such as a virus scanner, has that file
    open, so there it is tried a few times; unverified on Windows.
    """
    for attempt in range(_ATTEMPTS):
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if attempt == _ATTEMPTS - 1:
                raise
        _sleep(_PAUSE_S * 2**attempt)


def _ensure_stays(path: str, within: str) -> None:
    if within:
        ensure_within(within, path)


def _effect(kind: str, path: str) -> None:
    """
    Stands before every change of the disk and does nothing: the one place where tests stop or count them.

    `kind` is `create`, `write`, `fsync`, `rename`, `sync` (a folder), `unlink`, `append`, `folder` (make one) or
    `mode`.
    """


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
