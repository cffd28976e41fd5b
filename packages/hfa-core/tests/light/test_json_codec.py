"""JSON without the standard package: what it reads and writes is what the standard package reads and writes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.light.json_codec import as_list, as_mapping, as_text, as_texts, parse_json, render_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(values, st.sampled_from([0, 2, 4]))
def test_a_value_is_written_as_the_standard_package_writes_it_and_reads_back(value: object, indent: int) -> None:
    text = render_json(value, indent=indent)

    assert text == json.dumps(value, ensure_ascii=False, indent=indent or None)
    assert parse_json(text) == value


@given(st.text(st.sampled_from('{}[]",:\\ntfu0123.eE-+ \n\t令')))
def test_any_text_is_read_as_the_standard_package_reads_it_or_refused(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011  (each message is the scanner's own)
            parse_json(text)
    else:
        assert parse_json(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "nul", "NaN", "Infinity", "-Infinity", "[1,]", "{} {}", "{}x", "{'a': 1}", '"\n"', '"\\x"'),
        *("\ufeff{}", "[" * 100_000, '{"a":' * 100_000),
    ],
)
def test_text_that_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (each message is the scanner's own)
        parse_json(text)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, {1, 2}, b"bytes", object()])
def test_a_value_that_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="is not JSON"):
        render_json([value])


def test_of_a_key_that_occurs_twice_the_last_counts() -> None:
    assert parse_json('{"a": 1, "a": 2}') == {"a": 2}


def test_a_tuple_is_written_as_an_array_and_text_beyond_ascii_as_it_is() -> None:
    assert render_json({"词": ("令牌", 'a"b\\\u0001')}) == '{"词": ["令牌", "a\\"b\\\\\\u0001"]}'


@pytest.mark.parametrize("value", [None, 1, True, "text", [1], {"a": 1}])
def test_the_readers_give_an_empty_value_for_another_type(value: object) -> None:
    readers: dict[type, Callable[[object], object]] = {dict: as_mapping, list: as_list, str: as_text}

    for kind, read in readers.items():
        assert read(value) == (value if type(value) is kind else kind())


def test_texts_are_the_strings_of_an_array_or_one_string() -> None:
    assert as_texts(["一", 2, None, "three"]) == ("一", "three")
    assert as_texts("一") == ("一",)
    assert as_texts(None) == ()
