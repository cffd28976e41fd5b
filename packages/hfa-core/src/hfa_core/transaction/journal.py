"""The journal: an operation on several files that is decided, and what is left to do for it."""

from __future__ import annotations

import os

from hfa_core.errors import JournalError
from hfa_core.fs.atomic import TEMPORARY_PREFIX
from hfa_core.fs.reading import read_bytes
from hfa_core.light.json_codec import as_list, as_mapping, as_text, parse_json, render_json
from hfa_core.light.sha256 import sha256_hex
from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout

FORMAT = "hfa-transaction/1"


class Step(Record):
    """
    One file of an operation: `staged` holds its new bytes, whose SHA-256 is `digest`.

    Both paths are relative to the memory, with forward slashes; the staged file lies beside its target.
    """

    __slots__ = ("digest", "path", "staged")

    def __init__(self, path: str, staged: str, digest: str) -> None:
        self.path = path
        self.staged = staged
        self.digest = digest


class Journal(Record):
    """A decided operation: its name for messages, and its steps in the order in which they are applied."""

    __slots__ = ("operation", "steps")

    def __init__(self, operation: str, steps: tuple[Step, ...]) -> None:
        self.operation = operation
        self.steps = steps


def render_journal(journal: Journal) -> bytes:
    """The bytes of a journal file; a checksum tells a whole one from a damaged one."""
    steps = [{"path": step.path, "staged": step.staged, "digest": step.digest} for step in journal.steps]
    content: dict[str, object] = {"format": FORMAT, "operation": journal.operation, "steps": steps}
    return (render_json({**content, "checksum": _checksum(content)}, indent=2) + "\n").encode()


def read_journal(layout: Layout) -> Journal | None:
    """
    The operation that stands unfinished in a memory, or None.

    Raises:
        JournalError: There is one that cannot be understood; nothing may be read or written until a person has looked.
    """
    path = layout.journal
    try:
        content = as_mapping(parse_json(read_bytes(path).decode()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise JournalError(path, f"is damaged ({error})") from None
    if content.get("format") != FORMAT:
        raise JournalError(path, f"is of format {as_text(content.get('format'))!r}, this version knows {FORMAT!r}")
    checksum = content.pop("checksum", "")
    if checksum != _checksum(content):
        raise JournalError(path, "is damaged (its checksum does not fit)")
    steps = tuple(_parse_step(layout, as_mapping(entry)) for entry in as_list(content.get("steps")))
    return Journal(as_text(content.get("operation")), steps)


def _parse_step(layout: Layout, entry: dict[str, object]) -> Step:
    step = Step(*(as_text(entry.get(key)) for key in ("path", "staged", "digest")))
    folder, _, name = step.staged.rpartition("/")
    if not name.startswith(TEMPORARY_PREFIX) or folder != step.path.rpartition("/")[0]:
        raise JournalError(layout.journal, f"names {step.staged!r} as new bytes of {step.path!r}, which it cannot be")
    if not is_inside(layout, step.path):
        raise JournalError(layout.journal, f"names a file outside the memory ({step.path!r})")
    return step


def is_inside(layout: Layout, path: str) -> bool:
    """Whether a path relative to the memory stays inside it, through links too."""
    parts = path.split("/")
    if "\\" in path or ":" in path or any(part in ("", ".", "..") for part in parts):
        return False
    root = os.path.realpath(layout.root)
    # The parent decides where a file would be made; what a link in its place points to is replaced, not followed.
    return os.path.realpath(os.path.join(root, *parts[:-1])) == os.path.join(root, *parts[:-1]).rstrip(os.sep)


def locate_part(layout: Layout, path: str) -> str:
    """The file that a path relative to the memory, with forward slashes, names."""
    return os.path.join(layout.root, *path.split("/"))


def _checksum(content: dict[str, object]) -> str:
    return sha256_hex(render_json(content).encode())
