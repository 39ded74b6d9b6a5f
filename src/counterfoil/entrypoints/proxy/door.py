"""Owns who may come in: the token, the names that this address is called by, and pages of other sites, which may not.

A page in a browser can send requests to this machine under a name that its owner points here (DNS rebinding). Such a
name is no address, so only addresses and the names that the operator gave are let in.
Never: telling which part of a token was wrong, or reading a body.
"""

from __future__ import annotations

import ipaddress
import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from counterfoil.entrypoints.proxy.refusals import local


class Door:
    """Lets requests through to ``app`` that carry ``token`` and are meant for this address."""

    def __init__(self, app: ASGIApp, token: str, names: frozenset[str]) -> None:
        self._app = app
        self._token = token.encode()
        self._names = frozenset(name.lower() for name in names) | {"localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an HTTP request on, or refuse it before its body is read."""
        refusal = self._refusal(Headers(scope=scope))
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers) -> Response | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._known(f"//{hosts[0]}"):
            message = "the Host header names another machine; use the base URL that was printed, or --allow-host NAME"
            return local(421, "HOST_REFUSED", message, "access_refused")
        origin = headers.get("origin")
        if origin is not None and not self._known(origin):
            return local(403, "ORIGIN_REFUSED", "pages of other sites may not use this endpoint", "access_refused")
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secrets.compare_digest(given.strip().encode(), self._token):
            message = "the API key is not the token of this proxy; it was printed when the proxy began"
            return local(401, "TOKEN_REFUSED", message, "auth_refused")
        return None

    def _known(self, url: str) -> bool:
        try:
            host = urlsplit(url).hostname or ""
            return host in self._names or bool(ipaddress.ip_address(host))
        except ValueError:
            return False
