"""Edits to host files as data, and what they do to a text, whatever its kind: made, looked for and unmade.

What an edit had to add around itself (members, the inside of an empty container, a blank line) is noted in `Traces`, so
that the removal gives back the original bytes however the file was written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from hfa_core.errors import HostConfigError
from hfa_core.hosts.json_text import Json

Pointer: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """
    The array at `pointer` of the JSON file `path` holds the element `value`.

    Attributes:
        path: The absolute path of the file.
        pointer: The keys from the root to the array, such as `("hooks", "Stop")`; at least one.
        value: The element, an object.
        owner: A text that stands in one of the strings of the element and, whatever its form in other
            releases, in nobody else's.
    """

    path: Path
    pointer: Pointer
    value: Json
    owner: str


@dataclass(frozen=True, slots=True)
class JsonMember:
    """
    The JSON file `path` holds `value` at `pointer`, whose last key names the member.

    Attributes:
        path: The absolute path of the file.
        pointer: The keys from the root to the value, such as `("mcpServers", "hfa")`; at least one.
        value: The value, an object.
        owner: As in `JsonEntry`; a member of that name without it is somebody else's, and is never replaced.
    """

    path: Path
    pointer: Pointer
    value: Json
    owner: str


@dataclass(frozen=True, slots=True)
class JsonDefault:
    """
    The JSON file `path` has a member `key` at its root; where it has none, `value` is put there.

    Another value is the user's, and stays. An entry or member of the same file says whose the default is.

    Attributes:
        path: The absolute path of the file.
        key: The member's name, such as `version`.
        value: The value for files without it.
        owner: The owner of the other edits of the file.
    """

    path: Path
    key: str
    value: Json
    owner: str


@dataclass(frozen=True, slots=True)
class TextBlock:
    """
    The text file `path` holds a block of ours, between two lines that mark it.

    Attributes:
        path: The absolute path of the file.
        text: The lines between the marks, without a line end after the last.
        begin: The whole line before them, such as `<!-- hfa:begin -->`.
        end: The whole line after them.
    """

    path: Path
    text: str
    begin: str
    end: str

    @property
    def owner(self) -> str:
        """What tells the block from others: its first line."""
        return self.begin


@dataclass(frozen=True, slots=True)
class OwnFile:
    """
    The file `path` is all ours.

    Attributes:
        path: The absolute path of the file.
        text: Its content, with the owner in it.
        owner: A text by which a file of ours is known in every release; one without it is somebody else's, and is
            never replaced.
    """

    path: Path
    text: str
    owner: str


JsonEdit: TypeAlias = JsonEntry | JsonMember | JsonDefault
"""What can be done to a file of JSON."""
Edit: TypeAlias = JsonEdit | TextBlock | OwnFile
"""Every kind of edit. Those of one file are of one kind, or all of JSON."""


@dataclass(frozen=True, slots=True)
class Traces:
    """
    What an edit left in a text beside its own element.

    Attributes:
        created: The members that were added as containers.
        spaces: Containers that stood empty before, each with what was between its brackets.
        blank: The whole text if it held nothing but white space; None otherwise.
        lead: What was put between the end of the text and a block of lines.
    """

    created: tuple[Pointer, ...] = ()
    spaces: tuple[tuple[Pointer, str], ...] = ()
    blank: str | None = None
    lead: str = ""

    def and_then(self, later: Traces) -> Traces:
        """Both, where `later` tells of an edit made after this one."""
        known = {pointer for pointer, _ in self.spaces} | set(self.created)
        return Traces(
            self.created + tuple(pointer for pointer in later.created if pointer not in known),
            self.spaces + tuple((pointer, space) for pointer, space in later.spaces if pointer not in known),
            later.blank if self.blank is None else self.blank,
            self.lead or later.lead,
        )


@dataclass(frozen=True, slots=True)
class Removal:
    """
    A text without what is ours.

    Attributes:
        text: The new text; the very same if there was nothing of ours.
        is_empty: Whether nothing is left that the file would be needed for.
    """

    text: str
    is_empty: bool


def add_edits(text: str, edits: Sequence[Edit]) -> tuple[str, Traces]:
    """
    The text with the edits made, and what had to be added around them. One that is made already changes nothing.

    Args:
        text: The content of the file; empty if there is none.
        edits: Edits of one file; at least one.

    Raises:
        HostConfigError: The text cannot be edited safely, or what stands in our place is somebody else's.
    """
    from hfa_core.hosts import json_edits, text_edits

    of_json, of_text = _sort(edits)
    return json_edits.add_entries(text, of_json) if of_json else text_edits.add(text, of_text)


def remove_edits(text: str, edits: Sequence[Edit], traces: Traces | None) -> Removal:
    """
    The text without what the edits would make, whatever its form in other releases.

    Args:
        text: The content of the file.
        edits: What an installation would make now. At least one.
        traces: What the installation left beside it; without them only what is plainly ours goes.

    Raises:
        HostConfigError: The text cannot be edited safely.
    """
    from hfa_core.hosts import json_edits, text_edits

    of_json, of_text = _sort(edits)
    return json_edits.remove_entries(text, of_json, traces) if of_json else text_edits.remove(text, of_text, traces)


def has_edits(text: str, edits: Sequence[Edit]) -> bool:
    """
    Whether anything of ours is in the text.

    Raises:
        HostConfigError: As `remove_edits`.
    """
    from hfa_core.hosts import json_edits, text_edits

    of_json, of_text = _sort(edits)
    return json_edits.has_entries(text, of_json) if of_json else text_edits.has(text, of_text)


def _sort(edits: Sequence[Edit]) -> tuple[list[JsonEdit], list[TextBlock | OwnFile]]:
    """Edits of JSON, or others; an adapter that mixes them for one file is at fault."""
    of_json = [edit for edit in edits if isinstance(edit, JsonEdit)]
    of_text = [edit for edit in edits if isinstance(edit, (TextBlock, OwnFile))]
    if of_json and of_text:
        raise HostConfigError(str(edits[0].path), "an adapter plans edits of different kinds for this one file")
    return of_json, of_text
