"""Owns the connections to a provider that requests are forwarded to.

Never: a redirect, a retry, a cookie, or the key in anything but the one header.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx2

from counterfoil.core.errors import ModelError
from counterfoil.ports.upstream import Headers

CONNECT_SECONDS = 10  # an address that does not answer within this is not there
_WAIT = httpx2.Timeout(None, connect=CONNECT_SECONDS)  # whoever sends holds the clock for the rest


class HttpAnswer:
    """An answer under way."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers: Headers = list(response.headers.raw)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        try:
            async for chunk in self._response.aiter_raw():
                yield chunk
        except httpx2.HTTPError as cut:
            raise ModelError(
                f"the answer of the provider was cut off ({type(cut).__name__})",
                code="STREAM_CUT",
                category="stream_interrupted",
            ) from cut

    async def close(self) -> None:
        """Read no further."""
        await self._response.aclose()


class HttpUpstream:
    """Requests to the provider at ``address`` under ``key``, None where it wants none."""

    def __init__(self, address: str, key: str | None) -> None:
        self._address = address
        self._key = key
        self._client = httpx2.AsyncClient(
            timeout=_WAIT,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=100),
            trust_env=not _local(address),  # a proxy that the environment names does not know this machine
        )

    async def send(self, method: str, path: str, headers: Headers, body: bytes) -> HttpAnswer:
        """Send one request, as it is, and wait for its answer to begin."""
        sent = [(name, value) for name, value in headers if name.lower() != b"authorization"]
        if self._key is not None:
            sent.append((b"authorization", b"Bearer " + self._key.encode("ascii")))
        # A request that is built by hand takes no cookie and no header of the client.
        request = httpx2.Request(
            method, self._address + path, headers=sent, content=body, extensions={"timeout": _WAIT.as_dict()}
        )
        try:
            return HttpAnswer(await self._client.send(request, stream=True, follow_redirects=False))
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol) as unreached:
            raise ModelError(
                f"the provider cannot be reached ({type(unreached).__name__})",
                code="UPSTREAM_UNREACHABLE",
                category="upstream_unavailable",
                hint="look at --upstream, the network, and whether the provider is up",
            ) from unreached
        except httpx2.HTTPError as broken:
            raise ModelError(
                f"the provider closed the connection before an answer began ({type(broken).__name__})",
                code="UPSTREAM_BROKE",
                category="upstream_unavailable",
            ) from broken

    async def close(self) -> None:
        """Release all connections."""
        await self._client.aclose()


def _local(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
