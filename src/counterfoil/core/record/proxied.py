"""Owns the events of a proxied Run, whose requests another program decides, and what they fold into beside its budget.

Several such requests are under way at once, so each event names its own (docs/adr/0015).
Never: a word of a request or of its answer; the ledger keeps what is needed to account for them.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law.policy import Number
from counterfoil.core.record.content import Content

PROXIED = "proxied"  # the model that such a Run is admitted with, and the purpose of its requests
EXCEEDED = "PROVIDER_CALL_BUDGET_EXCEEDED"


class ProxyCallReserved(msgspec.Struct, frozen=True, tag=True):
    """A client's request was debited and may now be forwarded. ``size_bytes``: of its body, of which nothing is kept.

    ``worst`` (policy id → units) is what it may spend beside being a request; it stands until the receipt says less.
    """

    request: str  # "p1", "p2", ...
    endpoint: str  # "/v1/chat/completions"
    model: Content[str]
    size_bytes: int
    worst: dict[str, Number] = {}


class ProxyCallSettled(msgspec.Struct, frozen=True, tag=True):
    """The receipt of a forwarded request. ``usage`` None: the upstream did not say, so the worst case stands.

    ``status``: of HTTP. ``usd``: what it cost; None where nobody knows the price.
    """

    request: str
    status: int
    usage: TokenUsage | None
    usd: float | None = None


class ProxyCallFailed(msgspec.Struct, frozen=True, tag=True):
    """A forwarded request ended without an answer; it stays debited. ``status``: of HTTP, None where none came.

    ``released``: the upstream cannot have begun to work on it, so its worst case is given back.
    """

    request: str
    code: str
    category: str
    status: int | None = None
    released: bool = False


class ProxyCallRefused(msgspec.Struct, frozen=True, tag=True):
    """A client's request was not forwarded, because ``policy`` does not allow it; nothing was debited.

    ``asked`` None: no amount can be named, as of time, or of money where nobody knows the price.
    """

    endpoint: str
    model: Content[str]
    size_bytes: int
    code: str
    policy: str
    limit: Number
    spent: Number
    asked: Number | None


ProxyEvent = ProxyCallReserved | ProxyCallSettled | ProxyCallFailed | ProxyCallRefused


class Proxied(msgspec.Struct, frozen=True):
    """The forwarded requests of a Run: how many, which are under way, and since when (milliseconds) if none is.

    ``unknown`` ended without anybody telling what they spent; ``standing`` (policy id → units) is debited for them.
    """

    idle_since: int
    forwarded: int = 0
    refused: int = 0
    under_way: dict[str, dict[str, Number]] = {}  # request → its worst case
    unknown: int = 0
    standing: dict[str, Number] = {}
