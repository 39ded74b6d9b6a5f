"""The port to a provider that requests are forwarded to, byte for byte."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

Headers = list[tuple[bytes, bytes]]


class Answer(Protocol):
    """An answer whose body has yet to come."""

    @property
    def status(self) -> int:
        """The HTTP status."""
        ...

    @property
    def headers(self) -> Headers:
        """The headers as they came."""
        ...

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it comes, as it was sent.

        Raises:
            ModelError: it was cut off (``stream_interrupted``).
        """
        ...

    async def close(self) -> None:
        """Read no further; the provider may stop working on it."""
        ...


class Upstream(Protocol):
    """Forwards requests. Follows no redirect, tries nothing twice, keeps no cookie."""

    async def send(self, method: str, path: str, headers: Headers, body: bytes) -> Answer:
        """Send a request to ``path`` ("/chat/completions") below the provider's address, with the provider's key.

        Raises:
            ModelError: it could not be reached (code ``UPSTREAM_UNREACHABLE``: nothing was sent), or no answer began.
        """
        ...

    async def close(self) -> None:
        """Release all connections."""
        ...
