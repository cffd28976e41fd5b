"""`hfa node` and its short form `hfa tombstone`."""

from __future__ import annotations

import difflib
import os
import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from hfa_core.capture.remember import refuse_if_off
from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import DryRunOption, JsonOption, MemoryDirOption, open_memory
from hfa_core.fs.layout import Layout
from hfa_core.light.clock import format_utc
from hfa_core.model import Node
from hfa_core.store.directory import read_directory
from hfa_core.store.locate import is_off
from hfa_core.store.nodes import NodeEdit, activate_node, add_node, rename_node, tombstone_node
from hfa_core.store.schema import split_hit_words
from hfa_core.transaction.opening import ensure_recovered

NodeArgument = Annotated[str, typer.Argument(metavar="NODE", help="The node's id, such as S2.")]
TitleArgument = Annotated[str, typer.Argument(metavar="TITLE", help="What the node is about, in one line.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it is kept in tombstones.jsonl.")]


def build_node_app() -> typer.Typer:
    """The commands below `hfa node`."""
    app = typer.Typer(help="Show and change the nodes of the directory.", no_args_is_help=True, rich_markup_mode=None)
    app.command("list")(node_list)
    app.command("add")(node_add)
    app.command("activate")(node_activate)
    app.command("tombstone")(tombstone)
    app.command("rename")(node_rename)
    return app


def node_list(memory_dir: MemoryDirOption = "", as_json: JsonOption = False) -> None:
    """
    List the nodes with their states.

    Example: hfa node list
    """
    layout, _ = open_memory(memory_dir)
    ensure_recovered(layout)
    directory = read_directory(layout)
    if as_json:
        print_json({"epoch": directory.epoch, "nodes": [_as_json(node) for node in directory.nodes]})
    else:
        print_lines(*(f"{node.id:4} {node.state:10} {node.title}" for node in directory.nodes))


def node_add(
    title: TitleArgument,
    kind: Annotated[Literal["main", "side", "profile"], typer.Option(help="What kind of node.")] = "side",
    path: Annotated[str, typer.Option(help="Its page in the memory; else it is named by the id.")] = "",
    branch: Annotated[str, typer.Option(help="The git branch it belongs to.")] = "",
    hit_words: Annotated[
        list[str] | None, typer.Option("--hit-words", "--hit-word", help="Exact words; commas or repetition separate.")
    ] = None,
    dry_run: DryRunOption = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Add a node and its page; it is OPEN until it is activated or tombstoned.

    Example: hfa node add "Mobile client" --hit-words "iOS,Android"
    """
    layout = _open_for_writing(memory_dir)
    words = tuple(word for text in hit_words or () for word in split_hit_words(text))
    letter = kind[0].upper()
    edit = add_node(layout, letter, title, path=path, branch=branch, hit_words=words, time=_now(), dry_run=dry_run)
    _report(layout, edit, dry_run, as_json)


def node_activate(
    node: NodeArgument, dry_run: DryRunOption = False, memory_dir: MemoryDirOption = "", as_json: JsonOption = False
) -> None:
    """
    Make a main line the active one; the one before becomes OPEN.

    Example: hfa node activate M2
    """
    layout = _open_for_writing(memory_dir)
    _report(layout, activate_node(layout, node, time=_now(), dry_run=dry_run), dry_run, as_json)


def tombstone(
    node: NodeArgument,
    reason: ReasonOption,
    dry_run: DryRunOption = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Close a node for good; its records stay in the history.

    Example: hfa tombstone S2 --reason "the mobile client was given up"
    """
    layout = _open_for_writing(memory_dir)
    edit = tombstone_node(layout, node, reason, time=_now(), dry_run=dry_run)
    _report(layout, edit, dry_run, as_json)


def node_rename(
    node: NodeArgument,
    title: TitleArgument,
    dry_run: DryRunOption = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Give a node another title; its id and its records stay.

    Example: hfa node rename S2 "Mobile clients"
    """
    layout = _open_for_writing(memory_dir)
    _report(layout, rename_node(layout, node, title, time=_now(), dry_run=dry_run), dry_run, as_json)


def _now() -> str:
    return format_utc(time.time())


def _open_for_writing(memory_dir: str) -> Layout:
    layout, environment = open_memory(memory_dir)
    refuse_if_off(is_off(environment, layout))
    return layout


def _as_json(node: Node) -> dict[str, object]:
    fields: dict[str, object] = {name: getattr(node, name) for name in ("id", "title", "path", "state", "branch")}
    return {**fields, "hit_words": list(node.hit_words)}


def _report(layout: Layout, edit: NodeEdit, dry_run: bool, as_json: bool) -> None:
    names = [os.path.relpath(path, layout.root).replace(os.sep, "/") for path in edit.files]
    if as_json:
        print_json({"node": _as_json(edit.node), "changed": names, "dry_run": dry_run})
    elif not edit.files:
        print_lines(f"{edit.node.id} is {edit.node.state} already; nothing was changed.")
    elif dry_run:
        for path, name in zip(edit.files, names, strict=True):
            print_lines(*_diff(Path(path), name, edit.files[path]))
        print_lines("Nothing was changed (--dry-run).")
    else:
        print_lines(f"{edit.node.id} {edit.node.title}: {edit.node.state}.")


def _diff(path: Path, name: str, new: bytes) -> list[str]:
    old = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    lines = (old.splitlines(), new.decode("utf-8", "replace").splitlines())
    return list(difflib.unified_diff(*lines, f"a/{name}", f"b/{name}", lineterm="", n=0))
