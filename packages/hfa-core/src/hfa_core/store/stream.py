"""The milestone log `history/stream.md`: one line for each operation, in a memory whose configuration asks for it."""

from __future__ import annotations

from hfa_core.errors import StorageError
from hfa_core.fs.reading import read_bytes
from hfa_core.store.schema import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.store.config import Config


def plan_milestones(layout: Layout, config: Config, *events: str, time: str) -> dict[str, bytes]:
    """
    The log with a line more for each of `events`, to be written in one transaction with what they tell of; nothing
    where the log is off. `time` is in UTC, as records have it.

    A line says when and what, so that a merge by union keeps the lines of both branches, each once.

    Raises:
        StorageError: The log cannot be read. Nothing was written.
    """
    if not config.stream or not events:
        return {}
    lines = "".join(f"- {time} {clean_text(event)}\n" for event in events)
    return {layout.stream: with_line(layout.stream, lines)}


def with_line(path: str, line: str) -> bytes:
    """
    The bytes of a file, if there is one, and a line more; the last line gets its end if it has none.

    Raises:
        StorageError: The file cannot be read.
    """
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error
    return data + (b"\n" if data and not data.endswith(b"\n") else b"") + line.encode()
