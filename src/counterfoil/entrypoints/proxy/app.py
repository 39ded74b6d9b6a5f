"""Owns the paths of the proxy: which are metered, the one that is passed on for free, and that there are no others.

Never: a log of what passes, or a body read before the door was passed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from counterfoil.core.errors import CounterfoilError, ModelError
from counterfoil.core.law import budget as ids
from counterfoil.core.record.metering import Refuse
from counterfoil.entrypoints.proxy.door import Door
from counterfoil.entrypoints.proxy.forwarding import Forwarding, head, hold, part, require_answer
from counterfoil.entrypoints.proxy.headers import forwarded, returned
from counterfoil.entrypoints.proxy.refusals import local, over_budget, unanswered, unforwarded
from counterfoil.entrypoints.proxy.requests import ENDPOINTS, Endpoint, Unreadable, read_request
from counterfoil.host.metering import Meter
from counterfoil.ports.upstream import Upstream

MODELS = "/v1/models"
_PATHS = ", ".join((*(f"POST {endpoint.path}" for endpoint in ENDPOINTS), f"GET {MODELS}"))


def proxy_app(meter: Meter, upstream: Upstream, token: str, names: frozenset[str]) -> ASGIApp:
    """The proxy as an ASGI application. ``names``: what this machine is called by, beside its addresses."""
    app = Starlette(
        routes=[
            *(Route(endpoint.path, _metered(meter, upstream, endpoint), methods=["POST"]) for endpoint in ENDPOINTS),
            Route(MODELS, _models(meter, upstream), methods=["GET"]),
        ],
        middleware=[Middleware(Door, token=token, names=names)],
        exception_handlers={HTTPException: _no_path, Exception: _defect},
    )
    app.router.redirect_slashes = False
    return app


def _metered(
    meter: Meter, upstream: Upstream, endpoint: Endpoint
) -> Callable[[Request], Awaitable[Response | Forwarding]]:
    async def forward(request: Request) -> Response | Forwarding:
        most = meter.limit(ids.PROXY_REQUEST_BYTES)
        body = await _body(request, most)
        if body is None:
            message = f"the body is longer than {ids.PROXY_REQUEST_BYTES} allows: {most} bytes"
            return local(413, "REQUEST_TOO_LARGE", message, "input_too_large", policy=ids.PROXY_REQUEST_BYTES)
        try:
            wanted = read_request(endpoint, body, meter.limit(ids.UNSEEN_INPUT_TOKENS))
        except Unreadable as wrong:
            return local(400, wrong.code, wrong.message, "request_invalid")
        try:
            reserved = await meter.reserve(wanted.asked)
        except CounterfoilError as error:
            return unforwarded(error)
        if isinstance(reserved, Refuse):
            return over_budget(reserved)
        return Forwarding(meter, upstream, reserved, wanted, forwarded(request.headers.raw, body=True))

    return forward


def _models(meter: Meter, upstream: Upstream) -> Callable[[Request], Awaitable[Response | Listing]]:
    async def models(request: Request) -> Response | Listing:
        return Listing(meter, upstream, request)

    return models


class Listing:
    """The provider's list of models, which costs nothing and is no request of the Run."""

    def __init__(self, meter: Meter, upstream: Upstream, request: Request) -> None:
        self._meter = meter
        self._upstream = upstream
        self._request = request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask for it and pass it back."""
        most_ms = self._meter.limit(ids.UPSTREAM_SECONDS) * 1000
        try:
            async with self._meter.journal.timeout(most_ms):
                answer = await self._upstream.send(
                    "GET", MODELS.removeprefix("/v1"), forwarded(self._request.headers.raw, body=False), b""
                )
                try:
                    require_answer(answer.status)
                    body, whole = await hold(answer.chunks(), self._meter.limit(ids.PROXY_REPLY_BYTES))
                finally:
                    await answer.close()
        except ModelError as error:
            return await unanswered(error.code, error.category, error.message)(scope, receive, send)
        except TimeoutError:
            message = f"no whole answer within {most_ms} ms ({ids.UPSTREAM_SECONDS})"
            return await unanswered("UPSTREAM_TIMEOUT", "timeout", message)(scope, receive, send)
        if not whole:
            message = f"the list is longer than {ids.PROXY_REPLY_BYTES} allows"
            return await local(502, "REPLY_TOO_LARGE", message, "resource_exhausted")(scope, receive, send)
        await head(send, answer.status, returned(answer.headers, whole=True))
        await part(send, body, more=False)


async def _body(request: Request, bytes_max: int) -> bytes | None:
    """The body, None when it is longer than ``bytes_max``; a length that is announced is believed before it is read."""
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > bytes_max:
        return None
    body, whole = await hold(request.stream(), bytes_max)
    return body if whole else None


async def _no_path(request: Request, wrong: Exception) -> Response:
    known = request.url.path in (MODELS, *(endpoint.path for endpoint in ENDPOINTS))
    message = f"{request.method} is not possible here" if known else "there is no such path"
    return local(405 if known else 404, "PATH_UNKNOWN", f"{message}; there are: {_PATHS}", "not_found")


async def _defect(_request: Request, wrong: Exception) -> Response:
    message = f"something in the proxy went wrong: {type(wrong).__name__}"
    return local(500, "PROXY_DEFECT", message, "internal")
