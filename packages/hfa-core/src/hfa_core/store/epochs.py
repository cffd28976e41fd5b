"""Epochs: what a roll writes besides the record that begins the next one."""

from __future__ import annotations

from hfa_core.errors import StorageError
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


def _with_state(path: str, epoch: int, state: str) -> bytes:
    """The page with another state; what a person added to it stays."""
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            lines = stream.read().splitlines(keepends=True)
    except (FileNotFoundError, UnicodeDecodeError):
        return render_framework(epoch, state).encode()
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error
    for number, line in enumerate(lines):
        if line.startswith(_LABEL):
            lines[number] = f"{_LABEL} {state}" + line[len(line.rstrip()) :]
            return "".join(lines).encode()
    return render_framework(epoch, state).encode() + "".join(lines).encode()
