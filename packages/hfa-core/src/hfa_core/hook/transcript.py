"""The end of a host's transcript, for what a payload leaves out: its last rows, whatever state the file is in."""

from __future__ import annotations

from hfa_core.fs.reading import read_tail
from hfa_core.light.json_codec import as_mapping, parse_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TAIL_BYTES = 64 * 1024
"""choice: a long answer and the tool calls before it fit; a transcript of megabytes costs no more than a short one."""


def read_rows(path: str, limit: int = TAIL_BYTES) -> list[Mapping[str, object]]:
    """
    The JSON objects in the last `limit` bytes of a file of one JSON value a line, in order.

    A line that the limit cuts, or that the host is still writing, is passed over; without a readable file there are
    none. Only a regular file is opened: a pipe would hold the hook up.
    """
    try:
        # One byte more tells whether a line begins right there.
        data, is_cut = read_tail(path, limit + 1)
    except (OSError, ValueError):
        return []
    if is_cut:
        data = data.partition(b"\n")[2]
    rows: list[Mapping[str, object]] = []
    for line in data.splitlines():
        try:
            row = as_mapping(parse_json(line.decode("utf-8", "replace")))
        except (ValueError, RecursionError):
            continue
        if row:
            rows.append(row)
    return rows
