"""A provider on loopback: plays scripted answers over real HTTP, counts what it was asked, misbehaves on demand.

    with Provider(Answer(status=429, headers={"retry-after": "1"}), streamed(openai_chat("hello"))) as stub:
        ... stub.url ...
    assert len(stub.requests) == 2

Answers are played in order; the last one is repeated.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

import msgspec
import trustme


class Answer(msgspec.Struct, frozen=True):
    """One answer. ``cut_after`` bytes of its body the connection is closed, ``stall_after`` bytes nothing more comes.

    ``framed``: its length or its end can be told, so that a cut is noticed by whoever reads it.
    """

    status: int = 200
    headers: dict[str, str] = {}
    body: bytes = b""
    cut_after: int | None = None
    stall_after: int | None = None
    framed: bool = True

    def cut(self, after: int, *, framed: bool = True) -> Answer:
        return msgspec.structs.replace(self, cut_after=after, framed=framed)

    def stalled(self, after: int) -> Answer:
        return msgspec.structs.replace(self, stall_after=after)


class Asked(msgspec.Struct, frozen=True):
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def streamed(body: bytes, **headers: str) -> Answer:
    """A stream of server-sent events."""
    return Answer(headers={"content-type": "text/event-stream", **headers}, body=body)


def told(status: int, body: Any, **headers: str) -> Answer:
    """A JSON body, an error's mostly."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"content-type": "application/json", **named}, json.dumps(body).encode())


class Provider:
    """The server; a context manager. ``requests`` holds what arrived, in order."""

    def __init__(self, *answers: Answer, tls: bool = False) -> None:
        self.answers = list(answers)
        self.requests: list[Asked] = []
        self._lock = threading.Condition()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        if tls:  # by an authority that nobody knows
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            authority = trustme.CA()
            authority.issue_cert("127.0.0.1").configure_cert(context)
            self.authority_pem = authority.cert_pem.bytes()
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        scheme = "https" if tls else "http"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Provider:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer_to(self, asked: Asked) -> Answer:
        with self._lock:
            self.requests.append(asked)
            self._lock.notify_all()
            return self.answers[min(len(self.requests), len(self.answers)) - 1]

    def wait_until(self, requests: int) -> None:
        """Return once so many requests have arrived."""
        with self._lock:
            assert self._lock.wait_for(lambda: len(self.requests) >= requests, 60)

    def wait_for_end(self) -> None:
        """What a stalled answer does: nothing, until the test is over."""
        self._closing.wait(60)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up, or does not trust us, is what some tests are about."""


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = provider.answer_to(Asked(self.command, self.path, headers, self.rfile.read(length)))
            _play(self, answer, provider)

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def _play(handler: BaseHTTPRequestHandler, answer: Answer, provider: Provider) -> None:
    body, stopped = answer.body, answer.cut_after if answer.cut_after is not None else answer.stall_after
    handler.send_response(answer.status)
    for name, value in answer.headers.items():
        handler.send_header(name, value)
    if answer.framed:
        handler.send_header("content-length", str(len(body)))
    else:
        handler.send_header("connection", "close")
        handler.close_connection = True
    handler.end_headers()
    handler.wfile.write(body if stopped is None else body[:stopped])
    handler.wfile.flush()
    if answer.stall_after is not None:
        provider.wait_for_end()
    if answer.cut_after is not None:
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)


def closed_port() -> str:
    """An address at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"
