"""Owns how a provider's address and key may be written.

Never: repeating either in an error: both may be secret.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from counterfoil.core.errors import UsageError

_KEY_CHARS = frozenset(map(chr, range(0x21, 0x7F)))


def upstream_address(text: str) -> str:
    """The address below which a provider answers, without a slash at its end; "/v1" where it has no path.

    Raises:
        UsageError: it is no http(s) address, or holds a password, a query or a fragment.
    """
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not host or not text.isprintable() or " " in text:
        raise _unusable("is no address", "write one like https://api.openai.com/v1")
    if "@" in parts.netloc:
        raise _unusable("holds a user name or password", "leave it out; keys come from OPENAI_API_KEY or --key-file")
    if parts.query or parts.fragment:
        raise _unusable("holds a query or fragment", "leave out everything from ? or #")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def require_key(key: str, where: str) -> str:
    """A key as it may stand in a header.

    Raises:
        UsageError: it cannot; the key is not repeated.
    """
    key = key.strip()
    if not key or not _KEY_CHARS.issuperset(key):
        raise UsageError(
            f"what {where} holds is no key", code="KEY_INVALID", hint="a key is one line of letters, digits and signs"
        )
    return key


def _unusable(what: str, hint: str) -> UsageError:
    return UsageError(f"--upstream {what}", code="UPSTREAM_INVALID", hint=hint)
