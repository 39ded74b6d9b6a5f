"""The journal pairs state and ledger."""

import asyncio
from typing import Any

import pytest
from tests.unit.core.record.folding import CONTRACT, begun

from counterfoil.adapters.clock import ManualClock
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.errors import LedgerBroken
from counterfoil.core.record import events as e
from counterfoil.host.journal import Journal, listing_of
from counterfoil.host.tenure import Tenure
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


@pytest.mark.req("LED-06")
def test_a_lease_is_written_with_an_append_when_it_is_due_and_given_up_at_the_end() -> None:
    ledger, clock = MemoryLedger(), ManualClock(0)
    held = journal(ledger, clock, [])
    held.tenure = Tenure(ledger, clock, "r1", "me", 0, 30_000)
    asyncio.run(held.ready())
    assert asyncio.run(ledger.lease("r1")) == Lease("me", 0, 30_000)
    clock.advance(5_000)
    held.record(e.InstructionFlagged(None, 0, "x"))
    asyncio.run(held.flush())
    assert asyncio.run(ledger.lease("r1")) == Lease("me", 0, 30_000)
    clock.advance(10_000)
    held.record(e.InstructionFlagged(None, 0, "x"))
    asyncio.run(held.flush())
    assert asyncio.run(ledger.lease("r1")) == Lease("me", 0, 45_000)
    held.record(e.RunPaused("enough"))
    asyncio.run(held.flush())
    assert asyncio.run(ledger.lease("r1")) == Lease("me", 0, 15_000)


class SlowLedger(MemoryLedger):
    """Its appends take a while, and fail if told to."""

    fails = False

    async def append(self, *args: Any, **named: Any) -> Any:
        await asyncio.sleep(0.01)
        if self.fails:
            raise LedgerBroken("full", code="STORE_FULL")
        return await super().append(*args, **named)


async def cancelled_flush(held: Journal) -> None:
    flushing = asyncio.ensure_future(held.flush())
    await asyncio.sleep(0)
    flushing.cancel()
    await flushing


def test_a_commit_that_was_cancelled_while_it_ran_is_known_and_told() -> None:
    ledger, seen = SlowLedger(), list[str]()
    held = journal(ledger, ManualClock(0), seen)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled_flush(held))
    assert seen == ["RunAdmitted"]
    assert held.head == asyncio.run(ledger.stored("r1"))[-1].hash


def test_a_commit_that_failed_is_told_even_to_who_wanted_to_stop() -> None:
    ledger = SlowLedger()
    ledger.fails = True
    with pytest.raises(LedgerBroken):
        asyncio.run(cancelled_flush(journal(ledger, ManualClock(0), [])))
