"""The scripted model as a service on loopback, with every request kept for the test to look at."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer

from tests.e2e.anthropic_wire import as_object, iter_events, parse_request, render_message
from tests.e2e.script import Request, Step, next_step


class ModelServer:
    """The service, from construction to `close`. Requests stay in memory: they hold the host's own prompts."""

    def __init__(self) -> None:
        self.scripts: dict[str, Sequence[Step]] = {}
        self.requests: list[Request] = []
        self._http = _HttpServer(("127.0.0.1", 0), partial(_Handler, self))
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        # The poll interval is what `close` waits for.
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        # Hosts hang up as soon as they have what they want; a fault of ours is shown.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # pyright: ignore[reportArgumentType]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120

    def __init__(self, model: ModelServer, request: socket.socket, client_address: object, server: BaseServer) -> None:
        self.model = model
        super().__init__(request, client_address, server)

    def log_message(self, format: str, *args: object) -> None:
        """Not on stderr."""

    def do_HEAD(self) -> None:
        """Claude Code asks once whether the service is there."""
        self._send_json({})

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path.endswith("/messages/count_tokens"):
            self._send_json({"input_tokens": len(sent) // 4})
        elif path.endswith("/messages"):
            self._answer(as_object(json.loads(sent)))
        else:
            self._send_json({"error": {"message": "not here"}}, status=404)

    def _answer(self, body: dict[str, object]) -> None:
        request = parse_request(body)
        self.model.requests.append(request)
        step, serial = next_step(request, self.model.scripts), len(self.model.requests)
        if body.get("stream"):
            self._send_events(iter_events(step, serial))
        else:
            self._send_json(render_message(step, serial))

    def _send_json(self, value: object, *, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_events(self, events: Iterable[dict[str, object]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.close_connection = True
