"""The reference of `hfa-mcp`: its options, tools, resources and prompts, from the objects that a client is given."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hfa_core.mcp.command import build_parser
from hfa_core.mcp.print_config import HOSTS
from hfa_core.mcp.prompts import list_prompts
from hfa_core.mcp.resources import list_templates
from hfa_core.mcp.schemas import list_tools

HEAD = """# The `hfa-mcp` server

Generated from what a client is told. [How to use it](../how-to/use-over-mcp.md) says how hosts are connected and what
they call the tools.
"""
SAME = {
    "recall_memory": "hfa recall --json",
    "remember_decision": "hfa add-topic --json",
    "memory_health": "hfa status --json",
}
"""The command that gives the same result as a tool."""


def render_mcp_reference() -> str:
    """The page as Markdown."""
    parts = [HEAD, "## Options\n", _table("option", "meaning", _options(build_parser()))]
    parts += ["## Hosts of `--print-config`\n", _table("host", "the entry belongs in", HOSTS.items())]
    parts.append("## Tools\n")
    for tool in list_tools():
        parts += [f"### {tool.name}\n", f"{tool.description} Its result is that of `{SAME[tool.name]}`.\n"]
        rows = list(_arguments(tool.input_schema))
        parts.append(_table("argument", "meaning", rows) if rows else "It takes no arguments.\n")
        fields = ", ".join(f"`{name}`" for name in (tool.output_schema or {})["properties"])
        parts.append(f"Described to clients: {fields}.\n")
    resources = [("`hfa://l0`", "What the memory is divided into, as far as it fits the router budget.")]
    resources += [(f"`{one.uri_template}`", one.description or "") for one in list_templates().resource_templates]
    parts += ["## Resources\n", _table("address", "what it holds", resources)]
    prompts = [(f"`{one.name}`", one.description or "") for one in list_prompts().prompts]
    parts += ["## Prompts\n", _table("prompt", "what it does", prompts)]
    return "\n".join(parts)


def _options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:  # argparse has no other way to list them
        name = action.option_strings[-1]
        value = f" {action.metavar}" if action.metavar else ""
        yield f"`{name}{value}`", (action.help or "").partition(": ")[0]


def _arguments(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, field in schema["properties"].items():
        required = "" if name in schema.get("required", ()) else ", optional"
        yield f"`{name}`", f"{field['type']}{required}. {field.get('description', '')}".strip()


def _table(left: str, right: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {left} | {right} |", "| --- | --- |", *(f"| {one} | {other} |" for one, other in rows)]
    return "\n".join(lines) + "\n"
