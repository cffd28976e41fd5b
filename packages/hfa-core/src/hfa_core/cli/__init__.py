"""The `hfa` command: options to core calls, results to text or JSON, errors to messages and exit codes."""

from __future__ import annotations


def main() -> None:
    """Run the `hfa` command of this process."""
    from hfa_core.cli.app import build_app
    from hfa_core.cli.boundary import run

    run(build_app)
