"""A metered Run over memory, under a clock that a test moves."""

from __future__ import annotations

from collections.abc import Mapping

from tests.unit.host.fakes import CountedIds, NamedHolders

from counterfoil.adapters.clock import ManualClock
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law.policy import Number
from counterfoil.core.record.metering import Asked
from counterfoil.host.metered_runs import Metering
from counterfoil.host.metering import Meter, Reserved
from counterfoil.ports.ledger import Ledger
from counterfoil.wiring import catalogue

URL = "https://provider.invalid/v1"
UNPRICED = "unpriced"


def price(model: str, usage: TokenUsage) -> float | None:
    """A dollar for a thousand tokens in, four for as many out."""
    return None if model == UNPRICED else (usage.input + 4 * usage.output) / 1000


class Metered:
    """A ledger, a clock, and what meters are begun and taken up with; ``crash`` ends a process that had a Run."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.ledger = ledger or MemoryLedger()
        self.clock = ManualClock(1_700_000_000_000)
        self.holders = NamedHolders()
        self.parts = Metering(self.ledger, self.clock, CountedIds(), self.holders, catalogue(), price)

    async def begin(self, **budget: Number | None) -> Meter:
        return await self.parts.begin(URL, limits(budget), "2025-03-31")

    async def crash(self, meter: Meter, **demanded: Number) -> Meter:
        self.holders.name += "'"
        wanted = limits(demanded)
        return await self.parts.resume(meter.state.run_id, wanted, frozenset(wanted))


def limits(named: Mapping[str, Number | None]) -> dict[str, Number | None]:
    """``run__model_requests`` → ``run/model-requests``."""
    return {name.replace("__", "/").replace("_", "-"): value for name, value in named.items()}


def asked(input_tokens: int = 10, output_tokens: int | None = 5, *, replies: int = 1, model: str = "m") -> Asked:
    return Asked("/v1/chat/completions", model, 100, input_tokens, output_tokens, replies)


async def reserved(meter: Meter, wanted: Asked | None = None) -> Reserved:
    """A request that the budget must allow."""
    given = await meter.reserve(wanted or asked())
    assert isinstance(given, Reserved), given
    return given
