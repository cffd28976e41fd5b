"""The milestone log: off unless the configuration asks for it, one line an event, whole with what it tells of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import ConfigError, StorageError
from hfa_core.fs.layout import Layout
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft
from hfa_core.store.config import Config, parse_config, read_config, render_config
from hfa_core.store.nodes import activate_node, add_node, rename_node, tombstone_node

TIME = "2026-09-21T14:00:00Z"


def set_up(memory: Layout, **settings: object) -> None:
    content = json.loads(Path(memory.config).read_bytes())
    Path(memory.config).write_text(json.dumps({**content, **settings}), encoding="utf-8")


@pytest.fixture
def logged(memory: Layout) -> Layout:
    """The memory with its milestone log switched on, and two topics to an epoch."""
    set_up(memory, stream=True, topics_per_epoch=2)
    return memory


def read_log(memory: Layout) -> list[str]:
    return Path(memory.stream).read_bytes().decode().splitlines()


def test_it_is_absent_when_off(memory: Layout, add: Callable[..., str]) -> None:
    add("First")
    add_node(memory, "S", "Side", time=TIME)

    assert not Path(memory.stream).exists()
    assert not read_config(memory).stream


def test_each_record_has_a_line_with_what_it_replaces_and_the_epoch_that_it_begins(
    logged: Layout, add: Callable[..., str]
) -> None:
    first = add("令牌每小时轮换")
    second = add("Tokens rotate daily", supersedes=(first,))
    third = add("Third\x1b[31m")

    assert [line.partition("Z ")[2] for line in read_log(logged)] == [
        f"record {first} on M1: 令牌每小时轮换",
        f"record {second} on M1 supersedes {first}: Tokens rotate daily",
        f"epoch 2: begins with {third}",
        f"record {third} on M1: Third[31m",
    ]
    assert all(line.startswith("- 2026-09-2") for line in read_log(logged))
    assert verify_memory(logged) == []


def test_each_edit_of_a_node_has_a_line(logged: Layout) -> None:
    add_node(logged, "M", "新主线", time=TIME)
    activate_node(logged, "M2", time=TIME)
    rename_node(logged, "M1", "Old line", time=TIME)
    tombstone_node(logged, "M1", "over", time=TIME)

    assert read_log(logged) == [
        f"- {TIME} node add M2: 新主线",
        f"- {TIME} node activate M2: 新主线",
        f"- {TIME} node rename M1: Old line",
        f"- {TIME} tombstone M1: Old line",
    ]


def test_what_changes_nothing_has_no_line(logged: Layout, draft: Callable[..., Draft]) -> None:
    remember(logged, draft("Once"), now=1_790_000_000)
    before = read_log(logged)

    assert remember(logged, draft("Once"), now=1_790_000_060).duplicate
    activate_node(logged, "M1", time=TIME)
    planned = rename_node(logged, "M1", "Other", time=TIME, dry_run=True)

    assert read_log(logged) == before
    assert logged.stream in planned.files


def test_what_a_person_wrote_in_it_stays(logged: Layout) -> None:
    Path(logged.stream).write_text("# 里程碑\n\nno line end", encoding="utf-8")

    rename_node(logged, "M1", "Other", time=TIME)

    assert read_log(logged) == ["# 里程碑", "", "no line end", f"- {TIME} node rename M1: Other"]


def test_a_log_that_cannot_be_read_stops_the_write_before_it_began(logged: Layout, draft: Callable[..., Draft]) -> None:
    Path(logged.stream).mkdir()

    with pytest.raises(StorageError, match=r"stream\.md"):
        remember(logged, draft("Once"), now=1_790_000_000)

    assert list(Path(logged.chunks).iterdir()) == []


@pytest.mark.parametrize("value", ["yes", 1, None, []])
def test_a_switch_that_is_neither_on_nor_off_is_named(memory: Layout, value: object) -> None:
    set_up(memory, stream=value)

    with pytest.raises(ConfigError, match="stream"):
        read_config(memory)


def test_the_switch_survives_being_written() -> None:
    text = render_config(Config(memory_id="0123456789abcdef", stream=True))

    assert parse_config(text, "config.json").stream
    assert "stream" not in render_config(Config(memory_id="0123456789abcdef"))
