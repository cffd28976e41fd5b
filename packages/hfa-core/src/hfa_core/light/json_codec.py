"""JSON in and out without importing `json`, which pulls in `re` and `enum` and doubles a hook's start.

Reading uses the C scanner beneath `json`; only malformed text makes it load `json.decoder` for its error class.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import cast
else:

    def cast(_kind: object, value: object) -> object:
        """`typing.cast` without importing `typing`."""
        return value


_BLANKS = " \t\n\r"


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


class _ScannerOptions:
    """The attributes that the C scanner reads from a decoder."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)
    memo: dict[str, str] = {}  # noqa: RUF012  (the scanner wants an attribute of this name)


def _load_codec() -> tuple[Callable[[str, int], tuple[object, int]], Callable[[str], str]]:
    try:
        from _json import encode_basestring, make_scanner
    except ImportError:
        from json.encoder import encode_basestring
        from json.scanner import make_scanner
    return make_scanner(cast("make_scanner", _ScannerOptions())), encode_basestring


_scan, _quote = _load_codec()


def parse_json(text: str) -> object:
    """
    The value of one JSON document; of a key that occurs twice, the last value counts.

    Raises:
        ValueError: The text is not one JSON document, or is nested too deeply.
    """
    start, end = 0, len(text)
    while start < end and text[start] in _BLANKS:
        start += 1
    try:
        value, stop = _scan(text, start)
    except StopIteration:
        raise ValueError(f"no JSON value at character {start}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except SystemError:
        # Up to Python 3.11 the scanner fails so where the error class that it would raise is not loaded.
        raise ValueError("malformed JSON") from None
    except ValueError as error:
        # From Python 3.12 on it loads `json.decoder` for its own class, which tells where.
        raise ValueError(f"malformed JSON: {error}") from None
    if text[stop:].strip(_BLANKS):
        raise ValueError(f"more text after the JSON value, from character {stop}")
    return value


def render_json(value: object, *, indent: int = 0, _level: int = 0) -> str:
    """
    A JSON document of strings, numbers, booleans, None, mappings with string keys, lists and tuples.

    Args:
        value: Keys keep their order; characters beyond ASCII stay as they are.
        indent: Spaces a level; 0 gives one line.

    Raises:
        ValueError: A number is not finite, or a value is of another type.
    """
    if isinstance(value, str):
        return _quote(value)
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        if value - value != 0.0:  # infinite or not a number
            raise ValueError(f"{value} is not JSON")
        return float.__repr__(value)
    if isinstance(value, dict):
        members = cast("dict[object, object]", value).items()
        items = [f"{_quote(str(key))}: {render_json(item, indent=indent, _level=_level + 1)}" for key, item in members]
        return _enclose("{", items, "}", indent, _level)
    if isinstance(value, list | tuple):
        elements = cast("list[object]", value)
        items = [render_json(item, indent=indent, _level=_level + 1) for item in elements]
        return _enclose("[", items, "]", indent, _level)
    raise ValueError(f"{type(value).__name__} is not JSON")


def _enclose(opening: str, items: list[str], closing: str, indent: int, level: int) -> str:
    if not items or not indent:
        return opening + ", ".join(items) + closing
    pad = "\n" + " " * (indent * (level + 1))
    return opening + pad + ("," + pad).join(items) + "\n" + " " * (indent * level) + closing


def as_mapping(value: object) -> dict[str, object]:
    """`value` if it is a JSON object, else an empty one."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """`value` if it is a JSON array, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def as_text(value: object) -> str:
    """`value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def as_texts(value: object) -> tuple[str, ...]:
    """The strings of a JSON array, in order; a single string counts as an array of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in as_list(value) if isinstance(item, str))
