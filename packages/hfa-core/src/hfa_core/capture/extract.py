"""What a turn decided, as drafts: a structured decision, or fenced `hfa-memory` blocks in the last message."""

from __future__ import annotations

import os

from hfa_core.errors import InvalidRecordError
from hfa_core.light.json_codec import as_mapping, as_text, as_texts, parse_json
from hfa_core.model import Draft, Source
from hfa_core.store.schema import LIST_ITEMS, split_hit_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hfa_core.model import HookEvent

FENCE = "hfa-memory"
MAXIMUM_BLOCKS = 8
TOUCHED_PATHS = 5
"""A record that names no paths gets those of the turn, if they are this few: more would say nothing."""

_ALIASES = {"hit words": "hit_words", "hit-words": "hit_words", "hitwords": "hit_words", "path": "paths", "tag": "tags"}
_KEYS = ("title", "hit_words", "conclusion", "kind", "node", "paths", "tags", "supersedes", "ref")
_LINES = ("hit_words", "conclusion", "paths", "tags", "supersedes")
_LIST_MARKS = " -*+0123456789.)"
_BLOCK_SCALARS = ("|", ">", "|-", ">-")
"""YAML's way to say that the text follows, which agents write out of habit; so are brackets around a list."""


def find_blocks(message: str) -> list[str]:
    """
    The contents of the `hfa-memory` fences of a message, in order.

    A fence inside another fence, a list item, a quotation or an HTML comment is an example, not a decision; a fence
    without an end is not taken.
    """
    blocks: list[str] = []
    fence, wanted, lines = "", False, list[str]()
    for line in _without_comments(message).splitlines():
        marks = _fence_marks(line)
        if not fence:
            info = line.lstrip(_LIST_MARKS).strip()[len(marks) :].strip()
            # Backticks after the opening ones make it a code span on one line.
            if marks and not (marks[0] == "`" and "`" in info):
                listed = line.strip()[0] != marks[0]
                fence, wanted, lines = marks, info.lower() == FENCE and not listed, []
        elif marks.startswith(fence) and line.strip() == marks:
            if wanted:
                blocks.append("\n".join(lines))
            fence = ""
        else:
            lines.append(line)
    return blocks[:MAXIMUM_BLOCKS]


def _fence_marks(line: str) -> str:
    """
    The run of three or more backticks or tildes that opens or closes a fence, in a list item too; source: CommonMark
    0.31, 4.5 and 5.2.
    """
    stripped = line.lstrip(_LIST_MARKS)
    indent = len(line) - len(line.lstrip(" "))
    if indent > 3 or stripped[:3] not in ("```", "~~~"):
        return ""
    length = len(stripped) - len(stripped.lstrip(stripped[0]))
    return stripped[:length]


def _without_comments(message: str) -> str:
    for opening, closing in (("<!--", "-->"), ("<pre", "</pre>")):
        while (start := message.find(opening)) >= 0:
            end = message.find(closing, start)
            message = message[:start] + (message[end + len(closing) :] if end >= 0 else "")
    return message


def parse_block(text: str) -> dict[str, object]:
    """
    The fields of a block: one JSON object, or lines `key: value`, where a list goes on in lines that begin with `- `.

    Raises:
        InvalidRecordError: A line is neither, or names an unknown field.
    """
    if text.lstrip().startswith("{"):
        try:
            fields = as_mapping(parse_json(text))
        except ValueError as error:
            raise InvalidRecordError("hfa-memory block", text, f"is not JSON ({error})") from None
        return {_known_key(key): value for key, value in fields.items()}
    found: dict[str, object] = {}
    key = ""
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped:
            continue
        name, colon, value = min(stripped.partition(":"), stripped.partition("："), key=lambda parts: len(parts[0]))
        plain = name.strip().lower()
        if colon and _ALIASES.get(plain, plain) in _KEYS:
            key = _ALIASES.get(plain, plain)
            _add_value(found, key, value.strip())
        elif key in _LINES:
            _add_value(found, key, stripped.removeprefix("- ").strip())
        else:
            raise InvalidRecordError(
                "hfa-memory block", stripped, f"must be `key: value` with a key of {', '.join(_KEYS)}"
            )
    return found


def _known_key(key: str) -> str:
    plain = _ALIASES.get(key.strip().lower(), key.strip().lower())
    if plain not in _KEYS:
        raise InvalidRecordError("hfa-memory block", key, f"is not a field; the fields are {', '.join(_KEYS)}")
    return plain


def _add_value(found: dict[str, object], key: str, value: str) -> None:
    value = "" if value in _BLOCK_SCALARS else value
    if key in ("hit_words", "paths", "tags", "supersedes") and value.startswith("[") and value.endswith("]"):
        value = value[1:-1]
    if key not in _LINES:
        found[key] = value
    elif value:
        found[key] = [*as_texts(found.get(key)), value]


def draft_from_fields(fields: Mapping[str, object], source: Source) -> Draft:
    """
    A draft from the fields of a block or of a structured decision; `store.schema.check_draft` judges it.

    A missing title is the first line of the conclusion; missing hit words are an error the check reports.
    """
    conclusion = as_texts(fields.get("conclusion"))
    words = fields.get("hit_words")
    ref = as_text(fields.get("ref"))
    return Draft(
        title=as_text(fields.get("title")) or (conclusion[0] if conclusion else ""),
        hit_words=[word for text in as_texts(words) for word in split_hit_words(text)],
        conclusion=[line for text in conclusion for line in text.splitlines()],
        source=Source(
            source.kind, host=source.host, session=source.session, ref=ref, branch=source.branch, commit=source.commit
        ),
        kind=as_text(fields.get("kind")) or "decision",
        node=as_text(fields.get("node")),
        paths=_split_list(fields.get("paths")),
        tags=_split_list(fields.get("tags")),
        supersedes=_split_list(fields.get("supersedes")),
    )


def _split_list(value: object) -> list[str]:
    return [part.strip() for text in as_texts(value) for part in text.split(",") if part.strip()]


def relative_paths(files: tuple[str, ...], workspace: str) -> tuple[str, ...]:
    """The files inside the workspace, relative to it, with forward slashes; others are left out."""
    found: list[str] = []
    root = os.path.realpath(workspace)
    for file in files:
        path = os.path.realpath(file) if os.path.isabs(file) else os.path.normpath(os.path.join(root, file))
        if path.startswith(root + os.sep):
            found.append(path[len(root) + 1 :].replace(os.sep, "/"))
    return tuple(dict.fromkeys(found))


def drafts_of_event(event: HookEvent, source: Source, touched: tuple[str, ...]) -> list[Draft | InvalidRecordError]:
    """
    The drafts of a turn in order; a block that cannot be read stands there as its error, and the others still count.

    A structured decision goes before blocks: with one, the message is not looked at.
    """
    found: list[Draft | InvalidRecordError] = []
    for fields in [event.decision] if event.decision else find_blocks(event.message):
        try:
            parsed = parse_block(fields) if isinstance(fields, str) else {_known_key(k): v for k, v in fields.items()}
            draft = draft_from_fields(parsed, source)
        except InvalidRecordError as error:
            found.append(error)
            continue
        if not draft.paths and 0 < len(touched) <= min(TOUCHED_PATHS, LIST_ITEMS):
            draft.paths = touched
        found.append(draft)
    return found
