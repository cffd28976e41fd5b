"""`hfa show`."""

from __future__ import annotations

from typing import Annotated

import typer

from hfa_core.cli.history import History, describe_origin, source_as_json
from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.errors import HfaError
from hfa_core.index.database import open_database
from hfa_core.index.identify import identify
from hfa_core.index.lineage import CURRENT, DISPUTED, SUPERSEDED, Link, find_chain, read_link
from hfa_core.index.sync import sync_to_read
from hfa_core.model import Chunk
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import read_directory
from hfa_core.tokens.exact import load_counter
from hfa_core.transaction.opening import ensure_recovered


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
    ensure_recovered(layout)
    directory = read_directory(layout)
    with open_database(layout) as database:
        sync_to_read(database, directory, find_counter=load_counter)
        chunk_id = identify(database, id)
        link = read_link(database, chunk_id)
        chain = find_chain(database, chunk_id) if history else []
    path = layout.chunk(chunk_id)
    chunk: Chunk | None = None
    try:
        chunk = read_chunk(layout, chunk_id)
    except HfaError as error:
        link.problem = link.problem or str(error)
    told = History(layout, chain) if history else None
    if as_json:
        document = {"path": path, **_as_json(link), **(_fields(chunk) if chunk else {})}
        if told:
            document["history"] = [
                {**_as_json(one), "reasons": told.reasons_as_json(one), "commits": _commits(told, one.id)}
                for one in chain
            ]
            document["commits"] = _commits(told, chunk_id)
        print_json(document)
    else:
        print_lines(*_describe(chunk, link, path))
        states = {one.id: describe_state(one) for one in chain}
        print_lines(*(told.describe(chunk_id, states) if told else []))


def _commits(told: History, chunk_id: str) -> list[dict[str, str]]:
    return [one._asdict() for one in told.commits_of(chunk_id)]


def _as_json(link: Link) -> dict[str, object]:
    return {
        "id": link.id,
        "state": link.state,
        "superseded_by": list(link.successors),
        "title": link.title,
        "created_at": link.created_at,
        "problem": link.problem,
    }


def _fields(chunk: Chunk) -> dict[str, object]:
    return {
        "title": chunk.title,
        "conclusion": list(chunk.conclusion),
        "hit_words": list(chunk.hit_words),
        "kind": chunk.kind,
        "node": chunk.node,
        "paths": list(chunk.paths),
        "tags": list(chunk.tags),
        "source": source_as_json(chunk.source),
        "supersedes": list(chunk.supersedes),
        "request_id": chunk.request_id,
        "created_at": chunk.created_at,
        "epoch": chunk.epoch,
        "digest": chunk.digest,
    }


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
