"""The server on stdin and stdout: it ends with its client, and says nothing but the protocol."""

from __future__ import annotations

import logging
import signal

import anyio
from mcp.server.stdio import stdio_server

from hfa_core.mcp.server import build_server
from hfa_core.mcp.workspace import Workspace


def serve_stdio(memory_dir: str) -> None:
    """Serve the client at stdin and stdout until it closes them."""
    # A person who interrupts the server wants its end, and no traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Hosts show stderr as errors; what the SDK reports of a client's slips is none. Without a handler it is printed.
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        anyio.run(_serve, memory_dir)
    except BaseException as error:
        if not _is_hang_up(error):
            raise


async def _serve(memory_dir: str) -> None:
    server = build_server(Workspace(memory_dir, local=True))
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _is_hang_up(error: BaseException) -> bool:
    """Whether all that happened is that nobody reads stdout any more; errors of parallel tasks come as a group."""
    parts = getattr(error, "exceptions", None)
    return all(map(_is_hang_up, parts)) if parts else isinstance(error, BrokenPipeError)
