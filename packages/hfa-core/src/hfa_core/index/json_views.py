"""The JSON views of a memory, for other programs: what records say, where hit words lead, the nodes of L0."""

from __future__ import annotations

import os

from hfa_core.fs.atomic import make_folder, write_atomic
from hfa_core.fs.reading import read_bytes
from hfa_core.index.analyzer import document_terms, gram_key
from hfa_core.index.synonyms import Synonyms, read_aliases
from hfa_core.light.json_codec import render_json
from hfa_core.store.schema import compare_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hfa_core.fs.layout import Layout
    from hfa_core.model import Chunk
    from hfa_core.store.directory import Directory

SEARCH = "search.json"
HIT_WORDS = "hitwords.json"
PROJECTS = "projects.json"
NAMES = (SEARCH, HIT_WORDS, PROJECTS)


def write_json_views(
    layout: Layout, directory: Directory, chunks: list[Chunk], successors: dict[str, str], source_digest: str
) -> list[str]:
    """
    Write the views that are missing or behind; their paths. The memory's lock must be held.

    Raises:
        StorageError: The system refused. Views that were written stay.
    """
    behind = find_json_views_behind(layout, directory, chunks, successors, source_digest)
    make_folder(layout.index, within=layout.root)
    for path, data in behind.items():
        write_atomic(path, data, durable=False, within=layout.root)
    return list(behind)


def find_json_views_behind(
    layout: Layout, directory: Directory, chunks: list[Chunk], successors: dict[str, str], source_digest: str
) -> dict[str, bytes]:
    """
    The views that are missing or behind, by their paths, with the bytes that they should have.

    The same files of truth give the same bytes, and every view carries the same `source_digest`.
    """
    known = Synonyms(read_aliases(layout))
    contents = {
        SEARCH: {"chunks": [_searchable(chunk, successors, known) for chunk in chunks]},
        HIT_WORDS: {"hit_words": _hit_words(directory, chunks)},
        PROJECTS: _projects(directory),
    }
    behind: dict[str, bytes] = {}
    for name, content in contents.items():
        form = f"hfa-{name.removesuffix('.json')}/1"
        data = render_json({"format": form, "source_digest": source_digest, **content}, indent=2).encode() + b"\n"
        path = os.path.join(layout.index, name)
        if _read(path) != data:
            behind[path] = data
    return behind


def _searchable(chunk: Chunk, successors: dict[str, str], known: Synonyms) -> dict[str, object]:
    """A record's title, text and synonyms, each as written and as the index holds it: with its groups' terms."""
    text = [*chunk.conclusion, *chunk.paths]
    synonyms = [*chunk.hit_words, *chunk.tags]
    return {
        "id": chunk.id,
        "node": chunk.node,
        "kind": chunk.kind,
        "superseded_by": successors[chunk.id].split(", ") if chunk.id in successors else [],
        "title": chunk.title,
        "text": text,
        "synonyms": synonyms,
        "terms": {
            "title": _terms([chunk.title]),
            "text": _terms(text),
            "synonyms": [
                *_terms(synonyms),
                *known.concepts(map(gram_key, [chunk.title, *synonyms, *chunk.conclusion])),
            ],
        },
    }


def _terms(lines: Iterable[str]) -> list[str]:
    terms = document_terms("\n".join(lines))
    return list(dict.fromkeys([*terms.content, *terms.exact]))


def _hit_words(directory: Directory, chunks: list[Chunk]) -> dict[str, object]:
    """Each hit word in the form in which prompts are searched for it, with the nodes and records that it leads to."""
    nodes: dict[str, list[str]] = {}
    records: dict[str, list[str]] = {}
    for node in directory.nodes:
        for word in _normalised(node.hit_words):
            nodes.setdefault(word, []).append(node.id)
    for chunk in chunks:
        for word in _normalised(chunk.hit_words):
            records.setdefault(word, []).append(chunk.id)
    return {
        word: {"nodes": nodes.get(word, []), "chunks": records.get(word, [])} for word in sorted({*nodes, *records})
    }


def _normalised(words: tuple[str, ...]) -> list[str]:
    # A word of punctuation alone has no form of that kind, and is never found; it is listed as it is compared.
    return list(dict.fromkeys(gram_key(word) or compare_form(word) for word in words))


def _projects(directory: Directory) -> dict[str, object]:
    return {
        "epoch": directory.epoch,
        "nodes": [
            {
                "id": node.id,
                "title": node.title,
                "path": node.path,
                "state": node.state,
                "branch": node.branch,
                "hit_words": list(node.hit_words),
            }
            for node in directory.nodes
        ],
    }


def _read(path: str) -> bytes:
    """A view's bytes; none where it is missing or cannot be read, and so is written anew."""
    try:
        return read_bytes(path)
    except OSError:
        return b""
