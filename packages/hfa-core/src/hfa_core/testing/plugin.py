"""The fixtures of the suite, for `pytest_plugins = ["hfa_core.testing.plugin"]` in an adapter's conftest."""

from __future__ import annotations

from pathlib import Path

import pytest

from hfa_core.hosts.adapter import HostAdapter
from hfa_core.testing.fake_host import FakeHost


@pytest.fixture
def fake_host(adapter: HostAdapter, tmp_path: Path) -> FakeHost:
    """
    The host of the fixture `adapter`, in a fresh project with an empty memory and a home of its own, HFA not yet
    installed.

    Both folders have blanks, quotes and Chinese in their names, as some of a user's have.
    """
    return FakeHost(adapter, home=tmp_path / "the user's home", project=tmp_path / "a project 项目")
