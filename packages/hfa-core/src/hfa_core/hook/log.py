"""The local journals of what hooks did: one JSON line a run or an injection, bounded, for the owner only."""

from __future__ import annotations

import os

from hfa_core.errors import StorageError
from hfa_core.fs.atomic import append_line, make_folder, move_over
from hfa_core.light.clock import format_utc
from hfa_core.light.json_codec import as_mapping, parse_json, render_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hfa_core.fs.layout import UserLayout
    from hfa_core.recall.result import Recall

MAXIMUM_BYTES = 512 * 1024
"""At this size a log becomes the previous one, `NAME.1`, and the one before that goes."""


def write_entry(path: str, entry: Mapping[str, object], *, now: float) -> None:
    """
    Add one entry with its time; whoever puts a free text into it redacts it first.

    A log that cannot be written is given up silently: it is the last resort, and must not become the host's failure.
    """
    line = {"time": format_utc(now), **entry}
    try:
        make_folder(os.path.dirname(path), private=True)
        _rotate(path)
        append_line(path, (render_json(line) + "\n").encode("utf-8", "replace"))
    except (StorageError, OSError, ValueError):
        return


def write_receipt(user: UserLayout, answer: Recall, *, host: str, session: str, seconds: float, now: float) -> None:
    """Note which records were handed to a host's model, and at what cost; `session` is a `session_name` or empty."""
    receipt = {
        "host": host,
        "session": session,
        "ids": [item.id for item in answer.selected],
        # Whatever matched stands in the record too, and that was redacted before it was stored.
        "match": [list(item.match) for item in answer.selected],
        "tokens": answer.recall_tokens,
        "exact": answer.exact,
        "ms": round(seconds * 1000, 1),
    }
    write_entry(user.receipts, receipt, now=now)


def read_entries(path: str, *, limit: int) -> list[dict[str, object]]:
    """The newest entries, newest first, of the current and the previous log; other lines are passed over."""
    lines: list[bytes] = []
    for name in (path + ".1", path):
        try:
            with open(name, "rb") as stream:
                lines.extend(stream.read().splitlines())
        except OSError:
            continue
    found: list[dict[str, object]] = []
    for line in reversed(lines):
        try:
            entry = as_mapping(parse_json(line.decode("utf-8", "replace")))
        except ValueError:
            continue
        if entry:
            found.append(entry)
        if len(found) == limit:
            break
    return found


def _rotate(path: str) -> None:
    try:
        full = os.stat(path).st_size > MAXIMUM_BYTES
    except OSError:
        return
    if full:
        move_over(path, path + ".1")
