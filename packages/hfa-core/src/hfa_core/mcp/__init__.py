"""The `hfa-mcp` command: the same memory for every host that speaks the Model Context Protocol."""

from __future__ import annotations


def main() -> None:
    """Run the `hfa-mcp` command of this process."""
    from hfa_core.mcp.command import run

    run()
