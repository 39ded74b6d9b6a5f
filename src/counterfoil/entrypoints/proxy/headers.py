"""Owns which headers cross: what belongs to one connection, to a browser or to us stays where it is.

Never: a cookie in either direction, the client's token upstream, or a mark of ours that an upstream made up.
"""

from __future__ import annotations

from collections.abc import Iterable

from counterfoil.ports.upstream import Headers

_ONE_CONNECTION = frozenset(
    b"connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding "
    b"upgrade".split()
)
_NOT_UPSTREAM = frozenset(
    b"host content-length content-type authorization api-key x-api-key cookie accept-encoding expect origin referer "
    b"forwarded".split()
)
_NOT_BACK = frozenset(b"set-cookie set-cookie2 alt-svc strict-transport-security clear-site-data".split())
_OURS = b"x-counterfoil-"


def forwarded(headers: Iterable[tuple[bytes, bytes]], *, body: bool) -> Headers:
    """A client's headers as the provider gets them. No compression is asked for: its usage is read as it passes."""
    kept = [
        (name, value)
        for name, value in _crossing(headers, _NOT_UPSTREAM)
        if not name.startswith((b"x-forwarded-", b"sec-"))
    ]
    return [*kept, (b"accept-encoding", b"identity"), *([(b"content-type", b"application/json")] if body else [])]


def returned(headers: Iterable[tuple[bytes, bytes]], *, whole: bool) -> Headers:
    """A provider's headers as the client gets them; ``whole``: the body is the very one that they describe."""
    kept = _crossing(headers, _NOT_BACK if whole else _NOT_BACK | {b"content-length"})
    return [*kept, (b"x-counterfoil-origin", b"upstream")]


def value_of(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    """The first value of a header in lower case, empty where there is none."""
    return next((value.decode("latin-1").strip().lower() for key, value in headers if key.lower() == name), "")


def _crossing(headers: Iterable[tuple[bytes, bytes]], without: frozenset[bytes]) -> Headers:
    lower = [(name.lower(), value) for name, value in headers]
    named = {part.strip().lower() for name, value in lower if name == b"connection" for part in value.split(b",")}
    dropped = _ONE_CONNECTION | without | named
    return [(name, value) for name, value in lower if name not in dropped and not name.startswith(_OURS)]
