"""The ledger as a simulated process sees it."""

import asyncio

import pytest
from tests.unit.core.record.folding import CONTRACT, begun
from tests.unit.sim.histories import DEBITS, SEARCH, answered, asked
from tests.unit.sim.lives import life_of, process_of

from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.record import events as e
from counterfoil.host.journal import listing_of
from counterfoil.ports.ledger import Lease
from counterfoil.sim.history import History
from counterfoil.sim.ledger import SeenLedger, crash_points
from counterfoil.sim.plan import Trouble
from counterfoil.sim.process import Crash, Life, Process

FIRST = (e.RunAdmitted(begun().snapshot), e.LeaseTaken("p1", 1), e.ContractConfirmed(CONTRACT, "unseen"))


def append(life: Life, inner: MemoryLedger) -> None:
    ledger = SeenLedger(inner, process_of(life, 0))
    asyncio.run(ledger.append("r1", 0, FIRST, at=0, epoch=1, listing=listing_of(begun())))


def test_what_is_acknowledged_is_known() -> None:
    life, inner = life_of(history=History()), MemoryLedger()
    append(life, inner)
    assert (len(life.history.records), len(asyncio.run(inner.stored("r1"))), life.commits) == (3, 3, 1)
    assert life.visited["event: LeaseTaken"] == 1


@pytest.mark.parametrize(("moment", "kept"), [(1, 0), (2, 3)])
def test_a_crash_before_a_commit_loses_it_and_one_after_it_does_not(moment: int, kept: int) -> None:
    life, inner = life_of(Trouble(moment, "crash"), history=History()), MemoryLedger()
    with pytest.raises(Crash):
        append(life, inner)
    assert (len(life.history.records), len(asyncio.run(inner.stored("r1")))) == (kept, kept)


def test_a_commit_that_breaks_an_invariant_is_a_violation() -> None:
    life, inner = life_of(history=History()), MemoryLedger()
    ledger = SeenLedger(inner, process_of(life, 0))
    with pytest.raises(Crash):
        asyncio.run(ledger.append("r1", 0, FIRST[:1], at=0, epoch=7, listing=listing_of(begun())))
    assert life.violation is not None
    assert life.violation.invariant == "one_holder_at_a_time"


def test_a_lease_is_what_the_store_has_and_a_process_can_die_before_it_is_renewed() -> None:
    life, inner = life_of(Trouble(3, "crash"), history=History()), MemoryLedger()
    process = process_of(life, 0)
    ledger = SeenLedger(inner, process)

    async def held() -> None:
        taken = Lease("p1", 1, 30_000)
        await ledger.append("r1", 0, FIRST, at=0, epoch=1, listing=listing_of(begun()), lease=taken)
        assert (life.history.lease, process.own.lease_until) == (taken, 30_000)
        with pytest.raises(Crash):
            await ledger.renew("r1", epoch=1, until=60_000)
        assert await inner.lease("r1") == taken
        later = SeenLedger(inner, process_of(life))
        await later.renew("r1", epoch=1, until=90_000)
        assert await later.lease("r1") == life.history.lease == Lease("p1", 1, 90_000)

    asyncio.run(held())


def test_a_caller_out_of_patience_leaves_after_so_many_commits() -> None:
    life, inner, left = life_of(history=History()), MemoryLedger(), list[str]()

    async def cancel(process: Process) -> None:
        left.append(process.name)

    life.steps, life.others = 1, {"cancel": cancel}
    append(life, inner)
    assert left == ["p1"]


def test_events_that_fold_to_nothing_are_a_violation() -> None:
    life = life_of(history=History())
    with pytest.raises(Crash):
        asyncio.run(
            SeenLedger(MemoryLedger(), process_of(life, 0)).append(
                "r1", 0, FIRST[1:], at=0, epoch=1, listing=listing_of(begun())
            )
        )
    assert life.violation is not None
    assert life.violation.invariant == "events_fold"


def test_crash_points_name_what_a_commit_holds() -> None:
    assert list(crash_points([asked("m1")])) == ["model: reservation"]
    reply = [*answered("m1", ("c1", SEARCH)), e.ToolCallReserved("c1", DEBITS[SEARCH])]
    assert list(crash_points(reply)) == ["model: receipt", "repeatable: reservation"]
    found = e.SourceRegistrationFailed("x", "y", "c1"), e.ToolCallSettled("c2", {})
    assert list(crash_points(found)) == ["pure: receipt"]
