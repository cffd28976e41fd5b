"""`hfa recall`, also called `hfa route`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.fs.layout import Layout
from hfa_core.operations.recall import answer_query
from hfa_core.recall.result import OFF, Recall
from hfa_core.settings import Environment


def recall(
    query: Annotated[list[str], typer.Argument(help="What you would ask, in any words.")],
    unlock: Annotated[
        str | None, typer.Option(help="A reason to open the focus lock: other nodes are shown too, and it is logged.")
    ] = None,
    backend: Annotated[
        str, typer.Option(metavar="NAME", help="Another search engine; see `hfa plugins`.", show_default=False)
    ] = "",
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Show what a prompt would recall, and why; at most two records within the budget, or nothing.

    Example: hfa recall "how do we rotate refresh tokens"
    """
    layout, environment = open_memory(memory_dir)
    answer = answer_query(
        layout, environment, " ".join(query), unlock=unlock, propose=_find_engine(backend, layout, environment)
    )
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(*_describe(answer))


def _find_engine(name: str, layout: Layout, environment: Environment) -> Callable[[str], tuple[str, ...]] | None:
    """The proposals of a plugin's search engine; None for the built-in one."""
    if not name:
        return None
    from hfa_core.plugins.manager import find_backend
    from hfa_core.plugins.services import propose

    engine = find_backend(name, None if environment.plugins is None else ",".join(environment.plugins))
    return partial(propose, engine, Path(layout.root))


def _describe(answer: Recall) -> list[str]:
    if answer.status == OFF:
        return ["The memory is off here; nothing was recalled."]
    lines: list[str] = []
    if answer.selected:
        lines = [answer.recall_text, ""]
        lines += [f"{item.id}  {item.tokens} tokens  ({'; '.join(item.match)})" for item in answer.selected]
        kind = "exact" if answer.exact else "estimated"
        lines.append(f"{answer.recall_tokens} tokens ({kind})")
    else:
        lines.append("Nothing is recalled.")
    lines += [f"deferred: {item.id} {item.title} ({item.reason})" for item in answer.deferred]
    return lines
