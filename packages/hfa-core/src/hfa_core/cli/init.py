"""`hfa init`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, place_for_new_memory
from hfa_core.cli.views import refresh_views
from hfa_core.store.create import create_memory


def init(
    memory_dir: MemoryDirOption = "",
    title: Annotated[str, typer.Option(help="Name of the main line; else the project folder's name.")] = "",
    as_json: JsonOption = False,
) -> None:
    """
    Make a memory in this project; one that is there stays as it is.

    Example: hfa init --title "Payment service"
    """
    layout = place_for_new_memory(memory_dir)
    created = create_memory(layout, title or os.path.basename(layout.workspace) or "Main line")
    if created:
        refresh_views(layout)
    if as_json:
        print_json({"memory_dir": layout.root, "created": created})
    elif created:
        print_lines(
            f"Made a memory in {layout.root}.",
            "Next: `hfa install claude`, then commit the folder so that your team shares it.",
        )
    else:
        print_lines(f"A memory is already in {layout.root}; nothing was changed.")
