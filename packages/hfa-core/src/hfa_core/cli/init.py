"""`hfa init`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, place_for_new_memory
from hfa_core.errors import HfaError
from hfa_core.fs.layout import PROJECT_SETTINGS, Layout
from hfa_core.index.pages import refresh_views
from hfa_core.settings import Environment, current_environment
from hfa_core.store.auto_create import share_memory
from hfa_core.store.create import create_memory
from hfa_core.store.locate import find_memory


def init(
    memory_dir: MemoryDirOption = "",
    title: Annotated[str, typer.Option(help="Name of the main line; else the project folder's name.")] = "",
    share: Annotated[
        bool, typer.Option("--share", help="Let git see a memory that was made unasked, so that it can be committed.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """
    Make a memory in this project; one that is there stays as it is.

    Example: hfa init --title "Payment service"

    Example: hfa init --share
    """
    layout = place_for_new_memory(memory_dir)
    created = create_memory(layout, title or os.path.basename(layout.workspace) or "Main line")
    if created:
        refresh_views(layout)
    shared = share and share_memory(layout)
    if as_json:
        print_json({"memory_dir": layout.root, "created": created, **({"shared": shared} if share else {})})
    elif shared:
        print_lines(f"Git sees {layout.root} from here on; commit it so that your team shares it.")
    elif created:
        print_lines(
            f"Made a memory in {layout.root}.",
            *_how_to_find(layout),
            "Next: `hfa install claude`, then commit the folder so that your team shares it.",
        )
    else:
        print_lines(f"A memory is already in {layout.root}; nothing was changed.")


def _how_to_find(layout: Layout) -> list[str]:
    """What is left to do where the new memory would not be found from its own project."""
    environment = current_environment()
    try:
        found = find_memory("", Environment(home=environment.home, user_dir=environment.user_dir), layout.workspace)
    except HfaError:
        found = None
    if found and os.path.realpath(found.root) == os.path.realpath(layout.root):
        return []
    setting = f'{{"memory_dir": "{os.path.basename(layout.root)}"}}'
    return [
        f"It is not found by itself: put {setting} into {os.path.join(layout.workspace, PROJECT_SETTINGS)},",
        "or name it each time with --memory-dir or HFA_MEMORY_DIR.",
    ]
