"""What users are told never proposes a destructive step: an agent may obey it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

REPORTS = {"Problem", "Finding", "Diagnosis", "Repair", "diagnose"}
"""What a finding, or what is done about it, is built with."""
DESTRUCTIVE = re.compile(
    r"\brm\b|\brmdir\b|unlink|delet|\bremov|\beras|\bwip(e|ing)|\bpurg|discard|overwrit|truncat|\bprun|\bdrop\b"
    r"|--force|\bclean -|reset --hard|git (checkout|restore|stash)|init --force|start over|from scratch",
    re.IGNORECASE,
)
DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference" / "doctor.md"
FROM_ERRORS = {"memory_damaged", "unsupported_format", "config", "storage", "journal"}
"""Codes that verification makes from the names of the errors that reading a file of truth may raise."""


def called_name(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def strings(node: ast.AST) -> Iterator[str]:
    """Every text that a piece of a program spells out, but for docstrings."""
    documents = {
        id(part.body[0].value)
        for part in ast.walk(node)
        if isinstance(part, ast.Module | ast.ClassDef | ast.FunctionDef)
        and part.body
        and isinstance(part.body[0], ast.Expr)
    }
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and id(part) not in documents:
            yield part.value


def advice(sources: dict[str, ast.Module]) -> dict[str, list[str]]:
    """What each module may say: all texts of one that builds findings, of the others what they raise."""
    found: dict[str, list[str]] = {}
    for name, module in sources.items():
        builds = any(called_name(node) in REPORTS for node in ast.walk(module)) or name.endswith("/errors.py")
        raised = [node for node in ast.walk(module) if isinstance(node, ast.Raise)]
        found[name] = list(strings(module)) if builds else [text for node in raised for text in strings(node)]
    return found


def test_no_finding_no_fix_and_no_error_proposes_a_destructive_step(sources: dict[str, ast.Module]) -> None:
    said = advice(sources)

    assert sum(len(texts) for texts in said.values()) > 400
    assert {(name, text) for name, texts in said.items() for text in texts if DESTRUCTIVE.search(text)} == set()


@pytest.mark.parametrize("text", ["run `rm -r index`", "delete the file", "hfa init --force", "git reset --hard"])
def test_a_destructive_step_would_be_found(text: str) -> None:
    module = ast.parse(f"def f():\n    'A docstring may say delete.'\n    yield Problem('code', path, 'x', {text!r})\n")

    assert [one for one in advice({"m.py": module})["m.py"] if DESTRUCTIVE.search(one)] == [text]


def reported(sources: dict[str, ast.Module]) -> Iterator[tuple[str, str, ast.Call]]:
    """Every place that builds a finding: module, code, and the call."""
    for name, module in sources.items():
        for node in ast.walk(module):
            if called_name(node) in {"Problem", "Finding", "diagnose"} and isinstance(node, ast.Call) and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield name, first.value, node


def test_every_code_of_a_finding_is_in_the_reference_and_no_other(sources: dict[str, ast.Module]) -> None:
    codes = {code for _, code, _ in reported(sources)} | FROM_ERRORS

    documented = set(re.findall(r"^\| `(\w+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE))
    assert documented == codes


def test_every_finding_that_is_no_mere_information_names_its_fix(sources: dict[str, ast.Module]) -> None:
    bare = [
        (name, code)
        for name, code, call in reported(sources)
        if called_name(call) == "Finding"
        and isinstance(call.args[1], ast.Constant)
        and call.args[1].value != "info"
        and (len(call.args) < 4 or (isinstance(call.args[3], ast.Constant) and not call.args[3].value))
    ]
    bare += [
        (name, code)
        for name, code, call in reported(sources)
        if called_name(call) == "Problem" and len(call.args) < 4 and not any(key.arg == "fix" for key in call.keywords)
        and not any(isinstance(key.value, ast.Name) and key.value.id == "INFO" for key in call.keywords)
    ]  # fmt: skip

    assert bare == []
