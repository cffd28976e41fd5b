"""What a client reads by address, and the prompts its user picks: within the budgets, one record whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp import Client
from mcp_types import TextResourceContents

from hfa_core.fs.layout import Layout
from hfa_core.tokens.exact import load_counter
from tests.payloads.mcp_process import BACKOFF


def test_the_resources_hold_one_record_whole_and_all_else_within_the_budgets(
    talk: Callable[..., Any], memory: Layout, add: Callable[..., str]
) -> None:
    first = add("Cache keys carry a version 缓存键", conclusion="x" * 480)
    for number in range(30):
        add(f"Decision number {number}", conclusion="word " * 90)
    directory = Path(memory.directory)
    rows = "".join(f"| S{n} | Side line {n} | main/S{n}.md | OPEN |  |  |\n" for n in range(1, 80))
    directory.write_text(directory.read_text(encoding="utf-8").rstrip("\n") + "\n" + rows, encoding="utf-8")

    async def use(client: Client) -> dict[str, str]:
        # A write brings the pages up to date.
        await client.call_tool("remember_decision", BACKOFF)
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
        assert (listed, templates) == (["hfa://l0", "hfa://epoch/1"], ["hfa://chunk/{id}", "hfa://epoch/{number}"])
        read: dict[str, str] = {}
        for uri in [*listed, "hfa://chunk/chunk_0001"]:
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            read[uri] = content.text
        return read

    read = talk(use)

    record = json.loads(read["hfa://chunk/chunk_0001"])
    assert (record["id"], record["conclusion"], record["state"]) == (first, ["x" * 480], "current")
    count = load_counter()
    for uri, shown in (("hfa://l0", "M1 | "), ("hfa://epoch/1", "# Epoch 1")):
        assert read[uri].startswith(shown)
        assert "more lines" in read[uri].splitlines()[-1]
        assert count is None or 300 < count(read[uri]) <= 600


def test_the_prompts_bring_framed_memories_and_how_to_store_a_decision(
    talk: Callable[..., Any], memory: Layout, add: Callable[..., str]
) -> None:
    add("缓存键带版本号", hit_words=("缓存键",))

    async def use(client: Client) -> list[Any]:
        names = [one.name for one in (await client.list_prompts()).prompts]
        assert names == ["recall", "decide"]
        asked = [
            ("recall", {"query": "缓存键怎么定的"}),
            ("recall", {"query": "moon"}),
            ("decide", {"decision": "WAL, 预写"}),
        ]
        return [(await client.get_prompt(name, given)).messages[0].content for name, given in asked]

    found, nothing, decide = (content.text for content in talk(use))

    assert found.startswith("<hfa-memory>\nHistorical notes")
    assert "缓存键带版本号" in found
    assert found.endswith("\n\n缓存键怎么定的")
    assert "holds nothing" in nothing
    assert "remember_decision: WAL, 预写." in decide
