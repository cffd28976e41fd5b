"""Where a command works: its memory, its project, its user folder, from options and environment."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from hfa_core.errors import NoProjectError
from hfa_core.fs.layout import Layout
from hfa_core.hosts.adapter import HostAdapter, InstallRequest, Places, Scope
from hfa_core.settings import Environment, current_environment
from hfa_core.store.git_head import find_work_tree
from hfa_core.store.locate import find_memory, read_project_settings, require_memory

MemoryDirOption: TypeAlias = Annotated[
    str,
    typer.Option("--memory-dir", metavar="DIR", help="The memory; else HFA_MEMORY_DIR, else the nearest one."),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
DryRunOption: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")]


def open_memory(memory_dir: str) -> tuple[Layout, Environment]:
    """The memory that a command is about. Raises MemoryNotFoundError and as `find_memory`."""
    environment = current_environment()
    return require_memory(memory_dir, environment, os.getcwd()), environment


def place_for_new_memory(memory_dir: str) -> Layout:
    """
    The memory that is there, or where a new one belongs: the named folder, else `memory` at the project's root.

    Raises:
        NoProjectError: The working folder is the home folder or `/`, and no folder was named.
    """
    environment = current_environment()
    named = memory_dir or environment.memory_dir
    if named:
        return Layout(os.path.abspath(named))
    start = os.getcwd()
    found = find_memory("", environment, start)
    if found:
        return found
    root = find_work_tree(start) or os.path.realpath(start)
    if root in (os.path.realpath(environment.home), os.path.dirname(root)):
        raise NoProjectError(root)
    return Layout(os.path.join(root, read_project_settings(root).memory_dir))


def places(environment: Environment) -> Places:
    """Where adapters may look, for the project that holds the working folder."""
    start = os.getcwd()
    return Places(
        home=Path(environment.home),
        project_root=Path(find_work_tree(start) or start),
        env=environment.variables,
        user_state=Path(environment.user_dir),
    )


def install_request(adapter: HostAdapter, scope: Scope, where: Places, *, with_server: bool = False) -> InstallRequest:
    """What an adapter is asked to install: this interpreter, and the folders this process imports HFA from."""
    roots = [Path(__file__).resolve().parents[2]]
    module = sys.modules[type(adapter).__module__.partition(".")[0]]
    if module.__file__:
        roots.append(Path(module.__file__).resolve().parents[1])
    return InstallRequest(
        scope=scope,
        places=where,
        python=Path(sys.executable),
        import_roots=tuple(dict.fromkeys(roots)),
        with_server=with_server,
    )
