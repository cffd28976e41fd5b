"""`hfa recall`, also called `hfa route`."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.fs.layout import Layout
from hfa_core.index.commits import refresh_commits
from hfa_core.index.database import open_database
from hfa_core.index.sync import sync_to_read
from hfa_core.recall.recall import Request
from hfa_core.recall.recall import recall as recall_records
from hfa_core.recall.result import OFF, Recall
from hfa_core.recall.unlock import note_unlock
from hfa_core.settings import Environment
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.store.locate import is_off
from hfa_core.tokens import METHOD_ESTIMATE
from hfa_core.tokens.exact import load_counter
from hfa_core.transaction.opening import ensure_recovered


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
    answer = _answer(layout, environment, " ".join(query), unlock)
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(*_describe(answer))


def _answer(layout: Layout, environment: Environment, prompt: str, unlock: str | None) -> Recall:
    ensure_recovered(layout)
    if is_off(environment, layout):
        return Recall(OFF, method=METHOD_ESTIMATE)
    directory = read_directory(layout)
    with open_database(layout) as database:
        sync_to_read(database, directory, find_counter=load_counter)
        refresh_commits(database, environment.variables)
        answer = recall_records(database, directory, read_config(layout), Request(prompt, unlock=unlock))
    if unlock is not None:
        note_unlock(layout, unlock, answer, now=time.time())
    return answer


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
