"""L0, `directory.md`: the table of nodes that a person may edit."""

from __future__ import annotations

import os

from hfa_core.errors import MemoryDamagedError, StorageError
from hfa_core.fs.reading import read_bytes
from hfa_core.light.text import decode_utf8
from hfa_core.model import Node, Record
from hfa_core.store.schema import clean_text, split_hit_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout

ACTIVE = "ACTIVE"
OPEN = "OPEN"
TOMBSTONED = "TOMBSTONED"
COLUMNS = ("id", "title", "path", "state", "branch", "hit words")
EPOCH_LABEL = "Active epoch:"
_EPOCH_DIGITS = 6


class Directory(Record):
    """L0 as parsed: its nodes in the order of the table, and the number of the active epoch."""

    __slots__ = ("epoch", "nodes")

    def __init__(self, nodes: tuple[Node, ...], *, epoch: int = 1) -> None:
        self.nodes = nodes
        self.epoch = epoch

    def find(self, node_id: str) -> Node | None:
        """The node with that id, or None."""
        return next((node for node in self.nodes if node.id == node_id), None)

    def active_main(self, path: str) -> Node:
        """
        The one main line that is ACTIVE.

        Raises:
            MemoryDamagedError: None or several are; `path` is named.
        """
        mains = self.active_mains()
        if len(mains) != 1:
            found = ", ".join(node.id for node in mains) or "none"
            rule = f"exactly one M node must be {ACTIVE}"
            raise MemoryDamagedError(path, f"{rule}, found {found}; `hfa node activate ID` chooses one")
        return mains[0]

    def main_lines(self) -> list[Node]:
        """The main lines that are not tombstoned: those that may be the active one."""
        return [node for node in self.nodes if node.id.startswith("M") and node.state != TOMBSTONED]

    def active_mains(self) -> list[Node]:
        """The main lines that are ACTIVE: one, unless somebody's edit left none or several."""
        return [node for node in self.nodes if node.id.startswith("M") and node.state == ACTIVE]


def read_directory(layout: Layout) -> Directory:
    """
    L0 of a memory.

    Raises:
        MemoryDamagedError: The file is missing, not UTF-8, in conflict, or a row breaks the form; the error says which.
        StorageError: It cannot be read.
    """
    path = layout.directory
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        raise MemoryDamagedError(path, "is missing; bring it back from version control or a backup") from None
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error
    try:
        text = decode_utf8(data)
    except UnicodeDecodeError as error:
        raise MemoryDamagedError(path, f"is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    directory = parse_directory(text, path)
    for node in directory.nodes:
        _check_target(layout, node)
    return directory


def locate_page(layout: Layout, path: str) -> str:
    """
    The file of a node's page, which may not be there. Some file systems decompose the characters of a name, and git
    may carry that form to others; it is the same page.
    """
    target = os.path.join(layout.root, *path.split("/"))
    if path.isascii() or os.path.exists(target):
        return target
    from unicodedata import normalize

    folder, name = os.path.split(target)
    try:
        names = os.listdir(folder)
    except OSError:
        return target
    wanted = normalize("NFC", name)
    return next((os.path.join(folder, other) for other in names if normalize("NFC", other) == wanted), target)


def parse_directory(text: str, path: str) -> Directory:
    """
    L0 from its Markdown; `path` is only for messages. Text around the table is the author's and has no meaning,
    but for a line `Active epoch: N`.

    Raises:
        MemoryDamagedError: As `read_directory`.
    """
    nodes: list[Node] = []
    epoch = 1
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.startswith(("<<<<<<< ", ">>>>>>> ")):
            raise MemoryDamagedError(path, f"line {number} holds a git conflict marker; resolve the merge")
        if line.startswith(EPOCH_LABEL):
            digits = line[len(EPOCH_LABEL) :].strip()
            if not (digits.isascii() and digits.isdigit() and len(digits) <= _EPOCH_DIGITS and int(digits)):
                raise MemoryDamagedError(
                    path, f"line {number}: `{EPOCH_LABEL}` needs a number from 1, found {digits!r:.60}"
                )
            epoch = int(digits)
        elif line.startswith("|"):
            cells = split_row(line)
            if not _is_heading(cells):
                nodes.append(_parse_row(cells, path, number))
    seen: set[str] = set()
    for node in nodes:
        if node.id in seen:
            raise MemoryDamagedError(path, f"node {node.id} stands in two rows; give one of them a new id")
        seen.add(node.id)
    return Directory(tuple(nodes), epoch=epoch)


def render_directory(directory: Directory) -> str:
    """L0 as Markdown."""
    heading = [_render_cells(COLUMNS), _render_cells(tuple("---" for _ in COLUMNS))]
    rows = [render_row(node) for node in directory.nodes]
    return "\n".join(["# Directory", "", f"{EPOCH_LABEL} {directory.epoch}", "", *heading, *rows, ""])


def render_row(node: Node) -> str:
    """One line of the table."""
    return _render_cells((node.id, node.title, node.path, node.state, node.branch, ", ".join(node.hit_words)))


def escape_cell(text: str) -> str:
    """A text as it stands in a cell."""
    return clean_text(text).replace("|", "\\|")


def _render_cells(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(escape_cell(cell) for cell in cells) + " |"


def split_row(line: str) -> list[str]:
    """The cells of a line of the table, without the blanks around them."""
    cells: list[str] = [""]
    escaped = False
    for character in line:
        if character == "|" and not escaped:
            cells.append("")
        else:
            cells[-1] += character
        # As GitHub reads tables: a backslash escapes a pipe even after another backslash.
        escaped = character == "\\"
    inner = cells[1:-1] if line.endswith("|") else cells[1:]
    return [cell.replace("\\|", "|").strip() for cell in inner]


def _is_heading(cells: list[str]) -> bool:
    return not cells or cells[0].lower() == COLUMNS[0] or all(cell and not cell.strip(":-") for cell in cells)


def _parse_row(cells: list[str], path: str, number: int) -> Node:
    if len(cells) != len(COLUMNS):
        raise MemoryDamagedError(
            path, f"line {number} has {len(cells)} cells, not {len(COLUMNS)} ({', '.join(COLUMNS)})"
        )
    node_id, title, target, state, branch, words = cells
    if node_id[:1] not in ("M", "S", "P") or not (node_id.isascii() and node_id[1:].isdigit()):
        raise MemoryDamagedError(path, f"line {number}: node id {node_id!r} must be M, S or P and a number")
    if state not in (ACTIVE, OPEN, TOMBSTONED):
        raise MemoryDamagedError(path, f"line {number}: state {state!r} must be {ACTIVE}, {OPEN} or {TOMBSTONED}")
    plain = target.replace("\\", "/")
    if plain.startswith(("/", "~")) or ":" in plain or ".." in plain.split("/") or not plain.isprintable():
        raise MemoryDamagedError(path, f"line {number}: path {target!r} must stay inside the memory")
    return Node(id=node_id, title=title, path=plain, state=state, branch=branch, hit_words=split_hit_words(words))


def _check_target(layout: Layout, node: Node) -> None:
    """A node's file must be inside the memory even through links, and the main lines' files must be there."""
    if not node.path:
        return
    target = locate_page(layout, node.path)
    root = os.path.realpath(layout.root)
    if os.path.commonpath([root, os.path.realpath(target)]) != root:
        raise MemoryDamagedError(layout.directory, f"path {node.path!r} of {node.id} leaves the memory through a link")
    if node.state == ACTIVE and not os.path.exists(target):
        raise MemoryDamagedError(layout.directory, f"{node.id} points to {node.path!r}, which is missing")
