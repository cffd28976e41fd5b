"""A record as text for a model: the one renderer of a snippet, and what it costs in tokens."""

from __future__ import annotations

from hfa_core.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.model import Chunk

LINE_MARK = "| "
"""Begins every line of record text, so that no line of a record can be taken for the frame around it."""

_TAG_STARTS = ("/", "system", "hook", "hfa", "user", "assistant", "human", "instruction", "qwen", "gemini", "function")


def render_snippet(chunk: Chunk) -> str:
    """
    The lines of a record: id and title, the conclusion, where it came from.

    Angle brackets that look like a host's own markup are replaced by look-alikes: hosts do not escape injected text.
    """
    origin = [chunk.kind, chunk.created_at[:10]]
    if chunk.source.ref:
        origin.append(f"source: {chunk.source.ref}")
    if chunk.paths:
        origin.append("paths: " + ", ".join(chunk.paths))
    lines = [f"[{chunk.id}] {chunk.title}", *chunk.conclusion, f"({'; '.join(origin)})"]
    return "\n".join(LINE_MARK + defuse(line) for line in lines)


def snippet_tokens(chunk: Chunk) -> int:
    """The estimated tokens of a record's snippet."""
    return estimate_tokens(render_snippet(chunk))


def defuse(text: str) -> str:
    """`text` without the openings of tags that a host's prompt uses; `List<int>` stays as it is."""
    pieces = text.split("<")
    for position in range(1, len(pieces)):
        following = pieces[position].lstrip().lower()
        pieces[position] = ("‹" if following.startswith(_TAG_STARTS) else "<") + pieces[position]
    return "".join(pieces)
