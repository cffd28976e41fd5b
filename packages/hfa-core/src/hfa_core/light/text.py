"""Bytes to text without the codec modules that Python imports only when one is first asked for."""

from __future__ import annotations

_BOM = b"\xef\xbb\xbf"


def decode_utf8(data: bytes, errors: str = "strict") -> str:
    """The text of UTF-8 bytes; a byte-order mark in front is no part of it. Raises UnicodeDecodeError if strict."""
    return data.removeprefix(_BOM).decode("utf-8", errors)
