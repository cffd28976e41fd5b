"""What `hfa show --history` tells: the chain of a record, why each one was replaced, and what git says of the files."""

from __future__ import annotations

import os

from hfa_core.cli.git_log import Commit, log_files
from hfa_core.errors import HfaError
from hfa_core.fs.layout import Layout
from hfa_core.index.lineage import Link
from hfa_core.model import Chunk, Source
from hfa_core.operations.show import source_as_json
from hfa_core.store.chunks import read_chunk

_COMMIT_SHOWN = 12


class History:
    """A chain, oldest first, with the records that can be read and the commits that brought each file."""

    def __init__(self, layout: Layout, chain: list[Link]) -> None:
        self.chain = chain
        self._chunks = {link.id: chunk for link in chain if (chunk := _read(layout, link.id)) is not None}
        commits = log_files(layout.chunks, [os.path.basename(layout.chunk(link.id)) for link in chain])
        self._commits = {link.id: commits.get(os.path.basename(layout.chunk(link.id)), []) for link in chain}

    def commits_of(self, chunk_id: str) -> list[Commit]:
        """The commits that touched a record's file, oldest first; none outside git."""
        return self._commits.get(chunk_id, [])

    def reasons_of(self, link: Link) -> list[Chunk]:
        """
        The records that replaced one, where they can be read: what each says instead, and where it comes from, is
        why. The format has no other field for a reason.
        """
        return [self._chunks[new] for new in link.successors if new in self._chunks]

    def reasons_as_json(self, link: Link) -> list[dict[str, object]]:
        """The reasons in the form that `--json` promises."""
        return [
            {
                "id": chunk.id,
                "title": chunk.title,
                "conclusion": list(chunk.conclusion),
                "created_at": chunk.created_at,
                "source": source_as_json(chunk.source),
            }
            for chunk in self.reasons_of(link)
        ]

    def describe(self, chunk_id: str, states: dict[str, str]) -> list[str]:
        """The lines for a person; `states` gives each record's state in words, `chunk_id` is marked."""
        lines = ["", "History, oldest first:"]
        for link in self.chain:
            mark = "*" if link.id == chunk_id else " "
            date = link.created_at[:10] or "no date   "
            lines.append(f"{mark} {date}  {link.id}  {link.title or '(no title)'}  [{states[link.id]}]")
            for chunk in self.reasons_of(link):
                lines.append(f"    why: {chunk.id}: {' / '.join(chunk.conclusion)} ({describe_source(chunk.source)})")
            for one in self.commits_of(link.id):
                lines.append(f"    git: {one.date}  {one.commit}  {one.subject}  ({one.author})")
        return lines


def describe_origin(source: Source) -> str:
    """Who wrote a record where, without its reference."""
    facts = [source.kind, source.host, *([f"session {source.session}"] if source.session else [])]
    facts += [f"branch {source.branch}"] if source.branch else []
    facts += [f"commit {source.commit[:_COMMIT_SHOWN]}"] if source.commit else []
    return ", ".join(one for one in facts if one)


def describe_source(source: Source) -> str:
    """Who wrote a record where, and what it refers to."""
    return describe_origin(source) + (f"; {source.ref}" if source.ref else "")


def _read(layout: Layout, chunk_id: str) -> Chunk | None:
    try:
        return read_chunk(layout, chunk_id)
    except HfaError:
        return None
