"""Owns what an address of a store gives away: the kind of store, and what of it may be shown.

Never: opening anything, or a password in anything it returns.
"""

from __future__ import annotations

import re

SCHEMES = ("postgresql://", "postgresql+psycopg://", "postgres://")
_CREDENTIALS = re.compile(r"(?<=://)(?P<user>[^/?#:@]*):.*@")  # greedy: a password may hold any of them unescaped
_SECRETS = re.compile(r"(?i)(?<=[?&])(?P<name>[^=&]*password[^=&]*)=[^&]*")


def names_postgres(location: str) -> bool:
    """Whether a location is one of a PostgreSQL server."""
    return location.startswith(SCHEMES)


def masked(location: str) -> str:
    """A location as it may be shown: passwords replaced, whether or not it can be read as an address."""
    shown = _CREDENTIALS.sub(r"\g<user>:***@", location)
    return _SECRETS.sub(r"\g<name>=***", shown)
