"""A hook process on clean text loads nothing that costs more than it gives.

Clean means that no word in it makes the redaction look closer, which loads `re`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft, Source
from hfa_core.store.create import create_memory
from tests.payloads import load_payload
from tests.payloads.claude_hook import ROOTS

HEAVY = {
    "typer", "click", "rich", "mcp", "pydantic", "tiktoken", "pluggy", "importlib.metadata", "dataclasses", "inspect",
    "logging", "argparse", "subprocess", "tempfile", "shutil", "asyncio", "typing", "re", "json", "enum", "pathlib",
    "datetime", "hashlib", "hfa_core.tokens.exact", "hfa_core.index.counts",
}  # fmt: skip
PROGRAM = f"""\
import os, sys
sys.path += {[str(root) for root in ROOTS]}
sys.argv = ["hook", sys.argv[1]]
def report(code):
    os.write(2, ",".join(sys.modules).encode())
    leave(code)
leave, os._exit = os._exit, report
from hfa_claude import hook
hook.main(["claude", sys.argv[1]])
"""
"""The hook as installed, but that it says at its very end what it loaded."""

BLOCK = (
    "Done. 完成。\n```hfa-memory\ntitle: Retries 重试\nhit words: backoff, 退避\nconclusion: Five attempts. 五次。\n```"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a memory of one record, in its own home."""
    root = tmp_path / "project"
    layout = Layout(str(root / "memory"))
    create_memory(layout, "Project")
    words = ["cache key", "缓存键"]
    draft = Draft(
        title="Cache keys carry a version", hit_words=words, conclusion=["Daily. 每天。"], source=Source("cli")
    )
    remember(layout, draft, now=1_790_000_000)
    return root


def loaded(project: Path, sample: str, **changes: object) -> tuple[bytes, set[str]]:
    """The reply of a hook process and the modules that it had loaded when it ended."""
    payload = load_payload(sample, project, **changes)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(payload["hook_event_name"])],
        input=json.dumps(payload, ensure_ascii=False).encode(),
        capture_output=True,
        cwd=project,
        env={"HOME": str(project.parent / "home"), "PATH": os.environ.get("PATH", "")},
        check=False,
    )
    assert done.returncode == 0, done
    return done.stdout, set(done.stderr.decode().split(","))


@pytest.mark.parametrize("prompt", ["what do cache keys carry", "缓存键要带什么"])
def test_a_hit_loads_nothing_heavy(project: Path, prompt: str) -> None:
    reply, modules = loaded(project, "UserPromptSubmit", prompt=prompt)

    assert b"Daily." in reply
    assert "hfa_core.recall.recall" in modules
    assert modules & HEAVY == set()


def test_only_a_prompt_with_a_negator_loads_what_cuts_clauses(project: Path) -> None:
    _, plain = loaded(project, "UserPromptSubmit", prompt="what do cache keys carry")
    _, denying = loaded(project, "UserPromptSubmit", prompt="don't look up cache keys")

    assert "hfa_core.index.negation" not in plain
    assert "hfa_core.index.negation" in denying
    assert denying & HEAVY == set()


@pytest.mark.parametrize("prompt", ["ok, continue", "好的，继续", "write a haiku about the sea", "写一首关于大海的诗"])
def test_a_miss_loads_nothing_heavy(project: Path, prompt: str) -> None:
    reply, modules = loaded(project, "UserPromptSubmit", prompt=prompt)

    assert reply == b"{}\n"
    assert modules & HEAVY == set()


def test_storing_a_decision_loads_nothing_heavy(project: Path) -> None:
    reply, modules = loaded(project, "Stop", last_assistant_message=BLOCK)

    assert reply == b"{}\n"
    assert len(list((project / "memory" / "chunks").iterdir())) == 2
    assert "hfa_core.capture.remember" in modules
    assert modules & HEAVY == set()


@pytest.mark.parametrize("sample", ["SessionStart", "PostToolUse", "Stop", "PreCompact", "SessionEnd"])
def test_every_other_event_loads_nothing_heavy(project: Path, sample: str) -> None:
    _, modules = loaded(project, sample)

    assert "hfa_core.hook.runner" in modules
    assert modules & HEAVY == set()


def test_without_a_memory_nothing_of_the_index_is_loaded(tmp_path: Path) -> None:
    reply, modules = loaded(tmp_path, "UserPromptSubmit", prompt="cache key")

    assert reply == b"{}\n"
    assert not any(name.startswith(("hfa_core.index", "hfa_core.recall", "_sqlite3")) for name in modules)
    assert modules & HEAVY == set()
