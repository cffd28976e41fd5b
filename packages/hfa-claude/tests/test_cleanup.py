"""The clean-up for when the package is gone: the program in the documentation, run as a reader would run it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hfa_claude.install import OWNER, SERVER_COMMAND, SERVER_MODULE, plan_install
from hfa_claude.plugin import ClaudeAdapter
from hfa_core.hosts.apply import apply_edits
from hfa_core.testing import FakeHost

PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "remove-hfa.md"
THEIRS = {
    "model": "模型",
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}], "PreToolUse": []},
    "mcpServers": {"theirs": {"command": "x"}},
}


@pytest.fixture
def adapter() -> ClaudeAdapter:
    return ClaudeAdapter()


def test_the_documented_clean_up_leaves_what_was_there_and_nothing_of_ours(fake_host: FakeHost) -> None:
    (program,) = re.findall(r"<<'PY'\n(.*?)^PY$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names = [".claude/settings.json", ".claude.json"]
    files = [fake_host.home / name for name in names] + [
        fake_host.project / name for name in (".claude/settings.json", ".mcp.json")
    ]
    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(THEIRS), encoding="utf-8-sig")
    installed: dict[Path, bytes] = {}
    for scope in ("user", "project"):
        edits = plan_install(replace(fake_host.request(scope), with_server=True))
        apply_edits(edits, fake_host.user_state)
    installed.update({path: path.read_bytes() for path in files})

    command = [sys.executable, "-I", "-S", "-c", program, *map(str, files), str(fake_host.home / "none.json")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)

    assert (done.returncode, done.stderr) == (0, "")
    for path in files:
        assert json.loads(path.read_text(encoding="utf-8")) == THEIRS
        assert not any(mark in path.read_text(encoding="utf-8") for mark in (OWNER, SERVER_COMMAND, SERVER_MODULE))
        assert path.with_name(path.name + ".before-hfa-was-removed").read_bytes() == installed[path]
    again = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (again.returncode, again.stdout) == (0, "")
