"""`config.json`: the values that are refused by key, and those that this version only keeps."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import ConfigError, MemoryDamagedError, StorageError, UnsupportedFormatError
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft, Source
from hfa_core.store.config import Config, has_format_key, parse_config, read_config, render_config

GOOD: dict[str, object] = {"format": "hfa-memory/1", "memory_id": "0123456789abcdef"}


def test_a_rendered_config_reads_back() -> None:
    config = Config(
        memory_id="0123456789abcdef", recall_budget=900, router_budget=1, topics_per_epoch=7, id_suffix=False
    )

    assert parse_config(render_config(config), "config.json") == config


def test_missing_keys_have_their_defaults() -> None:
    assert parse_config(json.dumps(GOOD), "c") == Config(memory_id="0123456789abcdef")
    assert Config(memory_id="0123456789abcdef").recall_budget == 600


@pytest.mark.parametrize("value", [0, -1, 1.5, "600", None, True, [], {}, float("inf")])
@pytest.mark.parametrize("key", ["recall_budget", "router_budget", "topics_per_epoch"])
def test_a_number_that_cannot_be_used_is_refused_by_key(key: str, value: object) -> None:
    text = json.dumps({**GOOD, key: value}).replace("Infinity", "1e999")

    with pytest.raises(ConfigError) as caught:
        parse_config(text, "config.json")

    assert (caught.value.key, caught.value.path) == (key, "config.json")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("memory_id", ""),
        ("memory_id", "1234567"),
        ("memory_id", "../../escape"),
        ("memory_id", "0123456789ABCDEF"),
        ("memory_id", "0" * 65),
        ("memory_id", 12345678),
        ("id_suffix", "no"),
        ("id_suffix", 0),
        ("format", "other/1"),
        ("format", None),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_key(key: str, value: object) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(json.dumps({**GOOD, key: value}), "config.json")

    assert caught.value.key == key


def test_a_newer_format_is_read_as_far_as_it_is_understood() -> None:
    newer = {**GOOD, "format": "hfa-memory/12", "colour": "蓝", "recall_budget": {"claude": 9}, "id_suffix": "hex"}

    config = parse_config(json.dumps({**newer, "router_budget": 300}), "config.json")

    assert (config.format, config.is_newer, config.unknown_keys) == ("hfa-memory/12", True, ("colour",))
    assert (config.recall_budget, config.router_budget, config.id_suffix) == (600, 300, True)
    assert not parse_config(json.dumps(GOOD), "config.json").is_newer


def test_a_newer_format_without_a_usable_memory_id_is_refused_by_key() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config('{"format": "hfa-memory/2", "memory_id": "记忆"}', "config.json")

    assert caught.value.key == "memory_id"


@pytest.mark.parametrize("found", ["hfa-memory/", "hfa-memory/x", "hfa-memory/0", "hfa-memory/-1", "hfa-memory/２"])
def test_a_format_that_names_no_version_of_ours_asks_for_another_hfa(found: str) -> None:
    with pytest.raises(UnsupportedFormatError) as caught:
        parse_config(json.dumps({**GOOD, "format": found}), "config.json")

    assert caught.value.found == found


def test_an_unknown_key_is_reported_and_no_write_drops_it(memory: Layout) -> None:
    content = {**json.loads(Path(memory.config).read_bytes()), "colour": "蓝", "alpha": 1}
    Path(memory.config).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    before = Path(memory.config).read_bytes()

    assert read_config(memory).unknown_keys == ("alpha", "colour")
    remember(memory, Draft(title="t", hit_words=["w"], conclusion=["c"], source=Source("cli")), now=1.0)
    assert Path(memory.config).read_bytes() == before


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"[1]", "must be a JSON object"),
        (b"{}", "must be a JSON object"),
        (b"<<<<<<< HEAD\n{}\n", "is not JSON"),
        ('{"format": "记忆"}'.encode("gbk"), "is not UTF-8"),
    ],
)
def test_a_file_that_is_no_config_is_named(memory: Layout, data: bytes, reason: str) -> None:
    Path(memory.config).write_bytes(data)

    with pytest.raises(MemoryDamagedError) as caught:
        read_config(memory)

    assert caught.value.path == memory.config
    assert reason in caught.value.reason


def test_a_config_saved_with_a_byte_order_mark_is_read(memory: Layout) -> None:
    expected = read_config(memory)
    Path(memory.config).write_bytes(b"\xef\xbb\xbf" + Path(memory.config).read_bytes().replace(b"\n", b"\r\n"))

    assert read_config(memory) == expected


def test_a_missing_config_or_a_folder_in_its_place_is_named(memory: Layout) -> None:
    os.unlink(memory.config)
    with pytest.raises(MemoryDamagedError, match="is missing"):
        read_config(memory)

    os.mkdir(memory.config)
    with pytest.raises(StorageError):
        read_config(memory)


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ('{"format": "hfa-memory/1"}', True),
        ('{"format": "hfa-memory/9"}', True),
        ('{"format": "hfa"}', False),
        ('{"format": ["hfa-memory/1"]}', False),
        ('["hfa-memory/1"]', False),
        ("not json", False),
        ("[" * 100_000, False),
    ],
)
def test_the_format_key_tells_our_config_from_another_programs(text: str, ours: bool) -> None:
    assert has_format_key(text) is ours
