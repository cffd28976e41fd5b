"""Which memory a client is served: that of its roots or its folder, and an empty project gets its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from hfa_core.fs.layout import Layout
from hfa_core.store.create import create_memory
from tests.payloads.mcp_process import BACKOFF


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_memory_is_that_of_the_roots_a_client_offers(
    talk: Callable[..., Any], tmp_path: Path, variables: dict[str, str], mode: str
) -> None:
    rooted = [tmp_path / "empty one", tmp_path / "项目 with memory"]
    elsewhere = tmp_path / "elsewhere"
    for folder in (*rooted, elsewhere):
        folder.mkdir()
    for folder in (rooted[1], elsewhere):
        create_memory(Layout(str(folder / "memory")), "Project")

    async def use(client: Client) -> str:
        return (await client.call_tool("memory_health", {})).structured_content["memory_dir"]

    uris = ["file:///no/such/folder", *(folder.as_uri() for folder in rooted)]
    assert talk(use, mode=mode, cwd=elsewhere, roots=uris) == str(rooted[1] / "memory")
    assert talk(use, mode=mode, cwd=elsewhere, roots=[]) == str(elsewhere / "memory")
    assert talk(use, "--memory-dir", "memory", mode=mode, cwd=elsewhere, roots=uris) == str(elsewhere / "memory")
    variables["HFA_MEMORY_DIR"] = str(elsewhere / "memory")
    assert talk(use, mode=mode, cwd=tmp_path, roots=uris) == str(elsewhere / "memory")


def test_an_empty_workspace_is_served_and_its_first_decision_makes_a_memory_that_git_does_not_see(
    talk: Callable[..., Any], project: Path, git: Callable[..., str]
) -> None:
    async def use(client: Client) -> list[CallToolResult]:
        return [
            await client.call_tool("recall_memory", {"query": "backoff"}),
            await client.call_tool("memory_health", {}),
            await client.call_tool("remember_decision", {**BACKOFF, "hit_words": []}),
            await client.call_tool("remember_decision", {**BACKOFF, "supersedes": ["chunk_0001"]}),
            await client.call_tool("remember_decision", BACKOFF),
            await client.call_tool("recall_memory", {"query": "backoff"}),
        ]

    *failed, stored, recalled = talk(use)

    assert [answer.structured_content["error"]["exit_code"] for answer in failed] == [10, 10, 20, 10]
    assert "hfa init" in failed[0].structured_content["error"]["message"]
    assert stored.structured_content["memory_created"] == str(project / "memory")
    assert recalled.structured_content["status"] == "hit"
    assert git("status", "--short") == ""


def test_a_refused_decision_leaves_an_empty_workspace_empty(
    talk: Callable[..., Any], project: Path, variables: dict[str, str]
) -> None:
    async def use(client: Client) -> int:
        answer = await client.call_tool("remember_decision", BACKOFF)
        return answer.structured_content["error"]["exit_code"]

    variables["HFA_OFF"] = "1"
    assert talk(use) == 15
    del variables["HFA_OFF"]
    outside = project.parent / "outside"
    outside.mkdir()
    assert talk(use, cwd=outside) == 16
    assert sorted(path.name for path in project.iterdir()) == [".git", "README.md"]
    assert list(outside.iterdir()) == []
