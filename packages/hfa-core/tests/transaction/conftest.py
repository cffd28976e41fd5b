"""The memory in which operations are interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.store.nodes import add_node
from tests.operations import NOW, draft


@pytest.fixture
def prepared(memory: Layout) -> Layout:
    """Two records, side and main lines, and a limit that the operation `epoch roll` meets."""
    for title in ("First", "Second"):
        remember(memory, draft(title), now=NOW)
    add_node(memory, "S", "Side line", time="2026-01-01T00:00:00Z")
    for title in ("Main line", "Another"):
        add_node(memory, "M", title, time="2026-01-01T00:00:00Z")
    Path(memory.root, "main", "M3.md").unlink()
    return memory
