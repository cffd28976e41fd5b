"""Bytes to text without the codec modules that Python imports only when one is first asked for."""

from __future__ import annotations

_BOM = b"\xef\xbb\xbf"
_FORMAT_DIGITS = 6


def decode_utf8(data: bytes, errors: str = "strict") -> str:
    """The text of UTF-8 bytes; a byte-order mark in front is no part of it. Raises UnicodeDecodeError if strict."""
    return data.removeprefix(_BOM).decode("utf-8", errors)


def is_newer_format(text: str, known: str) -> bool:
    """Whether a format key, such as `hfa-memory/2`, is a later version of the same family as `known`."""
    family = known.rpartition("/")[0] + "/"
    return text.startswith(family) and _number(text[len(family) :]) > _number(known[len(family) :])


def _number(digits: str) -> int:
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _FORMAT_DIGITS else 0
