"""Thousands of payloads that no host should send: each is answered, with success and in bounded time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hfa_claude.plugin import ClaudeAdapter
from hfa_core.testing import FakeHost

ROOT = Path(__file__).resolve().parents[2]
DRIVER = Path(__file__).with_name("driver.py")


@pytest.fixture
def adapter() -> ClaudeAdapter:
    return ClaudeAdapter()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")
@pytest.mark.parametrize(
    ("host", "count", "seed"), [("claude", 5000, 1), ("claude", 5000, 2), ("cursor", 3000, 3), ("antigravity", 3000, 4)]
)
def test_mutated_payloads_are_each_answered_with_success(fake_host: FakeHost, host: str, count: int, seed: int) -> None:
    fake_host.remember("Refresh tokens", ["refresh token", "刷新令牌"], ["They rotate daily. 每天轮换。"])
    done = subprocess.run(
        [sys.executable, str(DRIVER), host, str(seed), str(count), str(fake_host.project)],
        cwd=fake_host.project,
        env={**fake_host.environment, "PYTHONPATH": os.pathsep.join([str(ROOT)]), "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    report = json.loads(done.stdout)

    assert report["faults"] == []
    # Some are still whole, so the fuzz reaches what lies behind the parsing.
    assert report["told"] > 50
