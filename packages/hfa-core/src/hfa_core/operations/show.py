"""One record asked for by its id, whatever its state: the facts of `hfa show`."""

from __future__ import annotations

from hfa_core.errors import HfaError
from hfa_core.index.database import open_database
from hfa_core.index.identify import identify
from hfa_core.index.lineage import find_chain, read_link
from hfa_core.index.sync import sync_to_read
from hfa_core.model import Record
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import read_directory
from hfa_core.tokens.exact import load_counter
from hfa_core.transaction.opening import ensure_recovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.index.lineage import Link
    from hfa_core.model import Chunk, Source

SOURCE_FIELDS = ("kind", "host", "session", "ref", "branch", "commit")


class Shown(Record):
    """A record: where it stands, its content if its file can be read, and the chain it is part of, if asked for."""

    __slots__ = ("chain", "chunk", "link", "path")

    def __init__(self, path: str, link: Link, chunk: Chunk | None, chain: list[Link]) -> None:
        self.path = path
        self.link = link
        self.chunk = chunk
        self.chain = chain

    def as_json(self) -> dict[str, object]:
        """The record as the JSON of `hfa show --json`, without its history."""
        return {"path": self.path, **link_as_json(self.link), **(_fields(self.chunk) if self.chunk else {})}


def find_record(layout: Layout, asked: str, *, with_chain: bool = False) -> Shown:
    """
    The record that a whole or abbreviated id names.

    Raises:
        UnknownRecordError, AmbiguousIdError: The id names none, or several.
        HfaError: As `ensure_recovered` and `sync_to_read`.
    """
    ensure_recovered(layout)
    directory = read_directory(layout)
    with open_database(layout) as database:
        sync_to_read(database, directory, find_counter=load_counter)
        chunk_id = identify(database, asked)
        link = read_link(database, chunk_id)
        chain = find_chain(database, chunk_id) if with_chain else []
    chunk: Chunk | None = None
    try:
        chunk = read_chunk(layout, chunk_id)
    except HfaError as error:
        link.problem = link.problem or str(error)
    return Shown(layout.chunk(chunk_id), link, chunk, chain)


def link_as_json(link: Link) -> dict[str, object]:
    """Where a record stands among others."""
    return {
        "id": link.id,
        "state": link.state,
        "superseded_by": list(link.successors),
        "title": link.title,
        "created_at": link.created_at,
        "problem": link.problem,
    }


def source_as_json(source: Source) -> dict[str, str]:
    """A source with every field of it."""
    return {name: getattr(source, name) for name in SOURCE_FIELDS}


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
