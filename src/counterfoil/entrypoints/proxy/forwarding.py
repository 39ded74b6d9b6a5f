"""Owns one forwarded request from its debit to its receipt: sent once, passed back as it comes, settled.

Never: a second attempt, or an answer whose end the client sees before its receipt is durable.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.types import Receive, Scope, Send

from counterfoil.core.errors import ModelError
from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law import budget as ids
from counterfoil.core.record.evolve import UNSPENT
from counterfoil.entrypoints.proxy.headers import returned, value_of
from counterfoil.entrypoints.proxy.refusals import unanswered
from counterfoil.entrypoints.proxy.requests import Wanted
from counterfoil.entrypoints.proxy.usage import StreamMeter, usage_in
from counterfoil.host.metering import Meter, Reserved
from counterfoil.ports.upstream import Answer, Headers, Upstream

_CATEGORIES = {
    401: "auth_refused",
    403: "auth_refused",
    408: "timeout",
    413: "input_too_large",
    429: "upstream_rate_limited",
    504: "timeout",
}
_NOT_SENT = frozenset({"UPSTREAM_UNREACHABLE", "UPSTREAM_REDIRECTS"})  # nobody can have worked on it
_LEFT = ("CLIENT_LEFT", "cancelled")


class Aborted(Exception):
    """An answer that had begun cannot be ended: the connection is closed, so that no client takes it for whole."""


class Forwarding:
    """A response that is made by forwarding the request behind it."""

    def __init__(self, meter: Meter, upstream: Upstream, reserved: Reserved, wanted: Wanted, headers: Headers) -> None:
        self._meter = meter
        self._upstream = upstream
        self._reserved = reserved
        self._wanted = wanted
        self._headers = headers
        self._begun = False  # whether the client has the head of an answer
        self._closed = False  # whether the request has its receipt

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward, pass back, settle. Where no whole answer came, the client is told so, or cut off."""
        ms_max = self._reserved.ms_max
        try:
            async with self._meter.journal.timeout(ms_max):
                return await self._forward(receive, send)
        except ModelError as error:
            failed = error
        except TimeoutError:
            why = f"no whole answer within {ms_max} ms ({ids.UPSTREAM_SECONDS}, or the time of the Run)"
            failed = ModelError(why, code="UPSTREAM_TIMEOUT", category="timeout")
        except Exception as defect:  # noqa: BLE001  # the debit gets its receipt, whatever was wrong
            why = f"something in the proxy went wrong: {type(defect).__name__}"
            failed = ModelError(why, code="PROXY_DEFECT", category="internal")
        await self._fail(failed.code, failed.category, released=failed.code in _NOT_SENT)
        if self._begun:
            raise Aborted(failed.code)
        await unanswered(failed.code, failed.category, failed.message)(scope, receive, send)

    async def _forward(self, receive: Receive, send: Send) -> None:
        body = self._wanted.body(self._reserved.output_tokens_max)
        path = self._wanted.endpoint.path.removeprefix("/v1")
        answer = await self._upstream.send("POST", path, self._headers, body)
        try:
            require_answer(answer.status)
            if answer.status < 300 and value_of(answer.headers, b"content-type").startswith("text/event-stream"):
                await self._stream(answer, receive, send)
            else:
                await self._whole(answer, send)
        finally:
            await answer.close()

    async def _whole(self, answer: Answer, send: Send) -> None:
        """An answer that has come whole gets its receipt before the client gets it; a longer one after."""
        chunks = answer.chunks()
        body, whole = await hold(chunks, self._meter.limit(ids.PROXY_REPLY_BYTES))
        if whole:
            await self._receipt(answer, body)
        self._begun = True
        await head(send, answer.status, returned(answer.headers, whole=True))
        await part(send, body, more=not whole)
        if not whole:
            async for chunk in chunks:
                await part(send, chunk, more=True)
            await self._receipt(answer, b"")
            await part(send, b"", more=False)

    async def _receipt(self, answer: Answer, body: bytes) -> None:
        if answer.status >= 400:
            category = category_of(answer.status)
            await self._fail(f"UPSTREAM_{answer.status}", category, answer.status, released=category in UNSPENT)
        else:  # what is compressed all the same is passed on, and states nothing that can be read
            await self._settle(answer.status, usage_in(body))

    async def _stream(self, answer: Answer, receive: Receive, send: Send) -> None:
        """An answer that is passed back as it comes. When the client leaves, the provider is left too."""
        reading = StreamMeter(strip=self._wanted.usage_added, event_bytes_max=self._meter.limit(ids.PROXY_REPLY_BYTES))
        passing = asyncio.ensure_future(self._pass_events(answer, reading, send))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((passing, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not passing.done():
                passing.cancel()
                await asyncio.wait((passing,))
                await self._settle_or_fail(answer.status, reading.usage, *_LEFT)
                return
            await passing
        except ModelError as cut:
            await self._settle_or_fail(answer.status, reading.usage, cut.code, cut.category)
            raise
        except asyncio.CancelledError:  # by the timeout around it, or because the proxy is stopped at once
            if reading.usage is not None:
                await self._settle(answer.status, reading.usage)
            raise
        finally:
            passing.cancel()
            leaving.cancel()

    async def _pass_events(self, answer: Answer, reading: StreamMeter, send: Send) -> None:
        """The receipt is durable before the client sees the end: its next request finds what this one left."""
        await head(send, answer.status, returned(answer.headers, whole=not self._wanted.usage_added))
        self._begun = True
        async for chunk in answer.chunks():
            passed = reading.feed(chunk)
            if reading.ended:
                await self._settle(answer.status, reading.usage)
            if passed:
                await part(send, passed, more=True)
        rest = reading.rest()
        await self._settle(answer.status, reading.usage)
        await part(send, rest, more=False)

    async def _settle_or_fail(self, status: int, usage: TokenUsage | None, code: str, category: str) -> None:
        if usage is not None:
            await self._settle(status, usage)
        else:
            await self._fail(code, category, status)

    async def _settle(self, status: int, usage: TokenUsage | None) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.shield(self._meter.settle(self._reserved, status, usage))

    async def _fail(self, code: str, category: str, status: int | None = None, *, released: bool = False) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.shield(self._meter.fail(self._reserved, code, category, status, released=released))


def category_of(status: int) -> str:
    """What an error status of a provider means."""
    if status in _CATEGORIES:
        return _CATEGORIES[status]
    return "upstream_unavailable" if status >= 500 else "request_invalid"


def require_answer(status: int) -> None:
    """Refuse what is no answer.

    Raises:
        ModelError: a redirect, or a status that HTTP does not know.
    """
    if 300 <= status < 400:
        why = "the provider redirects to another address, which is not followed: name that one with --upstream"
        raise ModelError(why, code="UPSTREAM_REDIRECTS", category="not_connected")
    if not 200 <= status < 600:
        why = f"the provider answered with status {status}"
        raise ModelError(why, code="UPSTREAM_STATUS", category="upstream_unavailable")


async def hold(chunks: AsyncIterator[bytes], bytes_max: int) -> tuple[bytes, bool]:
    """The body, and whether it is whole: no more than a chunk beyond ``bytes_max`` is held."""
    held = bytearray()
    async for chunk in chunks:
        held += chunk
        if len(held) > bytes_max:
            return bytes(held), False
    return bytes(held), True


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def head(send: Send, status: int, headers: Headers) -> None:
    """Send the head of an answer."""
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def part(send: Send, body: bytes, *, more: bool) -> None:
    """Send a part of a body, the last one with ``more`` false."""
    await send({"type": "http.response.body", "body": body, "more_body": more})
