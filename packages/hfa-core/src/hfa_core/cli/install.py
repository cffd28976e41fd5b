"""`hfa install` and `hfa uninstall`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Annotated, Literal

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import DryRunOption, JsonOption, install_request, places
from hfa_core.errors import NoProjectError
from hfa_core.hosts.adapter import HostAdapter, Scope
from hfa_core.hosts.apply import FileChange, apply_edits, plan_changes, plan_undo, undo_edits
from hfa_core.hosts.edits import Edit
from hfa_core.plugins.manager import find_host
from hfa_core.settings import Environment, current_environment

HostArgument = Annotated[str, typer.Argument(metavar="HOST", help="The host's name, such as claude.")]


def install(
    host: HostArgument,
    scope: Annotated[
        Literal["user", "project"], typer.Option(help="Your own settings, or the project's, which a team commits.")
    ] = "user",
    mcp: Annotated[
        bool | None,
        typer.Option(
            "--mcp/--no-mcp", help="Whether the host also starts the MCP server. [default: if it is installed]"
        ),
    ] = None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """
    Put HFA's hooks into a host's settings; everything else in them stays byte for byte.

    Example: hfa install claude --dry-run
    """
    environment = current_environment()
    adapter = _find(host, environment)
    with_server = find_spec("mcp") is not None if mcp is None else mcp
    _demand_project(scope, environment)
    request = install_request(adapter, scope, places(environment), with_server=with_server)
    edits = adapter.plan_install(request)
    state = request.places.user_state
    changes = plan_changes(edits, state) if dry_run else apply_edits(edits, state)
    _report(changes, as_json, dry_run, done=f"Installed into {adapter.title}", idle=f"{adapter.title} has HFA already")


def uninstall(
    host: HostArgument,
    scope: Annotated[
        Literal["user", "project", "all"], typer.Option(help="Whose settings to clean; `all` for both.")
    ] = "user",
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """
    Take HFA's hooks out of a host's settings; the memory stays.

    Example: hfa uninstall claude
    """
    environment = current_environment()
    adapter = _find(host, environment)
    edits: list[Edit] = []
    scopes: Sequence[Scope] = ("user", "project") if scope == "all" else (scope,)
    for one in scopes:
        edits.extend(adapter.plan_install(install_request(adapter, one, places(environment), with_server=True)))
    state = install_request(adapter, "user", places(environment)).places.user_state
    changes = plan_undo(edits, state) if dry_run else undo_edits(edits, state)
    idle = f"{adapter.title} has no HFA hooks in the settings of scope {scope}"
    _report(changes, as_json, dry_run, done=f"Removed from {adapter.title}", idle=idle)
    left = [] if scope == "all" else _other_scope(adapter, "project" if scope == "user" else "user", environment)
    if left and not as_json:
        print_lines(f"Hooks are left in {', '.join(left)}: `hfa uninstall {host} --scope all` removes them too.")


def _demand_project(scope: Scope, environment: Environment) -> None:
    """
    A project's settings belong into a project.

    Raises:
        NoProjectError: The home folder or `/` is none: what stands there counts for every project, or for nobody.
    """
    root = os.path.realpath(places(environment).project_root)
    if scope == "project" and root in (os.path.realpath(environment.home), os.path.dirname(root)):
        raise NoProjectError(root)


def _other_scope(adapter: HostAdapter, scope: Scope, environment: Environment) -> list[str]:
    """The settings files of the other scope that hold hooks of ours."""
    request = install_request(adapter, scope, places(environment), with_server=True)
    changes = plan_undo(adapter.plan_install(request), request.places.user_state)
    return [str(change.path) for change in changes]


def _find(host: str, environment: Environment) -> HostAdapter:
    return find_host(host, None if environment.plugins is None else ",".join(environment.plugins))


def _report(changes: list[FileChange], as_json: bool, dry_run: bool, *, done: str, idle: str) -> None:
    paths = [str(change.path) for change in changes]
    if as_json:
        diffs = [change.diff() for change in changes]
        print_json({"changed": paths, "dry_run": dry_run, "diffs": diffs})
    elif not changes:
        print_lines(f"{idle}; nothing was changed.")
    elif dry_run:
        print_lines(*(change.diff().rstrip("\n") for change in changes), "Nothing was changed (--dry-run).")
    else:
        print_lines(f"{done}: {', '.join(paths)}")
