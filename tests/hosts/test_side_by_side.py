"""Several hosts on one memory: what one stores the other recalls, and both at once give one answer."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

import pytest

from hfa_claude.plugin import ClaudeAdapter
from hfa_core.hosts.adapter import HostAdapter
from hfa_core.testing import FakeHost
from hfa_cursor.plugin import CursorAdapter
from hfa_generic_hook.plugin import AntigravityAdapter
from tests.payloads import CURSOR, load_sample

ADAPTERS: tuple[HostAdapter, ...] = (ClaudeAdapter(), CursorAdapter(), AntigravityAdapter())
BLOCK = "```hfa-memory\ntitle: {title}\nhit_words: {words}\nconclusion: {text}\n```\n"


@pytest.fixture
def hosts(tmp_path: Path) -> dict[str, FakeHost]:
    """Every host, installed for one user, in one project."""
    found: dict[str, FakeHost] = {}
    for adapter in ADAPTERS:
        host = FakeHost(adapter, home=tmp_path / "home", project=tmp_path / "project 项目")
        host.session_id = f"session-of-{adapter.name}"
        host.install()
        found[adapter.name] = host
    return found


@pytest.mark.parametrize(("writer", "reader"), list(permutations(("claude", "cursor", "antigravity"), 2)))
def test_what_one_host_stores_another_recalls(hosts: dict[str, FakeHost], writer: str, reader: str) -> None:
    hosts[writer].stop(
        BLOCK.format(title="蓝队列 blue queue", words="blue queue, 蓝队列", text="Blue only. 只用蓝队列。")
    )
    told = hosts[reader].prompt("what about the blue queue? 蓝队列呢")

    assert told.text.count("只用蓝队列。") == 1
    assert [record.source.host for record in hosts[reader].records()] == [writer]


def test_hosts_that_store_at_the_same_time_lose_nothing(hosts: dict[str, FakeHost]) -> None:
    def store(number: int) -> None:
        one = list(hosts.values())[number % len(hosts)]
        host = FakeHost(one.adapter, home=one.home, project=one.project)
        host.session_id = f"session-{number}"
        words = f"subject{number}, 主题{number}"
        host.stop(BLOCK.format(title=f"Subject {number}", words=words, text=f"Value {number}. 值。"), turn=f"t{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(store, range(16)))

    records = hosts["claude"].records()
    assert sorted(record.title for record in records) == sorted(f"Subject {number}" for number in range(16))
    assert len({record.id for record in records}) == 16


def test_cursor_that_runs_claude_codes_hooks_too_is_told_once_and_stores_once(hosts: dict[str, FakeHost]) -> None:
    claude, cursor = hosts["claude"], hosts["cursor"]
    claude.remember("Queue", ["blue queue"], ["Blue only. 只用蓝队列。"], paths=["worker.py"])

    def fire(sample: str, also: str, **changes: object) -> str:
        payload = json.dumps(load_sample(CURSOR, sample, cursor.project, **changes)).encode()
        with ThreadPoolExecutor(2) as pool:
            told = [pool.submit(cursor.send, sample, payload), pool.submit(claude.send, also, payload)]
            return "\n".join(one.result().text for one in told)

    assert fire("sessionStart", "SessionStart").count("1 current record") == 1
    prompt = "what about the blue queue?"
    assert fire("beforeSubmitPrompt", "UserPromptSubmit", prompt=prompt).count("只用蓝队列。") == 1
    tool_input = {"file_path": str(cursor.project / "worker.py")}
    fire("postToolUse", "PostToolUse", tool_name="Write", tool_input=tool_input)
    block = BLOCK.format(title="Retries", words="retry", text="Five. 五次。")
    cursor.tell("answer", message=block, turn="g0000000-0000-4000-8000-000000000001")
    cursor.send(
        "afterAgentResponse", json.dumps(load_sample(CURSOR, "afterAgentResponse", cursor.project, text=block)).encode()
    )
    fire("stop", "Stop")

    assert [record.title for record in claude.records()] == ["Queue", "Retries"]
