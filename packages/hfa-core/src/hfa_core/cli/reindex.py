"""`hfa reindex`."""

from __future__ import annotations

from typing import Annotated

import typer

from hfa_core.cli.output import plural, print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.cli.views import refresh_views
from hfa_core.errors import VerifyError
from hfa_core.index.rebuild import rebuild
from hfa_core.index.verify import verify_memory
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
        problems = verify_memory(layout)
        if as_json:
            print_json(
                {
                    "ok": not problems,
                    "findings": [{"code": one.code, "path": one.path, "text": one.text} for one in problems],
                }
            )
        else:
            print_lines(*(f"{one.code}: {one.path}: {one.text}" for one in problems))
            print_lines("Everything is sound." if not problems else f"{plural(len(problems), 'finding')}.")
        if problems:
            raise typer.Exit(VerifyError.exit_code)
        return
    ensure_recovered(layout)
    count, damaged = rebuild(layout)
    views = refresh_views(layout)
    if as_json:
        print_json({"records": count, "damaged": damaged, "views_changed": len(views)})
    else:
        print_lines(f"Indexed {plural(count, 'record')}.", *(f"left out: {line}" for line in damaged))
