"""The form of a set on disk: documents, labelled queries, and a split of the queries that never moves."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hfa_core.light.json_codec import as_mapping, as_texts

CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"
TITLE_CHARACTERS = 60
TUNE = "tune"
REPORT = "report"

Line = dict[str, object]
"""One object of a JSONL file, as it stands there."""


class SetError(Exception):
    """A set cannot be read: the message names the file, the line and what is wrong there."""


@dataclass(frozen=True)
class Document:
    """
    One document of a set, to become one record. `supersedes` are the ids that its corpus says it replaces, be it said
    here or there; `session` is the talk it is a turn of, if any.
    """

    id: str
    title: str
    text: str
    group: str = ""
    session: str = ""
    hit_words: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """
    One query. No `relevant` id means that nothing is the right answer; `forbidden` ids were superseded and must not
    be shown, `relevant` then holds the current ones. `near_miss` ids are a question's evidence that is no answer to it.
    """

    id: str
    text: str
    relevant: frozenset[str]
    kind: str = ""
    group: str = ""
    forbidden: frozenset[str] = frozenset()
    near_miss: frozenset[str] = frozenset()

    @property
    def is_positive(self) -> bool:
        """Whether a record answers it; a question about a superseded one is counted apart."""
        return bool(self.relevant) and not self.forbidden


@dataclass(frozen=True)
class EvaluationSet:
    """The documents and the questions of a set, each by group: a group is a memory of its own."""

    name: str
    documents: Mapping[str, list[Document]]
    questions: Mapping[str, list[Question]]


def read_set(folder: Path, *, part: str = "", limit: int = 0) -> EvaluationSet:
    """
    A set from its folder.

    Args:
        part: `tune` or `report` for that half of the questions, empty for all.
        limit: At most so many questions, the first by hash of their id; 0 for all.

    Raises:
        SetError: A file is missing or a line is not of the form.
    """
    documents: dict[str, list[Document]] = defaultdict(list)
    for document in _read_documents(folder / CORPUS):
        documents[document.group].append(document)
    chosen = [one for one in _read_questions(folder / QUERIES) if not part or part_of(one.id) == part]
    if limit:
        kept = {one.id for one in sorted(chosen, key=lambda one: _hash(one.id))[:limit]}
        chosen = [one for one in chosen if one.id in kept]
    questions: dict[str, list[Question]] = defaultdict(list)
    for question in chosen:
        questions[question.group].append(question)
    return EvaluationSet(folder.resolve().name, documents, questions)


def title_of(title: str, text: str) -> str:
    """The title, or the beginning of the text where there is none, as a record without a title gets its first line."""
    return title or text[:TITLE_CHARACTERS]


def part_of(question_id: str) -> str:
    """The half that a question belongs to, by its id alone: `tune` to choose weights on, `report` to quote."""
    return TUNE if _hash(question_id) % 2 == 0 else REPORT


def _hash(question_id: str) -> int:
    return int.from_bytes(hashlib.sha256(question_id.encode()).digest()[:8], "big")


def _read_documents(path: Path) -> Iterator[Document]:
    lines = list(_read_lines(path, ("id", "text")))
    replaced = _find_replaced(lines)
    for line in lines:
        text = str(line["text"])
        yield Document(
            id=str(line["id"]),
            title=title_of(str(line.get("title") or ""), text),
            text=text,
            group=str(line.get("group") or ""),
            session=str(line.get("session") or ""),
            hit_words=as_texts(line.get("hit_words")),
            supersedes=tuple(replaced[str(line["id"])]),
        )


def _find_replaced(lines: list[Line]) -> Mapping[str, list[str]]:
    """By the id of each document, the documents that it replaces; `current` counts only where no link leads on."""
    known = {str(line["id"]) for line in lines}
    replaced: dict[str, dict[str, None]] = defaultdict(dict)
    for line in lines:
        for old in as_texts(line.get("supersedes")):
            replaced[str(line["id"])][old] = None
        for new in as_texts(line.get("superseded_by")):
            replaced[new][str(line["id"])] = None
    dead = {old for new in known for old in replaced[new]}
    for line in lines:
        if line["id"] not in dead:
            for new in as_texts(line.get("current")):
                replaced[new][str(line["id"])] = None
    return defaultdict(
        list, {new: [old for old in olds if old in known and old != new] for new, olds in replaced.items()}
    )


def _read_questions(path: Path) -> Iterator[Question]:
    for line in _read_lines(path, ("id", "query", "relevant")):
        yield Question(
            id=str(line["id"]),
            text=str(line["query"]),
            relevant=frozenset(as_texts(line["relevant"])),
            kind=str(line.get("kind") or ""),
            group=str(line.get("group") or ""),
            forbidden=frozenset(as_texts(line.get("forbidden"))),
            near_miss=frozenset(as_texts(line.get("near_miss"))),
        )


def _read_lines(path: Path, required: tuple[str, ...]) -> Iterator[Line]:
    """The objects of a JSONL file, each with the keys that it must have."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetError(f"{path}: cannot be read: {error}") from error
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = as_mapping(json.loads(line))
        except ValueError as error:
            raise SetError(f"{path}:{number}: is not JSON: {error}") from error
        missing = [key for key in required if key not in found]
        if missing:
            raise SetError(f"{path}:{number}: has no {' and no '.join(missing)}")
        yield dict(found)
