"""One memory, three doors: command line, MCP and the function beneath give the same answer and leave the same files."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from mcp_types import CallToolResult, TextContent

from hfa_core.errors import HfaError
from hfa_core.fs.layout import Layout
from hfa_core.mcp.schemas import RememberArguments
from hfa_core.operations.recall import answer_query
from hfa_core.operations.record import draft_of, store
from hfa_core.operations.status import read_status
from hfa_core.settings import current_environment
from tests.payloads.hfa_command import Hfa

ROTATION: dict[str, str | list[str]] = {
    "title": "Refresh tokens rotate every 24 hours",
    "hit_words": ["refresh token", "rotation"],
    "conclusion": ["The auth service rotates refresh tokens every 24 h."],
}
DEPLOY: dict[str, str | list[str]] = {
    "title": "部署超时统一为九十秒",
    "hit_words": ["部署超时，缓存预热"],
    "conclusion": ["先预热缓存再切流量。\n超时即回滚。"],
}
KEY = "AKIA" + "IOSFODNN7QX2LMPW"


class Case(NamedTuple):
    """A call of a tool, the words of the command that is the same, and how the command ends."""

    name: str
    tool: str
    arguments: dict[str, Any]
    words: tuple[str, ...]
    code: int = 0
    before: str = ""


def recall(name: str, query: str, *, unlock: str | None = None, code: int = 0, before: str = "") -> Case:
    arguments = {"query": query} if unlock is None else {"query": query, "unlock": unlock}
    words = ("recall", query, *(("--unlock", unlock) if unlock is not None else ()))
    return Case(name, "recall_memory", arguments, words, code, before)


def remember(name: str, fields: Mapping[str, str | list[str]], *, code: int = 0, before: str = "") -> Case:
    arguments: dict[str, str | list[str]] = {**ROTATION, "title": "Retries stop after five", **fields}
    options = {"hit_words": "--hit-words", "paths": "--path", "tags": "--tag"}
    words = ["add-topic"]
    for field, value in arguments.items():
        for one in [value] if isinstance(value, str) else value:
            words += [options.get(field, "--" + field.replace("_", "-")), one]
    return Case(name, "remember_decision", arguments, tuple(words), code, before)


def health(name: str, *, code: int = 0, before: str = "") -> Case:
    return Case(name, "memory_health", {}, ("status",), code, before)


CASES = [
    recall("a hit", "how do we rotate the refresh token?"),
    recall("a hit in Chinese", "部署超时和缓存是怎么定的？"),
    recall("nothing", "what colour is the moon"),
    recall("chatter", "thanks"),
    recall("a locked node", "how is billing done with invoices?"),
    recall("unlocked", "how is billing done with invoices?", unlock="checking both lines 核对"),
    recall("unlock without a reason", "refresh token", unlock=" ", code=24),
    recall("off", "refresh token", before="off"),
    recall("no memory", "refresh token", code=10, before="no memory"),
    recall("L0 damaged", "refresh token", code=12, before="damaged"),
    recall("a journal that cannot be finished", "refresh token", code=42, before="journal"),
    remember("plain", {}),
    remember("Chinese, comma and line ends", DEPLOY),
    remember("every field", {"kind": "pitfall", "node": "M1", "paths": ["src/a.py"], "tags": ["x"], "source": "#12",
                             "request_id": "r-9"}),
    remember("there already", ROTATION | {"request_id": "r-1"}),
    remember("supersedes", {"supersedes": ["chunk_0001"]}),
    remember("a secret", {"conclusion": [f"The key is {KEY}."]}),
    remember("supersedes what is not there", {"supersedes": ["chunk_0999"]}, code=22),
    remember("a request id that is taken", {"request_id": "r-1"}, code=21),
    remember("no such kind", {"kind": "poem"}, code=20),
    remember("too many hit words", {"hit_words": [f"word{one}" for one in range(9)]}, code=20),
    remember("no such node", {"node": "M9"}, code=23),
    remember("a path that leaves", {"paths": ["../../etc/passwd"]}, code=20),
    remember("far too long", {"title": "x" * 100_001}, code=20),
    remember("off", {}, code=15, before="off"),
    remember("a newer memory", {}, code=14, before="newer"),
    health("sound"),
    health("off", before="off"),
    health("L0 damaged", code=50, before="damaged"),
    health("a chunk damaged", code=50, before="chunk"),
    health("every chunk damaged", code=50, before="chunks"),
    health("no memory", code=10, before="no memory"),
]  # fmt: skip


@pytest.fixture
def door(memory: Layout, project: Path, tmp_path: Path, add: Callable[..., str], hfa: Hfa) -> Callable[[str], Path]:
    """`door("cli")` gives a copy of one and the same project, for one door to use."""
    add(
        "Refresh tokens rotate every 24 hours",
        request_id="r-1",
        hit_words=("refresh token", "rotation"),
        conclusion="The auth service rotates refresh tokens every 24 h.",
    )
    add("部署超时统一为九十秒", hit_words=("部署超时", "缓存"), conclusion=("先预热缓存再切流量。", "超时即回滚。"))
    assert hfa("node", "add", "Billing").code == 0
    add("Billing sends invoices monthly", node="S1", hit_words=("billing", "invoices"))

    def copy(name: str) -> Path:
        return shutil.copytree(project, tmp_path / name, symlinks=True)

    return copy


def prepare(project: Path, before: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project / "memory"
    if before == "off":
        monkeypatch.setenv("HFA_OFF", "1")
    elif before == "no memory":
        shutil.rmtree(root)
    elif before == "damaged":
        (root / "directory.md").write_text("# Directory\n\n<<<<<<< ours\n", encoding="utf-8")
    elif before == "journal":
        (root / ".hfa-transaction.json").write_text("{ damaged", encoding="utf-8")
    elif before == "newer":
        config = (root / "config.json").read_text(encoding="utf-8")
        (root / "config.json").write_text(config.replace("hfa-memory/1", "hfa-memory/2"), encoding="utf-8")
    elif before == "chunks":
        for number in range(1, 40):
            (root / "chunks" / f"chunk_{number:04}-0a0b0c.json").write_text("{ broken", encoding="utf-8")
    elif before == "chunk":
        next((root / "chunks").glob("chunk_0001*")).write_text("{ broken", encoding="utf-8")


def by_function(case: Case, project: Path) -> dict[str, Any]:
    layout = Layout(str(project / "memory"))
    environment = current_environment()
    try:
        if case.tool == "recall_memory":
            return answer_query(
                layout, environment, case.arguments["query"], unlock=case.arguments.get("unlock")
            ).as_json()
        if case.tool == "memory_health":
            return read_status(layout, environment)
        given = RememberArguments.model_validate(case.arguments)
        fields = given.model_dump(exclude={"source"})
        return store(layout, draft_of(layout, **fields, ref=given.source, source_kind="hand")).as_json()
    except HfaError as error:
        return error.as_json()


def chunks_of(project: Path) -> list[dict[str, object]]:
    """What the records say, without what tells the doors apart and the second of writing."""
    found: list[dict[str, object]] = []
    for path in sorted((project / "memory" / "chunks").glob("*.json")):
        text = path.read_text(encoding="utf-8")
        if text.startswith("{ broken"):
            continue
        record = json.loads(text)
        record["source"] = {key: value for key, value in record["source"].items() if key not in ("kind", "host")}
        found.append({key: value for key, value in record.items() if key not in ("id", "digest", "created_at")})
    return found


def plain(document: object, project: Path) -> dict[str, object]:
    """A document without the door's own folder, and without what follows from the source of a new record."""
    text = json.dumps(document, ensure_ascii=False).replace(str(project), "PROJECT")
    found = json.loads(text)
    if "duplicate" in found and not found["duplicate"]:
        found["id"] = re.sub("-[0-9a-f]{6}$", "", found["id"])
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.tool}: {case.name}")
def test_all_doors_answer_alike_and_leave_the_same_records(
    case: Case,
    door: Callable[[str], Path],
    call: Callable[..., CallToolResult],
    hfa: Hfa,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    projects = [door(name) for name in ("cli", "mcp", "function")]
    for project in projects:
        prepare(project, case.before, monkeypatch)
    cli, mcp, function = projects

    done = hfa(*case.words, "--json", cwd=cli)
    answer = call(case.tool, case.arguments, cwd=mcp)

    assert (done.code, done.err) == (case.code, "")
    told = plain(done.json, cli)
    assert plain(answer.structured_content, mcp) == told
    # `hfa status` ends with 50 where it found something to say, and has said it.
    assert answer.is_error == (case.code not in (0, 50))
    assert json.loads(cast("TextContent", answer.content[0]).text) == answer.structured_content
    if case.before != "no memory" and not (case.before == "off" and case.tool == "remember_decision"):
        assert plain(by_function(case, function), function) == told
        assert chunks_of(cli) == chunks_of(mcp) == chunks_of(function)
    assert KEY not in "".join(map(str, chunks_of(mcp)))


def test_the_hook_of_a_prompt_injects_the_text_that_the_tools_give(
    door: Callable[[str], Path], call: Callable[..., CallToolResult]
) -> None:
    project = door("hook")
    query = "how do we rotate the refresh token?"
    payload = {"session_id": "s", "cwd": str(project), "hook_event_name": "UserPromptSubmit", "prompt": query}

    hook = subprocess.run(
        [sys.executable, "-c", "from hfa_claude.hook import main; main(['claude', 'UserPromptSubmit'])"],
        input=json.dumps(payload), cwd=project, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    answer = call("recall_memory", {"query": query}, cwd=project)

    told = json.loads(hook.stdout)["hookSpecificOutput"]["additionalContext"]
    assert answer.structured_content["recall_text"] in told


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "query"),
        ({"query": 7}, "query"),
        ({"query": "x", "depth": 2}, "depth"),
        ({"query": None}, "query"),
        ({"query": "x", "unlock": ["why"]}, "unlock"),
    ],
)
def test_arguments_of_the_wrong_form_are_a_usage_error_that_names_them_and_not_their_values(
    memory: Layout, project: Path, call: Callable[..., CallToolResult], arguments: dict[str, object], named: str
) -> None:
    answer = call("recall_memory", {**arguments, "password": KEY}, cwd=project)

    assert answer.is_error
    error = answer.structured_content["error"]
    assert (error["type"], error["exit_code"]) == ("UsageError", 2)
    assert named in error["message"]
    assert KEY not in error["message"]


def test_a_fault_of_ours_is_a_tool_error_and_leaves_a_line_in_the_log(
    memory: Layout, project: Path, call: Callable[..., CallToolResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"what nobody thought of: {KEY}")

    monkeypatch.setattr("hfa_core.mcp.calls.answer_query", fail)

    answer = call("recall_memory", {"query": "refresh token"}, cwd=project)

    assert answer.is_error
    assert answer.structured_content["error"]["type"] == "RuntimeError"
    assert "hfa doctor" in answer.structured_content["error"]["message"]
    assert KEY not in str(answer)
    hooks = read_status(memory, current_environment())["hooks"]
    assert "'outcome': 'error'" in str(hooks)
