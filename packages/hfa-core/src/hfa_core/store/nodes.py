"""Changing L0 by command: nodes added, activated, tombstoned and renamed, each as a whole and never unsound."""

from __future__ import annotations

import os

from hfa_core.errors import InvalidRecordError, NodeError
from hfa_core.fs.portable import find_unportable
from hfa_core.light.json_codec import render_json
from hfa_core.model import Node, Record
from hfa_core.redact import redact
from hfa_core.store.config import read_config
from hfa_core.store.directory import ACTIVE, OPEN, TOMBSTONED, escape_cell, locate_page, read_directory
from hfa_core.store.directory_edit import read_directory_text
from hfa_core.store.schema import HIT_WORD_CHARACTERS, HIT_WORDS, LINE_CHARACTERS, TITLE_CHARACTERS, clean_text
from hfa_core.store.stream import plan_milestones, with_line
from hfa_core.transaction.commit import commit_files
from hfa_core.transaction.journal import is_inside
from hfa_core.transaction.recover import writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hfa_core.fs.layout import Layout
    from hfa_core.store.directory import Directory
    from hfa_core.store.directory_edit import DirectoryText

FOLDERS = {"M": "main", "S": "branches", "P": "profile"}
_ID_DIGITS = 6


class NodeEdit(Record):
    """What an edit did, or would do: the node as it is then, and the files that change; none if nothing does."""

    __slots__ = ("files", "node")

    def __init__(self, node: Node, files: dict[str, bytes]) -> None:
        self.node = node
        self.files = files


def add_node(
    layout: Layout, letter: str, title: str, *, time: str, path: str = "", branch: str = "",
    hit_words: tuple[str, ...] = (), dry_run: bool = False,
) -> NodeEdit:  # fmt: skip
    """
    A new node in state OPEN with the next free number, and its page unless that is there already.

    Args:
        letter: M (main line), S (side line) or P (profile).
        time: When, in UTC as records have it, for the milestone log; so in the other edits.
        path: Where its page is, below the folder of its kind; else it is named by the id.

    Raises:
        InvalidRecordError, NodeError: A field breaks a rule. Nothing was written. Else as `read_directory`.
    """
    if letter not in FOLDERS:
        raise InvalidRecordError("kind", letter, f"must be one of {', '.join(FOLDERS)}")
    named = _check_text("title", title, TITLE_CHARACTERS)
    words = tuple(_check_text("hit_words", word, HIT_WORD_CHARACTERS) for word in hit_words)
    if len(words) > HIT_WORDS:
        raise InvalidRecordError("hit_words", ", ".join(words), f"must be at most {HIT_WORDS} words")

    def plan(directory: Directory, text: DirectoryText) -> tuple[str, dict[str, bytes]]:
        numbers = [int(node.id[1:]) for node in directory.nodes if node.id.startswith(letter)]
        node_id = f"{letter}{max(numbers, default=0) + 1}"
        page = _check_page(layout, directory, path or f"{FOLDERS[letter]}/{node_id}.md", FOLDERS[letter])
        text.add_row(
            Node(id=node_id, title=named, path=page, state=OPEN, branch=clean_text(redact(branch)), hit_words=words)
        )
        return node_id, _page_if_missing(layout, page, named)

    return _edit(layout, "node add", plan, time, dry_run)


def activate_node(layout: Layout, node_id: str, *, time: str, dry_run: bool = False) -> NodeEdit:
    """
    Make a main line the active one; any other that is becomes OPEN in the same write of one file. It is the way out
    where none or several are active.

    Raises:
        NodeError: It is unknown, no main line, or tombstoned. Nothing was written. Else as `read_directory`.
    """

    def plan(directory: Directory, text: DirectoryText) -> tuple[str, dict[str, bytes]]:
        node = _find(layout, directory, node_id)
        if not node.id.startswith("M"):
            raise NodeError(node.id, "only a main line (M) can be the active one")
        if node.state == TOMBSTONED:
            raise NodeError(node.id, "is tombstoned; add a new main line instead")
        return node.id, plan_activation(layout, directory, text, node)

    return _edit(layout, "node activate", plan, time, dry_run, unclear=True)


def plan_activation(layout: Layout, directory: Directory, text: DirectoryText, node: Node) -> dict[str, bytes]:
    """Make `node` the one active main line in the text of L0; the page that it then has to have, if that is missing."""
    for other in directory.active_mains():
        text.set_cell(other.id, "state", OPEN)
    text.set_cell(node.id, "state", ACTIVE)
    return plan_page(layout, node)


