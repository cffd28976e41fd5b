"""A strict JSON scanner that keeps where everything stands, so that edits are made on the text itself.

Plain JSON only (RFC 8259): whoever uses comments or trailing commas is told so, since a file that the host reads with a
more forgiving parser must not be rewritten by a guess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from hfa_core.errors import HostConfigError

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""A value that JSON can write."""

Kind: TypeAlias = Literal["object", "array", "string", "number", "word"]

MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""A byte order mark at the start of a text. Hosts on Windows write it; it is kept and does not count as a column."""

MAX_DEPTH = 200
"""Containers inside one another. choice: far above any settings file, far below Python's recursion limit."""

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.+-])")
_WORD = re.compile(r"(?:true|false|null)(?![0-9A-Za-z_])")


@dataclass(frozen=True, slots=True)
class Node:
    """
    One value and where it stands: `text[start:end]`.

    Attributes:
        kind: What it is; `word` is true, false or null.
        items: The members of an object or the elements of an array, in their order; empty for the others.
        value: A string decoded; a number or word as it is spelled; empty for containers.
    """

    kind: Kind
    start: int
    end: int
    items: tuple[Item, ...] = ()
    value: str = ""

    def members(self, key: str) -> tuple[Item, ...]:
        """Every member of that name; more than one if the object repeats it; empty for anything but an object."""
        return tuple(item for item in self.items if item.key == key) if self.kind == "object" else ()


@dataclass(frozen=True, slots=True)
class Item:
    """
    A member or an element: `text[start:end]`, the key included.

    Attributes:
        key: The decoded name of a member; None for an element.
        gap: What stands between a member's key and its value, such as `: `; empty for an element.
    """

    start: int
    node: Node
    key: str | None = None
    gap: str = ""

    @property
    def end(self) -> int:
        """Just behind the value."""
        return self.node.end


def decode(data: bytes, path: str) -> str:
    """
    The text of a JSON file, a byte order mark included.

    Raises:
        HostConfigError: The bytes are not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise HostConfigError(
            path, f"not UTF-8 at line {line}, byte {column}; save it as UTF-8 and run the command again"
        ) from error


def scan(text: str, path: str) -> Node:
    """
    The root value of a JSON text with the places of everything inside it.

    Args:
        text: The whole text, with or without a byte order mark.
        path: The file's name for messages.

    Raises:
        HostConfigError: The text is not one plain JSON value; the message names line, column and what to do.
    """
    return _Scanner(text, path).scan()


def fault_at(text: str, position: int, path: str, what: str, advice: str) -> HostConfigError:
    """The error over something at a place of the text, to be raised; `advice` says what to do."""
    line_start = text.rfind("\n", 0, position) + 1
    column = position - line_start + 1 - text.startswith(MARK, line_start)
    line = text.count("\n", 0, position) + 1
    return HostConfigError(path, f"{what} at line {line}, column {column}; {advice}")


class _Scanner:
    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._at = len(MARK) if text.startswith(MARK) else 0
        self._depth = 0

    def scan(self) -> Node:
        self._skip_space()
        root = self._value()
        self._skip_space()
        if self._at < len(self._text):
            raise self._fault("something after the end of the JSON value")
        return root

    def _value(self) -> Node:
        start = self._at
        match self._text[start : start + 1]:
            case "{":
                return self._container("object", "}")
            case "[":
                return self._container("array", "]")
            case '"':
                end = self._match(_STRING, "a string that is not valid JSON")
                return Node("string", start, end, (), _decoded(self._text[start:end]))
            case _:
                pass
        for kind, pattern in (("number", _NUMBER), ("word", _WORD)):
            found = pattern.match(self._text, start)
            if found:
                self._at = found.end()
                return Node("number" if kind == "number" else "word", start, self._at, (), found[0])
        raise self._fault("a value was expected")

    def _container(self, kind: Literal["object", "array"], closing: str) -> Node:
        start = self._at
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._fault("containers are nested too deep")
        self._at += 1
        items: list[Item] = []
        self._skip_space()
        while not self._is_next(closing):
            if items:
                self._take_comma(closing)
            items.append(self._member() if kind == "object" else self._element())
            self._skip_space()
        self._at += 1
        self._depth -= 1
        return Node(kind, start, self._at, tuple(items))

    def _take_comma(self, closing: str) -> None:
        if not self._is_next(","):
            raise self._fault(f"`,` or `{closing}` was expected")
        self._at += 1
        self._skip_space()
        if self._is_next(closing):
            raise self._fault("a trailing comma")

    def _element(self) -> Item:
        start = self._at
        return Item(start, self._value())

    def _member(self) -> Item:
        start = self._at
        if not self._is_next('"'):
            raise self._fault("a key in double quotes was expected")
        key_end = self._match(_STRING, "a key that is not valid JSON")
        self._skip_space()
        if not self._is_next(":"):
            raise self._fault("`:` was expected")
        self._at += 1
        self._skip_space()
        gap = self._text[key_end : self._at]
        return Item(start, self._value(), _decoded(self._text[start:key_end]), gap)

    def _match(self, pattern: re.Pattern[str], what: str) -> int:
        found = pattern.match(self._text, self._at)
        if not found:
            raise self._fault(what)
        self._at = found.end()
        return self._at

    def _is_next(self, character: str) -> bool:
        return self._text.startswith(character, self._at)

    def _skip_space(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _fault(self, what: str) -> HostConfigError:
        if self._text.startswith(("//", "/*", "#"), self._at):
            what = "a comment"
        elif self._at >= len(self._text):
            what = "the file ends too early"
        advice = "HFA edits plain JSON only, so mend this and run the command again"
        return fault_at(self._text, self._at, self._path, what, advice)


def _decoded(literal: str) -> str:
    return str(json.loads(literal))
