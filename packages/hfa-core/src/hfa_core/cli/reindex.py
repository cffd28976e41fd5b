"""`hfa reindex`."""

from __future__ import annotations

from typing import Annotated

import typer

from hfa_core.cli.output import plural, print_json, print_lines, show_progress
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.cli.verify import report
from hfa_core.index.pages import rebuild_derived
from hfa_core.tokens.exact import load_counter
from hfa_core.transaction.opening import ensure_recovered


def reindex(
    verify: Annotated[
        bool, typer.Option("--verify", help="Only check every file and the index; change nothing.")
    ] = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Build everything derived anew, or with --verify check it; a fault ends with exit code 50.

    Example: hfa reindex --verify
    """
    layout, _ = open_memory(memory_dir)
    if verify:
        report(layout, as_json)
        return
    ensure_recovered(layout)
    count, damaged, views = rebuild_derived(layout, find_counter=load_counter, on_progress=show_progress)
    if as_json:
        print_json({"records": count, "damaged": damaged, "views_changed": len(views)})
    else:
        print_lines(f"Indexed {plural(count, 'record')}.", *(f"left out: {line}" for line in damaged))
