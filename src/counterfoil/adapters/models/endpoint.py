"""Owns which addresses a provider may be reached at.

Never: showing what an address hides: a name and password in it are refused unseen.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from counterfoil.core.errors import UsageError


def checked_url(text: str, where: str) -> str:
    """``text`` as the base of requests. ``where`` names its place for a person.

    Raises:
        UsageError: it is no plain http or https address.
    """
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _refused(where, "cannot be read as one") from None
    if parts.scheme not in ("http", "https"):
        raise _refused(where, "begins with neither http:// nor https://")
    if parts.username is not None or parts.password is not None:
        raise _refused(where, "holds a name or password, which would be shown with it")
    if parts.query or parts.fragment:
        raise _refused(where, "holds a query or fragment, which no request would keep")
    if not host or port == 0 or not text.isprintable() or " " in text:
        raise _refused(where, "names no host")
    return text.rstrip("/")


def same_origin(url: str, other: str) -> bool:
    """Whether two lawful addresses are of one scheme, host and port."""
    return _origin(url) == _origin(other)


def _origin(url: str) -> tuple[str, str | None, int]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


def _refused(where: str, why: str) -> UsageError:
    return UsageError(
        f"the address of {where} {why}", code="MODEL_URL_INVALID", hint="write it like http://localhost:8080/v1"
    )
