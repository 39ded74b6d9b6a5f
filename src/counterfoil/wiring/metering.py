"""Owns what meters requests of other programs.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterfoil.core.exchange import TokenUsage
from counterfoil.ports.ledger import Ledger
from counterfoil.wiring.limits import catalogue

if TYPE_CHECKING:
    from counterfoil.host.metered_runs import Metering
    from counterfoil.ports.upstream import Upstream


def open_upstream(address: str, key: str | None) -> Upstream:
    """The provider that requests are forwarded to."""
    from counterfoil.adapters.net.upstream import HttpUpstream

    return HttpUpstream(address, key)


def open_metering(ledger: Ledger, address: str) -> Metering:
    """What metered Runs of requests to ``address`` are begun and taken up with."""
    from counterfoil.adapters.clock import SystemClock
    from counterfoil.adapters.holders import LocalHolders
    from counterfoil.adapters.ids import SystemIds
    from counterfoil.adapters.models.prices import Price
    from counterfoil.host.metered_runs import Metering

    Price("", url=address).usd(TokenUsage())  # loads the list now, and not while a first client waits
    clock = SystemClock()
    return Metering(
        ledger=ledger,
        clock=clock,
        ids=SystemIds(clock),
        holders=LocalHolders(),
        catalogue=catalogue(),
        prices=lambda model, usage: Price(model, url=address).usd(usage),
    )
