"""The hold on a Run: renewed in time, and noticed when it was lost."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.core.record.folding import begun

from counterfoil.adapters.clock import ManualClock
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.errors import LeaseLost
from counterfoil.core.record.events import RunAdmitted
from counterfoil.host.journal import Journal
from counterfoil.host.tenure import Tenure
from counterfoil.ports.ledger import Lease


def held(lease_ms: int = 30_000) -> tuple[MemoryLedger, ManualClock, Tenure]:
    ledger, clock, state = MemoryLedger(), ManualClock(0), begun()
    journal = Journal.begun(ledger, clock, state, RunAdmitted(state.snapshot), 0, None)
    journal.tenure = Tenure(ledger, clock, "r1", "me", 0, lease_ms)
    asyncio.run(journal.flush())
    return ledger, clock, journal.tenure


@pytest.mark.req("LED-06")
def test_a_lease_that_is_over_is_renewed_before_an_effect_unless_somebody_took_it() -> None:
    ledger, clock, tenure = held()
    clock.advance(40_000)
    asyncio.run(tenure.require())
    assert ledger.leases["r1"] == Lease("me", 0, 70_000)
    clock.advance(40_000)
    ledger.leases["r1"] = Lease("other", 1, 110_000)
    with pytest.raises(LeaseLost, match="other"):
        asyncio.run(tenure.require())


def test_a_lease_that_holds_costs_no_write() -> None:
    ledger, clock, tenure = held()
    clock.advance(29_999)
    asyncio.run(tenure.require())
    assert ledger.leases["r1"].until == 30_000


@pytest.mark.req("LED-06")
def test_losing_the_lease_ends_what_the_driver_does() -> None:
    ledger, _, tenure = held(lease_ms=3)

    async def driven() -> None:
        keeping = asyncio.ensure_future(tenure.keep(asyncio.current_task()))  # type: ignore[arg-type]  # there is one
        ledger.leases["r1"] = Lease("other", 1, 99)
        try:
            await asyncio.Event().wait()
        finally:
            await keeping

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(driven())
    assert isinstance(tenure.lost, LeaseLost)
