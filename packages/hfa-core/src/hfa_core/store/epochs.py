"""Epochs: what a roll writes besides the record that begins the next one, and the page that says an epoch's state."""

from __future__ import annotations

import os

from hfa_core.errors import StorageError
from hfa_core.fs.reading import read_bytes
from hfa_core.store.directory_edit import read_directory_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout

_LABEL = "State:"
SEALED = "SEALED"
ACTIVE = "ACTIVE"


def plan_roll(layout: Layout, epoch: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """
    The files of the step from `epoch` to the next, for one transaction with the record that causes it, and the bytes
    from which the new L0 was made (`edited` of that transaction).

    Raises:
        StorageError, MemoryDamagedError: A file cannot be read. Nothing was written.
    """
    text = read_directory_text(layout)
    text.set_epoch(epoch + 1)
    text.parse()
    files = {
        layout.framework(epoch): _with_state(layout.framework(epoch), epoch, SEALED),
        layout.framework(epoch + 1): _with_state(layout.framework(epoch + 1), epoch + 1, ACTIVE),
        layout.directory: text.render(),
    }
    return files, {layout.directory: text.original}


def render_framework(epoch: int, state: str) -> str:
    """The page that says whether an epoch is active or sealed."""
    return f"# Epoch {epoch}\n\n{_LABEL} {state}\n"


def restate(layout: Layout, epoch: int, active: int) -> tuple[str, bytes] | None:
    """
    The page of an epoch with the state that follows from the `active` one, and where it stands; None if it says so, or
    is missing. A merge by union leaves the states of both branches on it.

    Raises:
        StorageError: It cannot be read.
    """
    path = layout.framework(epoch)
    if not os.path.exists(path):
        return None
    data = _with_state(path, epoch, SEALED if epoch < active else ACTIVE)
    return None if read_bytes(path) == data else (path, data)


def _with_state(path: str, epoch: int, state: str) -> bytes:
    """The page with another state, said once; what a person added to it stays."""
    try:
        lines = read_bytes(path).decode().splitlines(keepends=True)
    except (FileNotFoundError, UnicodeDecodeError):
        return render_framework(epoch, state).encode()
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error
    first, *others = [number for number, line in enumerate(lines) if line.startswith(_LABEL)] or [-1]
    if first < 0:
        return render_framework(epoch, state).encode() + "".join(lines).encode()
    line = lines[first]
    lines[first] = f"{_LABEL} {state}" + line[len(line.rstrip()) :]
    return "".join(line for number, line in enumerate(lines) if number not in others).encode()
