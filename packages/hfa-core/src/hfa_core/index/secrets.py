"""Secrets that stand in files already: where and of what kind, never what they are."""

from __future__ import annotations

import os

from hfa_core.fs.reading import read_bytes
from hfa_core.index.problem import Problem
from hfa_core.light.json_codec import as_list, as_mapping, parse_json
from hfa_core.redact import find_secrets, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hfa_core.fs.layout import Layout

FIX = "revoke it where it was issued, then take it out of the file; git keeps it in the history"
_NOT_TEXT = (".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal")


def find_in_memory(layout: Layout) -> Iterator[Problem]:
    """Every file of a memory, derived pages and copies included; what cannot be read is for others to tell."""
    for folder, folders, names in os.walk(layout.root):
        folders.sort()
        for name in sorted(names):
            if not name.endswith(_NOT_TEXT):
                yield from find_in_file(os.path.join(folder, name))


def find_in_file(path: str) -> Iterator[Problem]:
    """One finding for each place of a file with a secret: a field of a record, or a line of any other file."""
    try:
        data = read_bytes(path, follow=False)
    except OSError:
        return
    yield from find_in_text(path, data.decode("utf-8", "replace"))


def find_in_text(path: str, text: str) -> Iterator[Problem]:
    """As `find_in_file`, for a text that is to be there, such as what is staged for a commit."""
    found: dict[tuple[str, str], None] = {}
    record = _parse(text) if path.endswith(".json") else None
    if record:
        for place, value in _texts(record, ""):
            found.update({(place, kind): None for _, _, kind in find_secrets(value)})
    else:
        for start, _, kind in find_secrets(text):
            number = text.count("\n", 0, start) + 1
            found[f"line {number}", kind] = None
    for place, kind in found:
        yield Problem("secret_found", path, f"{place} holds what looks like a secret ({kind})", FIX)


def _parse(text: str) -> dict[str, object] | None:
    try:
        return as_mapping(parse_json(text))
    except (ValueError, RecursionError):
        return None


def _texts(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Each text in a document with its place, such as `conclusion.0`; keys count, too, and are named redacted."""
    if isinstance(value, str):
        yield place, value
    for index, item in enumerate(as_list(value)):
        yield from _texts(item, f"{place}.{index}".lstrip("."))
    for key, item in as_mapping(value).items():
        yield f"the key `{redact(key)}`", key
        yield from _texts(item, f"{place}.{redact(key)}".lstrip("."))
        if isinstance(item, str):
            # As a setting reads: a password has no form of its own, but its name before it.
            yield f"{place}.{redact(key)}".lstrip("."), f"{key}: {item}"
