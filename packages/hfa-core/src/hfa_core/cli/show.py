"""`hfa show`."""

from __future__ import annotations

from typing import Annotated

import typer

from hfa_core.cli.history import History, describe_origin
from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.index.lineage import CURRENT, DISPUTED, SUPERSEDED, Link
from hfa_core.model import Chunk
from hfa_core.operations.show import find_record, link_as_json


def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="An id, or as much of it as names one record.")],
    history: Annotated[
        bool, typer.Option("--history", help="Also what it replaced, what replaced it, why, and what git says.")
    ] = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Show one record, a superseded or damaged one too, with its state and where it came from.

    Example: hfa show chunk_0042 --history
    """
    layout, _ = open_memory(memory_dir)
    found = find_record(layout, id, with_chain=history)
    told = History(layout, found.chain) if history else None
    if as_json:
        document = found.as_json()
        if told:
            document["history"] = [
                {**link_as_json(one), "reasons": told.reasons_as_json(one), "commits": _commits(told, one.id)}
                for one in found.chain
            ]
            document["commits"] = _commits(told, found.link.id)
        print_json(document)
    else:
        print_lines(*_describe(found.chunk, found.link, found.path))
        states = {one.id: describe_state(one) for one in found.chain}
        print_lines(*(told.describe(found.link.id, states) if told else []))


def _commits(told: History, chunk_id: str) -> list[dict[str, str]]:
    return [one._asdict() for one in told.commits_of(chunk_id)]


def describe_state(link: Link) -> str:
    """A record's state in a few words, with the ids that replaced it."""
    followers = ", ".join(link.successors)
    if link.state == SUPERSEDED:
        return f"superseded by {followers}"
    if link.state == DISPUTED:
        return f"disputed: superseded by {followers}, and none of them settles it"
    return link.state + (f"; superseded by {followers}" if followers and link.state != CURRENT else "")


def _describe(chunk: Chunk | None, link: Link, path: str) -> list[str]:
    state = f"state      {describe_state(link)}"
    if chunk is None:
        return [link.id, "", state, f"problem    {link.problem}", f"file       {path}"]
    rows = [
        ("hit words", ", ".join(chunk.hit_words)),
        ("kind", chunk.kind),
        ("node", chunk.node),
        ("paths", ", ".join(chunk.paths)),
        ("tags", ", ".join(chunk.tags)),
        ("source", describe_origin(chunk.source)),
        ("reference", chunk.source.ref),
        ("created", f"{chunk.created_at}, epoch {chunk.epoch}"),
        ("supersedes", ", ".join(chunk.supersedes)),
        ("file", path),
    ]
    shown = [f"{name:10} {value}" for name, value in rows if value]
    return [f"{chunk.id}  {chunk.title}", "", *(f"  {line}" for line in chunk.conclusion), "", state, *shown]
