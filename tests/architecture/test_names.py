"""Modules are named by what they own."""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath

EMPTY_NAMES = re.compile(r"(utils?|helpers?|common|misc|base|stuff|shared|lib|manager|.*_?v\d+|.*_(new|old|final))")
JUSTIFIED = {"hfa_core/plugins/manager.py"}
"""pluggy's own word for what it holds."""


def test_no_module_has_a_name_that_says_nothing(sources: dict[str, ast.Module]) -> None:
    found = {
        name
        for name in sources
        for part in PurePosixPath(name).with_suffix("").parts
        if EMPTY_NAMES.fullmatch(part) and not part.startswith("hfa_")
    }

    assert found == JUSTIFIED
