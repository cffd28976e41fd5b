"""Edits to a text that is not JSON: a marked block in somebody's file, or a file of our own."""

from __future__ import annotations

from collections.abc import Sequence

from hfa_core.errors import HostConfigError
from hfa_core.hosts.edits import OwnFile, Removal, TextBlock, Traces


def add(text: str, edits: Sequence[TextBlock | OwnFile]) -> tuple[str, Traces]:
    """
    The text with each block in place, or the file's own content.

    A block that is there is replaced where it stands; a new one goes to the end, after a blank line.

    Raises:
        HostConfigError: A block has no end, or the file is somebody else's.
    """
    traces = Traces()
    for edit in edits:
        if isinstance(edit, OwnFile):
            _demand_own(text, edit)
            text = edit.text
        else:
            text, added = _put(text, edit)
            traces = traces.and_then(added)
    return text, traces


def remove(text: str, edits: Sequence[TextBlock | OwnFile], traces: Traces | None) -> Removal:
    """
    The text without our blocks and the blank line before them; a file of our own becomes empty.

    Raises:
        HostConfigError: A block has no end.
    """
    for edit in edits:
        if isinstance(edit, OwnFile):
            text = "" if edit.owner in text else text
            continue
        span = _span(text, edit)
        if span:
            before, after = text[: span[0]], text[span[1] :]
            lead = traces.lead if traces else ""
            # What was written behind our block since needs the line end that stood before it.
            if lead and not after and before.endswith(lead):
                before = before[: len(before) - len(lead)]
            text = before + after
    return Removal(text, is_empty=not text.strip())


def has(text: str, edits: Sequence[TextBlock | OwnFile]) -> bool:
    """
    Whether a block of ours, or our own file, is there.

    Raises:
        HostConfigError: A block has no end.
    """
    return any(edit.owner in text if isinstance(edit, OwnFile) else _span(text, edit) for edit in edits)


def _put(text: str, edit: TextBlock) -> tuple[str, Traces]:
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([edit.begin, *edit.text.split("\n"), edit.end]) + newline
    span = _span(text, edit)
    if span:
        return text[: span[0]] + block + text[span[1] :], Traces()
    lead = "" if not text else newline if text.endswith("\n") else 2 * newline
    return text + lead + block, Traces(lead=lead)


def _span(text: str, edit: TextBlock) -> tuple[int, int] | None:
    """From the first mark to the line end after the second; None if there is no block of ours."""
    start = 0
    begin: int | None = None
    for line in text.splitlines(keepends=True):
        if begin is None and line.strip() == edit.begin:
            begin = start
        elif begin is not None and line.strip() == edit.end:
            return begin, start + len(line)
        start += len(line)
    if begin is None:
        return None
    number = text.count("\n", 0, begin) + 1
    raise HostConfigError(
        str(edit.path),
        f"line {number}: `{edit.begin}` has no `{edit.end}` after it; add that line and run the command again",
    )


def _demand_own(text: str, edit: OwnFile) -> None:
    if text and edit.owner not in text:
        raise HostConfigError(str(edit.path), "is there and not HFA's; rename it and run the command again")
