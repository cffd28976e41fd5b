"""Where the command meets the system: output encoding, and `HfaError` to a message and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from hfa_core.cli.output import print_json
from hfa_core.errors import HfaError


def run(build: Callable[[], typer.Typer]) -> None:
    """
    Run a command line and leave with its exit code.

    A condition raised on purpose becomes one line on stderr, or with `--json` one JSON document on stdout; any other
    exception is a fault of ours and keeps its traceback.
    """
    for stream in (sys.stdout, sys.stderr):
        # Records are in any language, whatever the terminal's locale says.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="replace")
    try:
        build()()
    except HfaError as error:
        if "--json" in sys.argv:
            print_json(error.as_json())
        else:
            print(f"hfa: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of a pipe, such as `head`, has had enough.
        sys.stderr.close()
        sys.exit(0)
