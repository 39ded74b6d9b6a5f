"""Owns the HTTP client below every provider's SDK, and the rule that one send is one request.

Never: a retry, or a redirect, which would carry a key to another host. Only this file names the HTTP library.
"""

from __future__ import annotations

import functools
import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from counterfoil.adapters.models.faults import Fault, Table
from counterfoil.adapters.models.policies import STALL_SECONDS

CONNECTIONS_MAX = 1000  # as many as the SDKs' own clients; how many Runs go at once is decided elsewhere
TRUST_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")

UNREACHABLE = Fault(
    "upstream_unavailable",
    "UNREACHABLE",
    "cannot be reached",
    "check the address and the network; `counterfoil doctor --model {spec}` tries it without spending",
)
TLS_REFUSED = Fault(
    "upstream_unavailable",
    "TLS_REFUSED",
    "could not prove who it is (TLS)",
    "check the address and the clock; for a private certificate authority set SSL_CERT_FILE",
)
STALLED = Fault(
    "timeout",
    "MODEL_STALLED",
    "sent nothing for too long",
    f"try again, or raise {STALL_SECONDS}",
    STALL_SECONDS,
)
INTERRUPTED = Fault("stream_interrupted", "STREAM_INTERRUPTED", "broke off its reply", "try again")
SECOND_REQUEST = Fault(
    "internal",
    "HIDDEN_RETRY",
    "was about to be asked a second time by its library, which was stopped",
    "report this: a version of the library retries by itself",
)

# What an exception below the SDKs means.
TRANSPORT_FAULTS: Table = {
    "counterfoil.SecondRequest": SECOND_REQUEST,
    "ssl.SSLError": TLS_REFUSED,
    "httpx2.HTTPError": None,
    "httpx2.HTTPStatusError": None,  # its status says more
    "httpx2.RequestError": UNREACHABLE,
    "httpx2.TransportError": UNREACHABLE,
    "httpx2.TimeoutException": STALLED,
    "httpx2.ConnectTimeout": UNREACHABLE,
    "httpx2.PoolTimeout": UNREACHABLE,
    "httpx2.ReadTimeout": STALLED,
    "httpx2.WriteTimeout": STALLED,
    "httpx2.NetworkError": UNREACHABLE,
    "httpx2.ConnectError": UNREACHABLE,
    "httpx2.ReadError": INTERRUPTED,
    "httpx2.WriteError": INTERRUPTED,
    "httpx2.CloseError": INTERRUPTED,
    "httpx2.ProxyError": UNREACHABLE,
    "httpx2.UnsupportedProtocol": UNREACHABLE,
    "httpx2.ProtocolError": INTERRUPTED,
    "httpx2.LocalProtocolError": None,
    "httpx2.RemoteProtocolError": INTERRUPTED,
    "httpx2.SSEError": INTERRUPTED,
    "httpx2.DecodingError": INTERRUPTED,
    "httpx2.TooManyRedirects": UNREACHABLE,
}


# Without a connection, or before the other side has proved who it is, no byte of a request is sent.
NEVER_SENT = frozenset(
    {
        "httpx2.ConnectError",
        "httpx2.ConnectTimeout",
        "httpx2.PoolTimeout",
        "httpx2.ProxyError",
        "httpx2.UnsupportedProtocol",
    }
)


class SecondRequest(Exception):
    """A library tried to send a second request during one send; the ledger would not know of it."""


_sent: ContextVar[list[str] | None] = ContextVar("requests of this send", default=None)


@contextmanager
def one_request() -> Iterator[None]:
    """Within it, a client of ``http_client`` sends at most one request."""
    token = _sent.set([])
    try:
        yield
    finally:
        _sent.reset(token)


async def _refuse_second(request: Any) -> None:
    sent = _sent.get()
    if sent:
        raise SecondRequest(request.method)
    if sent is not None:
        sent.append(request.method)


@functools.lru_cache(maxsize=4)
def _trusted(*_named: str | None) -> ssl.SSLContext:
    """The certificate authorities that are trusted, while the environment names the same (``TRUST_VARIABLES``).

    Reading them takes some 20 ms and a megabyte, which every Run would pay again for a client of its own.
    """
    import httpx2

    context: ssl.SSLContext = httpx2.create_ssl_context()
    return context


def http_client(stall_seconds: float) -> Any:
    """A client that gives up when no byte comes for ``stall_seconds``."""
    import httpx2

    return httpx2.AsyncClient(
        verify=_trusted(*(os.environ.get(variable) for variable in TRUST_VARIABLES)),
        timeout=httpx2.Timeout(stall_seconds, pool=None),
        limits=httpx2.Limits(max_connections=CONNECTIONS_MAX, max_keepalive_connections=CONNECTIONS_MAX),
        follow_redirects=False,
        event_hooks={"request": [_refuse_second]},
    )
