"""Changes to the bytes of `directory.md` that leave everything else a person wrote in it as it is."""

from __future__ import annotations

from hfa_core.errors import MemoryDamagedError
from hfa_core.fs.reading import read_bytes
from hfa_core.store.directory import COLUMNS, EPOCH_LABEL, parse_directory, render_row, split_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.model import Node
    from hfa_core.store.directory import Directory

_BOM = "\ufeff"


class DirectoryText:
    """The text of L0 while it is edited: its lines with the ends that they have; `original` are the bytes as read."""

    def __init__(self, data: bytes, path: str) -> None:
        text = data.decode()
        self.original = data
        self._path = path
        self._bom = _BOM if text.startswith(_BOM) else ""
        self._lines = text[len(self._bom) :].splitlines(keepends=True)
        self._newline = "\r\n" if self._lines and self._lines[0].endswith("\r\n") else "\n"

    def set_epoch(self, epoch: int) -> None:
        """Move the line `Active epoch: N`; where there is none, put one before the table."""
        # As the parser reads it, the last such line counts.
        for number in range(len(self._lines) - 1, -1, -1):
            line = self._lines[number]
            if line.strip().startswith(EPOCH_LABEL):
                start = line.index(EPOCH_LABEL) + len(EPOCH_LABEL)
                old = line[start:].strip()
                self._lines[number] = line[:start] + line[start:].replace(old, str(epoch), 1)
                return
        table = next(number for number, line in enumerate(self._lines) if _is_table(line))
        self._lines[table:table] = [f"{EPOCH_LABEL} {epoch}{self._newline}", self._newline]

    def set_cell(self, node_id: str, column: str, value: str) -> None:
        """Give one cell of a node's row another content; blanks around it stay."""
        for number, line in enumerate(self._lines):
            if _is_table(line) and split_row(line.strip())[0] == node_id:
                self._lines[number] = _with_cell(line, COLUMNS.index(column), value)
                return

    def add_row(self, node: Node) -> None:
        """Put a node's row after the last one."""
        last = max(number for number, line in enumerate(self._lines) if _is_table(line))
        line = self._lines[last]
        if line == line.rstrip("\r\n"):
            self._lines[last] = line + self._newline
        self._lines.insert(last + 1, render_row(node) + self._newline)

    def parse(self) -> Directory:
        """
        L0 as it would be read.

        Raises:
            MemoryDamagedError: It would not be sound, so it must not be written.
        """
        directory = parse_directory("".join(self._lines), self._path)
        directory.active_main(self._path)
        return directory

    def render(self) -> bytes:
        """The bytes to write."""
        return (self._bom + "".join(self._lines)).encode()


def read_directory_text(layout: Layout) -> DirectoryText:
    """
    L0 for editing; read it with `read_directory` first, which says what is wrong with it.

    Raises:
        MemoryDamagedError: It is not UTF-8, or gone.
    """
    try:
        return DirectoryText(read_bytes(layout.directory), layout.directory)
    except (OSError, UnicodeDecodeError) as error:
        raise MemoryDamagedError(layout.directory, f"cannot be edited ({error})") from None


def _is_table(line: str) -> bool:
    return line.lstrip().startswith("|")


def _with_cell(line: str, column: int, value: str) -> str:
    bars = [
        place for place, character in enumerate(line) if character == "|" and (place == 0 or line[place - 1] != "\\")
    ]
    start = bars[column] + 1
    end = bars[column + 1] if column + 1 < len(bars) else len(line.rstrip())
    cell = line[start:end]
    lead = cell[: len(cell) - len(cell.lstrip())] or " "
    tail = cell[len(cell.rstrip()) :] if cell.strip() else ""
    return line[:start] + lead + value + (tail or " ") + line[end:]
