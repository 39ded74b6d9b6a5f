"""Owns the shape of a provider's file: how its SDK is opened, and what its errors mean.

Never: an import of an SDK; each file does that when its client is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from counterfoil.adapters.models.faults import Fault, Table

Dialect = Literal["responses", "chat", "anthropic", "google"]


class Vendor(Protocol):
    """One provider's SDK. ``words``: its error codes, and phrases where it has no code, in the order that decides;
    ``faults``: its exceptions.
    """

    name: str
    dialect: Dialect
    package: str  # that must be installed
    key_variables: tuple[str, ...]
    url_variable: str
    default_url: str
    words: Mapping[str, Fault]
    faults: Table

    def client(self, http: Any, key: str, url: str) -> Any:
        """The SDK's client over ``http``, with every retry of its own off."""
        ...

    async def look_up(self, client: Any, model: str) -> bool | None:
        """Ask for what is known of ``model``, which costs nothing; whether the provider knows it, None: it cannot tell.

        What the SDK raises says why not.
        """
        ...
