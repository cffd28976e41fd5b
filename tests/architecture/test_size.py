"""Modules and functions stay small enough to be read in one go."""

from __future__ import annotations

import ast

FILE_LINES = 500
FUNCTION_LINES = 60


def test_no_module_is_long(sources: dict[str, ast.Module]) -> None:
    long = {name: module.body[-1].end_lineno for name, module in sources.items() if module.body}

    assert {name: lines for name, lines in long.items() if lines and lines > FILE_LINES} == {}


def test_no_function_is_long(sources: dict[str, ast.Module]) -> None:
    long = [
        f"{name}:{node.name}"
        for name, module in sources.items()
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    ]

    assert long == []
