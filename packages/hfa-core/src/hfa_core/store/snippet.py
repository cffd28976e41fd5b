"""Records and nodes as text for a model: the one renderer of a snippet, and what it costs in tokens."""

from __future__ import annotations

from hfa_core.store.schema import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.model import Chunk, Node

LINE_MARK = "| "
"""Begins every line of record text, so that no line of a record can be taken for the frame around it."""

SHOWN_PATHS = 2
"""A path costs a dozen tokens; the first ones say where to look."""

_TAG_STARTS = ("/", "|", "system", "hook", "hfa", "user", "assistant", "human", "developer", "instruction", "antml",
               "invoke", "function", "qwen", "gemini")  # fmt: skip


def render_snippet(chunk: Chunk) -> str:
    """
    The lines of a record: id and title, the conclusion, where it came from.

    Angle brackets that look like a host's own markup are replaced by look-alikes: hosts do not escape injected text. A
    file made by hand may hold line ends where the format has none; they become blanks, so that every line has its mark.
    """
    origin = [chunk.kind, chunk.created_at[:10]]
    if chunk.source.ref:
        origin.append(f"source: {chunk.source.ref}")
    if chunk.paths:
        more = len(chunk.paths) - SHOWN_PATHS
        origin.append("paths: " + ", ".join(chunk.paths[:SHOWN_PATHS]) + (f" and {more} more" if more > 0 else ""))
    lines = [f"[{chunk.id}] {chunk.title}", *chunk.conclusion, f"({'; '.join(origin)})"]
    return "\n".join(LINE_MARK + defuse(clean_text(line)) for line in lines)


def snippet_tokens(chunk: Chunk) -> int:
    """The estimated tokens of a record's snippet."""
    # A prompt only renders; its counts were stored when the record was indexed.
    from hfa_core.tokens import estimate_tokens

    return estimate_tokens(render_snippet(chunk))


def render_router_line(node: Node) -> str:
    """One line of L0 for a model: id, title, state, path."""
    return f"{node.id} | {node.title} | {node.state} | {node.path}"


def defuse(text: str) -> str:
    """`text` without the openings of tags that a host's prompt uses; `List<int>` stays as it is."""
    pieces = text.split("<")
    for position in range(1, len(pieces)):
        # Without the blanks and invisible characters that a model reads past.
        following = "".join(one for one in pieces[position][:32] if one.isalnum() or one in "/|").lower()
        pieces[position] = ("‹" if following.startswith(_TAG_STARTS) else "<") + pieces[position]
    return "".join(pieces)
