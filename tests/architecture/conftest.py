"""The source files that the checks of this folder look at, parsed once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def sources() -> dict[str, ast.Module]:
    """Every module of the four packages, parsed, by its path below `src`, such as `hfa_core/errors.py`."""
    found: dict[str, ast.Module] = {}
    for folder in sorted(ROOT.glob("packages/*/src")):
        for path in sorted(folder.rglob("*.py")):
            name = path.relative_to(folder).as_posix()
            found[name] = ast.parse(path.read_text(encoding="utf-8"), name)
    assert "hfa_core/errors.py" in found
    assert "hfa_claude/hook.py" in found
    return found
