"""The journal pairs state and ledger."""

import asyncio

from tests.unit.core.record.folding import CONTRACT, begun

from counterfoil.adapters.clock import ManualClock
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.record import events as e
from counterfoil.host.journal import Journal, listing_of
from counterfoil.ports.ledger import Lease


def journal(ledger: MemoryLedger, clock: ManualClock, seen: list[str]) -> Journal:
    state = begun()
    admitted = e.RunAdmitted(state.snapshot)
    return Journal.begun(ledger, clock, state, admitted, 0, lambda stored, event: seen.append(stored.type))


def test_records_fold_at_once_and_are_stored_and_seen_at_the_flush() -> None:
    ledger, seen = MemoryLedger(), list[str]()
    held = journal(ledger, ManualClock(0), seen)
    held.record(e.ContractConfirmed(CONTRACT, "unseen"))
    assert held.state.confirmed
    assert asyncio.run(ledger.stored("r1")) == ()
    asyncio.run(held.flush())
    assert seen == ["RunAdmitted", "ContractConfirmed"]
    assert held.head == asyncio.run(ledger.stored("r1"))[-1].hash


def test_all_of_a_batch_share_one_time_that_decisions_see_too() -> None:
    ledger, clock = MemoryLedger(), ManualClock(0)
    held = journal(ledger, clock, [])
    clock.advance(50)
    assert held.now() == 0
    asyncio.run(held.flush())
    assert held.now() == 50
    assert {stored.at for stored in asyncio.run(ledger.stored("r1"))} == {0}


def test_an_empty_flush_writes_nothing() -> None:
    ledger = MemoryLedger()
    held = journal(ledger, ManualClock(0), [])
    asyncio.run(held.flush())
    asyncio.run(held.flush())
    assert len(asyncio.run(ledger.stored("r1"))) == 1


def test_a_listing_says_running_until_the_run_is_settled() -> None:
    assert listing_of(begun()).status == "running"


def test_a_lease_is_stored_with_the_next_flush_and_only_that() -> None:
    ledger, lease = MemoryLedger(), Lease("boot/1/1", 0, 60_000)
    held = journal(ledger, ManualClock(0), [])
    held.lease = lease
    asyncio.run(held.flush())
    assert asyncio.run(ledger.lease("r1")) == lease and held.lease is None
