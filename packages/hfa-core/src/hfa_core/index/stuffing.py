"""Verification of hit words: lists so long or so common that they single out nothing any more."""

from __future__ import annotations

from hfa_core.index.analyzer import gram_key
from hfa_core.index.problem import WARNING, Problem
from hfa_core.index.stop_words import is_telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hfa_core.fs.layout import Layout
    from hfa_core.model import Chunk
    from hfa_core.store.directory import Directory

NODE_HIT_WORDS = 32
"""choice: four times what a record may have; a node that answers to more words is a topic no longer."""
IDLE_HIT_WORDS = 3
"""From so many on, words that nobody searches for are no slip any more."""
_SHOWN = 3


def check_hit_words(layout: Layout, chunks: Iterable[Chunk], directory: Directory | None) -> Iterator[Problem]:
    """Nodes and records with stuffed hit words. It gains nothing in recall, and misleads those who read the list."""
    for node in directory.nodes if directory else ():
        count = len(node.hit_words)
        if count > NODE_HIT_WORDS:
            text = f"{node.id} {node.title} has {count} hit words; more than {NODE_HIT_WORDS} single out nothing"
            yield _problem(layout.directory, text, f"keep the few that name what {node.id} is about")
        else:
            yield from _check_idle(layout.directory, f"{node.id} {node.title}", node.hit_words)
    for chunk in chunks:
        yield from _check_idle(layout.chunk(chunk.id), chunk.title, chunk.hit_words)


def _check_idle(path: str, name: str, words: tuple[str, ...]) -> Iterator[Problem]:
    idle = [word for word in words if not is_telling(gram_key(word))]
    if len(idle) >= IDLE_HIT_WORDS:
        shown = ", ".join(idle[:_SHOWN]) + (", ..." if len(idle) > _SHOWN else "")
        text = f"{name} has {len(idle)} hit words that stand in any prompt and never count: {shown}"
        yield _problem(path, text, "name what the text is about; a record is replaced by one that supersedes it")


def _problem(path: str, text: str, fix: str) -> Problem:
    return Problem("hit_words_stuffed", path, text, fix, severity=WARNING)
