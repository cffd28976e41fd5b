"""The command line's table of contents: which command is where; it knows no logic."""

from __future__ import annotations

from typing import Annotated

import typer

from hfa_core import __version__
from hfa_core.cli.doctor import doctor
from hfa_core.cli.init import init
from hfa_core.cli.install import install, uninstall
from hfa_core.cli.list import list_records
from hfa_core.cli.node import build_node_app, tombstone
from hfa_core.cli.plugins import plugins
from hfa_core.cli.recall import recall
from hfa_core.cli.record import add_topic
from hfa_core.cli.reindex import reindex
from hfa_core.cli.scan import scan
from hfa_core.cli.show import show
from hfa_core.cli.status import status
from hfa_core.cli.tokens import tokens
from hfa_core.cli.upgrade import upgrade
from hfa_core.cli.verify import verify


def build_app() -> typer.Typer:
    """The `hfa` command with all its subcommands."""
    app = typer.Typer(
        name="hfa",
        help="Local, git-auditable memory that coding agents share.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_hfa)
    app.command("init")(init)
    app.command("status")(status)
    app.command("add-topic")(add_topic)
    app.command("remember", help="The same as add-topic.")(add_topic)
    app.command("recall")(recall)
    app.command("route", help="The same as recall.")(recall)
    app.command("show")(show)
    app.command("list")(list_records)
    app.add_typer(build_node_app(), name="node")
    app.command("tombstone")(tombstone)
    app.command("reindex")(reindex)
    app.command("verify")(verify)
    app.command("scan")(scan)
    app.command("doctor")(doctor)
    app.command("tokens")(tokens)
    app.command("upgrade")(upgrade)
    app.command("install")(install)
    app.command("uninstall")(uninstall)
    app.command("plugins")(plugins)
    return app


def _show_version(value: bool) -> None:
    if value:
        print(f"hfa {__version__}")
        raise typer.Exit


def _hfa(
    _version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show.")] = False,
) -> None:
    """Local, git-auditable memory that coding agents share."""
