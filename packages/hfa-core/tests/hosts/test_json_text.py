"""The scanner: what it takes, what it refuses, and how it names the place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.errors import HostConfigError
from hfa_core.hosts.json_text import MARK, MAX_DEPTH, Json, Node, decode, scan

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
DOCUMENTS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


def rebuilt(node: Node) -> Json:
    match node.kind:
        case "object":
            return {item.key or "": rebuilt(item.node) for item in node.items}
        case "array":
            return [rebuilt(item.node) for item in node.items]
        case "string":
            return node.value
        case "number" | "word":
            value: Json = json.loads(node.value)
            return value


def refusal(text: str) -> str:
    with pytest.raises(HostConfigError) as caught:
        scan(text, "settings.json")
    return str(caught.value)


@given(DOCUMENTS, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_scan_finds_the_value_that_python_reads(value: Json, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    assert rebuilt(scan(text, "settings.json")) == json.loads(text)


@given(DOCUMENTS)
def test_spans_cut_out_the_text_of_every_value(value: Json) -> None:
    text = "\n " + json.dumps(value) + "\r\n"

    def walk(node: Node, expected: Json) -> None:
        assert json.loads(text[node.start : node.end]) == expected
        if isinstance(expected, Mapping):
            for item in node.items:
                walk(item.node, expected[item.key or ""])
        elif isinstance(expected, Sequence) and not isinstance(expected, str):
            for item, inner in zip(node.items, expected, strict=True):
                walk(item.node, inner)

    walk(scan(text, "settings.json"), json.loads(text))


@given(st.text(alphabet='{}[]",:0123e-.truefalsn/*# \n\\u'))
def test_scan_takes_what_python_takes_and_refuses_what_python_refuses(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        with pytest.raises(HostConfigError):
            scan(text, "settings.json")
    else:
        scan(text, "settings.json")


@pytest.mark.parametrize(
    "word", ["NaN", "Infinity", "-Infinity", "nul", "True", "01", "1.", ".5", "+1", "1e", "1x", "''"]
)
def test_words_that_only_some_parsers_take_are_refused(word: str) -> None:
    refusal(f'{{"a": {word}}}')


def test_a_comment_is_named_with_line_and_column_and_what_to_do() -> None:
    assert refusal('{\n  "a": 1, // mine\n  "b": 2\n}') == (
        "settings.json: a comment at line 2, column 11; HFA edits plain JSON only, so mend this and run the command "
        "again; nothing was changed"
    )


def test_a_trailing_comma_is_named_as_one() -> None:
    assert "a trailing comma at line 3, column 1;" in refusal('{\n  "a": [1],\n}')


def test_a_file_that_breaks_off_is_named_as_one() -> None:
    assert "the file ends too early at line 1, column 7;" in refusal('{"a": ')


def test_text_after_the_value_is_refused() -> None:
    assert "something after the end of the JSON value at line 1, column 4;" in refusal("{} {}")


@pytest.mark.parametrize("text", ['"a\nb"', '"a\tb"', r'"\x41"', r'"\u12"', '"open'])
def test_strings_that_are_no_json_are_refused(text: str) -> None:
    assert "a string that is not valid JSON at line 1, column 1;" in refusal(text)


@pytest.mark.parametrize("text", ["{1: 2}", "{a: 2}", '{"a" 2}', '{"a": 1 "b": 2}', "[1 2]", "{,}", "[,]", "]", ""])
def test_broken_structure_is_refused(text: str) -> None:
    refusal(text)


def test_containers_nested_beyond_the_limit_are_refused_without_a_recursion_error() -> None:
    scan("[" * MAX_DEPTH + "]" * MAX_DEPTH, "settings.json")

    assert "nested too deep" in refusal("[" * 100_000)


def test_a_byte_order_mark_is_skipped_and_counts_as_no_column() -> None:
    assert scan(MARK + '{"a": 1}', "settings.json").start == 1
    assert "at line 1, column 2;" in refusal(MARK + "{x}")


def test_bytes_that_are_not_utf8_are_refused_with_their_place() -> None:
    with pytest.raises(HostConfigError, match=r"not UTF-8 at line 2, byte 3;"):
        decode(b'{\n "\xff": 1}', "settings.json")
