"""The server on streamable HTTP, for agents elsewhere: on loopback unless told otherwise, and for who has the token."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

import uvicorn
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware.authentication import AuthenticationMiddleware

from hfa_core.errors import ListenError, RemoteAddressError
from hfa_core.mcp.bearer import TokenFile
from hfa_core.mcp.server import build_server
from hfa_core.mcp.workspace import Workspace
from hfa_core.settings import current_environment

PATH = "/mcp"
BODY_BYTES = 1 << 20
"""No valid record or query comes near it."""
TOKEN_FILE = "mcp-token"  # noqa: S105  # a file's name
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


def serve_http(address: str, memory_dir: str, remote_names: Sequence[str], token_path: str) -> None:
    """
    Serve clients at an address such as `127.0.0.1:8137` until interrupted; a port of 0 takes a free one.

    Args:
        remote_names: Under which names other machines reach the server, beyond the names of loopback.
        token_path: The file of the token, else one in the user folder.

    Raises:
        RemoteAddressError: The address is not loopback, and there are no remote names. Nothing was started.
        ListenError, TokenFileError, StorageError: Nothing was started.
    """
    host, port = _split(address)
    if not remote_names and not _is_loopback(host):
        raise RemoteAddressError(address)
    token = TokenFile(token_path or os.path.join(current_environment().user_dir, TOKEN_FILE))
    token.ensure()
    listener = _listen(host, port, address)
    shown = f"[{host}]" if ":" in host else host
    port = listener.getsockname()[1]
    app = build_app(memory_dir, token, [f"{name}:{port}" for name in LOOPBACK_NAMES] + _with_port(remote_names, port))
    print(f"hfa-mcp: serving http://{shown}:{port}{PATH}; its token is in {token.path}", file=sys.stderr, flush=True)
    config = uvicorn.Config(app, log_level="critical", access_log=False, server_header=False)
    # To interrupt the server is the way to end it.
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def build_app(memory_dir: str, token: TokenFile, hosts: Sequence[str]) -> Starlette:
    """The server as an ASGI application that answers to these `Host` headers, and to pages of these hosts only."""
    app = build_server(Workspace(memory_dir, local=False)).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=BODY_BYTES,
        transport_security=TransportSecuritySettings(
            allowed_hosts=list(hosts),
            allowed_origins=[f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")],
        ),
        token_verifier=token,
    )
    app.add_middleware(AuthenticationMiddleware, backend=BearerAuthBackend(token))
    return app


def _split(address: str) -> tuple[str, int]:
    """Host and port of `127.0.0.1:8137`, `[::1]:8137` or `localhost:0`."""
    host, colon, port = address.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not (colon and bare and port.isascii() and port.isdigit() and int(port) < 1 << 16) or (
        ":" in host and bare == host
    ):
        raise ListenError(address, "it is not HOST:PORT")
    return bare, int(port)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listen(host: str, port: int, address: str) -> socket.socket:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        try:
            if os.name != "nt":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
            listener.listen(128)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise ListenError(address, error.strerror or str(error)) from None
    return listener


def _with_port(names: Sequence[str], port: int) -> list[str]:
    """Names as they stand in a `Host` header; a proxy in front may take another port, or the usual one."""
    return [spelt for name in names for spelt in ([name] if ":" in name else [name, f"{name}:{port}"])]
