"""The words of the `hfa-mcp` command, and what each has it do."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec

from hfa_core import __version__
from hfa_core.errors import HfaError, MissingExtraError
from hfa_core.mcp.print_config import GENERIC, HOSTS, render_config

DEFAULT_ADDRESS = "127.0.0.1:8137"


def run() -> None:
    """Do what the command line says and leave with its exit code; an error raised on purpose is a line on stderr."""
    options = build_parser().parse_args()
    try:
        _run(options)
    except HfaError as error:
        print(f"hfa-mcp: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


def build_parser() -> argparse.ArgumentParser:
    """The command's options."""
    # Not typer, as in `hfa`: its import would make a quarter of the time in which a host expects an answer.
    parser = argparse.ArgumentParser(
        prog="hfa-mcp",
        description="Serve the project's memory over the Model Context Protocol; without --http on stdin and stdout.",
        epilog="Example: hfa-mcp --print-config claude > .mcp.json",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"hfa-mcp {__version__}")
    parser.add_argument(
        "--memory-dir", metavar="DIR", default="", help="the memory; else that of the client's workspace"
    )
    parser.add_argument(
        "--print-config",
        metavar="HOST",
        nargs="?",
        const=GENERIC,
        choices=sorted(HOSTS),
        help=f"print the entry for a host's configuration and exit: {', '.join(sorted(HOSTS))}",
    )
    parser.add_argument(
        "--http",
        metavar="HOST:PORT",
        nargs="?",
        const=DEFAULT_ADDRESS,
        help=f"serve streamable HTTP with a bearer token instead, by default on {DEFAULT_ADDRESS}",
    )
    parser.add_argument(
        "--allow-remote",
        metavar="NAME",
        action="append",
        default=[],
        help="a name under which other machines reach this server; needed to listen beyond loopback",
    )
    parser.add_argument(
        "--token-file", metavar="FILE", default="", help="the bearer token; else mcp-token in the user folder"
    )
    return parser


def _run(options: argparse.Namespace) -> None:
    memory_dir = os.path.abspath(options.memory_dir) if options.memory_dir else ""
    if options.print_config:
        text, place = render_config(options.print_config, memory_dir)
        print(text)
        print(f"hfa-mcp: this belongs in {place}", file=sys.stderr)
        return
    if find_spec("mcp") is None:
        raise MissingExtraError("hfa-mcp", "mcp")
    if options.http:
        from hfa_core.mcp.http import serve_http

        serve_http(options.http, memory_dir, options.allow_remote, options.token_file)
    else:
        from hfa_core.mcp.stdio import serve_stdio

        serve_stdio(memory_dir)