def plan_page(layout: Layout, node: Node) -> dict[str, bytes]:
    """The page of a node, if it is missing: that of an active line must be there, or L0 would not be sound."""
    return _page_if_missing(layout, node.path, node.title)


def tombstone_node(layout: Layout, node_id: str, reason: str, *, time: str, dry_run: bool = False) -> NodeEdit:
    """
    Close a node for good: it takes no more records, and a line of `tombstones.jsonl` says when and why.

    Raises:
        InvalidRecordError: There is no reason, or too long a one. Nothing was written.
        NodeError: It is unknown, the active main line, or tombstoned already. Nothing was written.
    """
    stated = _check_text("reason", reason, LINE_CHARACTERS)

    def plan(directory: Directory, text: DirectoryText) -> tuple[str, dict[str, bytes]]:
        node = _find(layout, directory, node_id)
        if node.state == TOMBSTONED:
            raise NodeError(node.id, "is tombstoned already")
        if node.id == directory.active_main(layout.directory).id:
            raise NodeError(node.id, "is the active main line; activate another one first")
        text.set_cell(node.id, "state", TOMBSTONED)
        line = render_json({"id": node.id, "reason": stated, "time": time}) + "\n"
        return node.id, {layout.tombstones: with_line(layout.tombstones, line)}

    return _edit(layout, "tombstone", plan, time, dry_run)


def rename_node(layout: Layout, node_id: str, title: str, *, time: str, dry_run: bool = False) -> NodeEdit:
    """
    Give a node another title; its id, its page and its records stay.

    Raises:
        InvalidRecordError, NodeError: The title breaks a rule, or the node is unknown. Nothing was written.
    """
    named = _check_text("title", title, TITLE_CHARACTERS)

    def plan(directory: Directory, text: DirectoryText) -> tuple[str, dict[str, bytes]]:
        node = _find(layout, directory, node_id)
        text.set_cell(node.id, "title", escape_cell(named))
        return node.id, {}

    return _edit(layout, "node rename", plan, time, dry_run)


def _edit(
    layout: Layout,
    operation: str,
    plan: Callable[[Directory, DirectoryText], tuple[str, dict[str, bytes]]],
    time: str,
    dry_run: bool,
    *,
    unclear: bool = False,
) -> NodeEdit:
    with writing(layout):
        directory = read_directory(layout)
        if not unclear:
            directory.active_main(layout.directory)
        text = read_directory_text(layout)
        node_id, others = plan(directory, text)
        node = text.parse().find(node_id)
        if node is None:
            raise NodeError(node_id, f"its row in {layout.directory} cannot be edited")
        files = {**others, layout.directory: text.render()} if text.render() != text.original else others
        if files:
            event = f"{operation} {node.id}: {node.title}"
            files = files | plan_milestones(layout, read_config(layout), event, time=time)
        if files and not dry_run:
            commit_files(layout, operation, files, edited={layout.directory: text.original})
        return NodeEdit(node, files)


def _find(layout: Layout, directory: Directory, node_id: str) -> Node:
    if node_id[:1] not in FOLDERS or not (node_id.isascii() and node_id[1:].isdigit() and len(node_id) <= _ID_DIGITS):
        raise NodeError(node_id, "is no node id; an id is M, S or P and a number, such as S2")
    node = directory.find(node_id)
    if node is None:
        known = ", ".join(known.id for known in directory.nodes)
        raise NodeError(node_id, f"is not in {layout.directory}; it has {known}")
    return node


def _check_text(field: str, text: str, limit: int) -> str:
    cleaned = clean_text(redact(text))
    if not cleaned:
        raise InvalidRecordError(field, text, "must not be empty")
    if len(cleaned) > limit:
        raise InvalidRecordError(field, cleaned, f"has more than {limit} characters")
    return cleaned


def _check_page(layout: Layout, directory: Directory, path: str, folder: str) -> str:
    plain = path.replace("\\", "/")
    inside = is_inside(layout, plain) and plain.startswith(folder + "/") and plain.isprintable() and "|" not in plain
    if not (inside and plain.endswith(".md")) or os.path.islink(os.path.join(layout.root, plain)):
        raise InvalidRecordError("path", path, f"must be a .md file below {folder}/ in the memory")
    unportable = find_unportable(plain)
    if unportable:
        raise InvalidRecordError("path", path, unportable)
    if any(node.path == plain for node in directory.nodes):
        raise InvalidRecordError("path", path, "is the page of another node")
    return plain


def _page_if_missing(layout: Layout, path: str, title: str) -> dict[str, bytes]:
    target = locate_page(layout, path)
    return {} if not path or os.path.exists(target) else {target: f"# {title}\n".encode()}
