"""Every public name says what it is, and every module what it owns."""

from __future__ import annotations

import ast


def public_parts(
    node: ast.Module | ast.ClassDef, name: str
) -> list[tuple[str, ast.Module | ast.ClassDef | ast.FunctionDef]]:
    """The node itself and the public classes and functions in it, which hold the public names below."""
    found: list[tuple[str, ast.Module | ast.ClassDef | ast.FunctionDef]] = [(name, node)]
    for part in node.body:
        if isinstance(part, ast.ClassDef) and not part.name.startswith("_"):
            found.extend(public_parts(part, f"{name}:{part.name}"))
        elif isinstance(part, ast.FunctionDef) and not part.name.startswith(("_", "test_")):
            found.append((f"{name}:{part.name}", part))
    return found


def test_every_public_name_has_a_docstring_whose_first_line_is_a_sentence(sources: dict[str, ast.Module]) -> None:
    missing: list[str] = []
    for name, module in sources.items():
        for where, node in public_parts(module, name):
            text = ast.get_docstring(node)
            # A paragraph may go on over several lines; it ends like a sentence.
            if not text or text.split("\n\n")[0].rstrip()[-1] not in ".:;?!`":
                missing.append(where)

    assert missing == []
