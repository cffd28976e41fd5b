"""The hosts and runs that the end-to-end tests ask for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.hosts.claude import Claude, ensure_claude
from tests.e2e.hosts.npm import InstallError
from tests.e2e.play import Run, started


@pytest.fixture(scope="session")
def claude() -> Claude:
    """The real Claude Code. Without it there is nothing to test, which is a failure only where it is required."""
    try:
        return ensure_claude()
    except InstallError as error:
        if os.environ.get("HFA_E2E_REQUIRED") == "1":
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture
def run(claude: Claude, tmp_path: Path) -> Iterator[Run]:
    """A fresh machine: no memory, nothing installed."""
    with started(claude, tmp_path / "run") as fresh:
        yield fresh
