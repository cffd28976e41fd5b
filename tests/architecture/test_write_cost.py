"""What one write opens, stats, lists and computes does not grow with the memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("write_cost.py")
FILES = 2
"""By how many opens, stats or listings two memories may differ."""
STEPS = 900
"""By how many instructions of SQLite, for its merges; a look at the 450 further records costs three for each."""

Counts = dict[str, dict[str, int]]


def count(folder: Path, size: int) -> Counts:
    folder.mkdir()
    path = os.pathsep.join([str(ROOT / "benchmarks"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "HOME": str(folder), "GIT_CONFIG_GLOBAL": os.devnull}
    command = [sys.executable, str(SCRIPT), str(folder), str(size)]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Counts, Counts]:
    folder = tmp_path_factory.mktemp("cost")
    return count(folder / "small", 50), count(folder / "large", 500)


@pytest.mark.parametrize("kind", ["plain", "replacing", "captured", "pages"])
def test_a_write_to_500_records_does_what_one_to_50_does(counts: tuple[Counts, Counts], kind: str) -> None:
    small, large = counts[0][kind], counts[1][kind]
    assert all(small[name] > 0 for name in ("opens", "stats", "steps")), "nothing was counted"
    for name in ("opens", "stats", "listings"):
        assert abs(large[name] - small[name]) <= FILES, name
    assert large["steps"] <= small["steps"] + STEPS
