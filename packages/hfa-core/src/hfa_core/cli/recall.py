"""`hfa recall`, also called `hfa route`."""

from __future__ import annotations

from typing import Annotated

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.operations.recall import answer_query
from hfa_core.recall.result import OFF, Recall


def recall(
    query: Annotated[list[str], typer.Argument(help="What you would ask, in any words.")],
    unlock: Annotated[
        str | None, typer.Option(help="A reason to open the focus lock: other nodes are shown too, and it is logged.")
    ] = None,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Show what a prompt would recall, and why; at most two records within the budget, or nothing.

    Example: hfa recall "how do we rotate refresh tokens"
    """
    layout, environment = open_memory(memory_dir)
    answer = answer_query(layout, environment, " ".join(query), unlock=unlock)
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(*_describe(answer))


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
