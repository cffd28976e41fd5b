"""The real Claude Code lists the tools of `hfa-mcp`, calls them, and shows its model what they answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.anthropic_wire import as_array, as_object
from tests.e2e.hosts.claude import Claude
from tests.e2e.play import HFA_MCP, Run, Turn, started
from tests.e2e.script import Call, Say

pytestmark = pytest.mark.e2e

PLUGIN = Path(__file__).resolve().parents[2] / "packages" / "hfa-claude" / "plugin"
TOOLS = ("mcp__hfa__memory_health", "mcp__hfa__recall_memory", "mcp__hfa__remember_decision")
DECISION = {
    "title": "部署超时统一为九十秒 Deploys time out after 90 s",
    "hit_words": ["部署超时", "deploy timeout"],
    "conclusion": ["先预热缓存再切流量，超时即回滚。", "Warm the cache, then switch."],
}
CONCLUSION = "先预热缓存再切流量"


def set_up(run: Run, **changes: object) -> None:
    """What the how-to says, and the trust that a person gives in a dialogue that a headless run does not have."""
    config = as_object(json.loads(run.check([HFA_MCP, "--print-config", "claude"], {})))
    as_object(as_object(config["mcpServers"])["hfa"]).update(changes)
    (run.workspace / ".mcp.json").write_text(json.dumps(config), encoding="utf-8")
    run.settings_file.write_text(json.dumps({"enabledMcpjsonServers": ["hfa"]}), encoding="utf-8")


def offered(turn: Turn) -> tuple[str, ...]:
    """The tools of ours that the model was offered, schemas and all, in the first request."""
    return tuple(sorted(name for name in turn.requests[0].tools if name.startswith("mcp__hfa__")))


def results(turn: Turn) -> list[str]:
    """What the model was told of its calls, in order; each one is the block as JSON."""
    return [text for text in turn.last_request.texts() if text.startswith("{") and '"tool_result"' in text]


def test_the_tools_are_offered_up_front_and_what_they_answer_reaches_the_model(run: Run) -> None:
    run.hfa("init")
    set_up(run)

    turn = run.turn(
        "Please settle the deploy timeout.",
        Call("mcp__hfa__remember_decision", DECISION),
        Call("mcp__hfa__recall_memory", {"query": "部署超时是怎么定的"}),
        Call("mcp__hfa__memory_health", {}),
        Call("mcp__hfa__recall_memory", {"query": ""}),
        Call("mcp__hfa__remember_decision", {**DECISION, "kind": "poem"}),
        Say("Settled."),
    )

    assert (turn.exit_code, turn.answer) == (0, "Settled.")
    assert offered(turn) == TOOLS
    (chunk,) = (run.workspace / "memory" / "chunks").glob("*.json")
    record = as_object(json.loads(chunk.read_text(encoding="utf-8")))
    assert as_object(record["source"])["kind"] == "mcp"
    assert as_object(record["source"])["host"] == "claude-code"
    stored, recalled, health, nothing, refused = results(turn)
    assert chunk.stem in stored
    assert CONCLUSION in recalled
    assert "memory_dir" in health
    assert "none" in nothing
    assert "poem" in refused
    assert ['"is_error": true' in told for told in results(turn)] == [False, False, False, False, True]
    assert len(as_array(as_object(json.loads(run.hfa("recall", "deploy timeout", "--json")))["selected"])) == 1


def test_one_installation_brings_hooks_and_tools_of_one_memory(run: Run) -> None:
    run.hfa("init")
    run.hfa("install", "claude", "--scope", "user", "--mcp")
    stored = run.turn("Please settle the timeout.", Call("mcp__hfa__remember_decision", DECISION), Say("Settled."))
    assert offered(stored) == TOOLS

    turn = run.turn("部署超时和缓存我们之前是怎么定的？")

    (told,) = run.host.contexts(turn.last_request, "UserPromptSubmit")
    assert told.count(CONCLUSION) == 1


def test_what_the_agent_asked_for_is_not_told_again_by_a_hook(run: Run) -> None:
    run.hfa("init")
    run.hfa("install", "claude", "--scope", "user", "--mcp")
    run.turn("Please settle the timeout.", Call("mcp__hfa__remember_decision", DECISION), Say("Settled."))
    question = "部署超时和缓存我们之前是怎么定的？"
    run.turn("Look it up.", Call("mcp__hfa__recall_memory", {"query": question}), Say("As decided."))

    turn = run.turn(question, resume=True)

    assert run.host.contexts(turn.last_request, "UserPromptSubmit") == []
    assert len(run.host.contexts(run.turn(question).last_request, "UserPromptSubmit")) == 1


def test_without_always_load_the_model_finds_the_tools_by_a_search(run: Run) -> None:
    run.hfa("init")
    set_up(run, alwaysLoad=False)

    turn = run.turn(
        "What was decided?",
        Call("ToolSearch", {"query": "select:mcp__hfa__memory_health"}),
        Call("mcp__hfa__memory_health", {}),
        Say("Nothing yet."),
    )

    assert offered(turn) == ()
    assert "mcp__hfa__memory_health" in turn.last_request.tools
    assert "memory_dir" in results(turn)[1]


def test_the_plugin_brings_the_tools_under_a_prefix_of_its_own(claude: Claude, tmp_path: Path) -> None:
    with started(replace(claude, options=("--plugin-dir", str(PLUGIN))), tmp_path / "run") as run:
        run.environment["PATH"] += os.pathsep + str(Path(sys.executable).parent)
        run.hfa("init")

        turn = run.turn("How is it?", Call("mcp__plugin_hfa_hfa__memory_health", {}), Say("Sound."))

    assert turn.answer == "Sound."
    assert "memory_dir" in results(turn)[0]


def test_claude_code_elsewhere_is_served_over_http_for_the_token(run: Run, claude: Claude) -> None:
    run.hfa("init")
    command = [HFA_MCP, "--http", "127.0.0.1:0", "--token-file", str(run.root / "token")]
    with subprocess.Popen(
        command, cwd=run.workspace, env=run.environment, stderr=subprocess.PIPE, encoding="utf-8"
    ) as server:
        assert server.stderr
        try:
            url = server.stderr.readline().split()[2].rstrip(";")
            token = (run.root / "token").read_text(encoding="ascii").strip()
            # As the how-to has it, but for the place of the token.
            add = ["mcp", "add", "--scope", "user", "--transport", "http", "hfa", url]
            run.check([str(claude.executable), *add, "--header", f"Authorization: Bearer {token}"], {})

            turn = run.turn("Settle it.", Call("mcp__hfa__remember_decision", DECISION), Say("Settled."))
        finally:
            server.terminate()

    assert turn.answer == "Settled."
    assert '"is_error": true' not in results(turn)[0]
    assert len(list((run.workspace / "memory" / "chunks").glob("*.json"))) == 1


def test_a_host_is_unharmed_by_a_server_that_is_gone(run: Run) -> None:
    set_up(run, command="/no/such/hfa-mcp")

    turn = run.turn("thanks", Say("You are welcome."))

    assert (turn.exit_code, turn.answer, offered(turn)) == (0, "You are welcome.", ())
