"""The ledger contract: of two Hosts that drive one Run, only the one with the newer lease writes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from tests.contract.ledger.stores import Store, append, go, listing, verdict_of

from counterfoil.adapters.stores.crash import CrashingLedger
from counterfoil.core.errors import LeaseLost, LedgerConflict
from counterfoil.core.record.events import CancelRequested, LeaseTaken, ToolCallSettled
from counterfoil.ports.ledger import Lease

FIRST = Lease("boot/1/100", 1, 60_000)
SECOND = Lease("boot/2/200", 2, 90_000)


@pytest.fixture
def driven(store: Store) -> Store:
    """A store with a Run of one event under ``FIRST``."""
    append(store, "r1", 0, [LeaseTaken(FIRST.holder, 1)], lease=FIRST)
    return store


def lost(work: Coroutine[Any, Any, Any]) -> LeaseLost:
    with pytest.raises(LeaseLost) as refused:
        go(work)
    assert refused.value.code == "LEASE_LOST" and refused.value.hint
    return refused.value


def write(store: Store, expected: int, *, epoch: int, lease: Lease | None = None) -> Coroutine[Any, Any, Any]:
    body = ToolCallSettled("c1", {"text": f"of epoch {epoch} " * 500})
    return store.ledger.append(
        "r1", expected, [body], at=1, epoch=epoch, listing=listing(status="completed"), lease=lease
    )


@pytest.mark.req("LED-06")
def test_a_run_is_created_with_its_lease(driven: Store) -> None:
    driven.reopen()
    assert go(driven.ledger.lease("r1")) == FIRST
    assert len(append(driven, "r1", 1, [CancelRequested("x")], epoch=1)) == 1
    assert go(driven.ledger.lease("r1")) == FIRST
    assert go(driven.ledger.lease("r9")) is None


@pytest.mark.req("LED-06")
def test_a_writer_whose_lease_was_taken_leaves_nothing(driven: Store) -> None:
    append(driven, "r1", 1, [LeaseTaken(SECOND.holder, 2)], epoch=2, lease=SECOND)
    before, blobs = go(driven.ledger.stored("r1")), driven.blobs()
    for late in (write(driven, 2, epoch=1), write(driven, 1, epoch=1), write(driven, 2, epoch=1, lease=FIRST)):
        error = lost(late)
        assert SECOND.holder in error.message and "lease 2" in error.message
    assert (go(driven.ledger.stored("r1")), driven.blobs()) == (before, blobs)
    assert [run.status for run in go(driven.ledger.runs())] == ["running"]
    assert go(driven.ledger.lease("r1")) == SECOND
    assert len(append(driven, "r1", 2, [CancelRequested("x")], epoch=2)) == 1 and verdict_of(driven) is None


def test_a_writer_of_a_later_epoch_must_take_the_lease_first(driven: Store) -> None:
    assert FIRST.holder in lost(write(driven, 1, epoch=2)).message


def test_nobody_else_takes_a_lease_of_the_same_epoch(driven: Store) -> None:
    lost(write(driven, 1, epoch=1, lease=Lease("boot/9/900", 1, 70_000)))
    assert go(driven.ledger.lease("r1")) == FIRST


def test_a_refused_append_takes_no_lease(driven: Store) -> None:
    with pytest.raises(LedgerConflict):
        go(write(driven, 5, epoch=2, lease=SECOND))
    assert go(driven.ledger.lease("r1")) == FIRST


@pytest.mark.req("LED-06")
def test_a_lease_is_renewed_by_its_epoch_only(driven: Store) -> None:
    go(driven.ledger.renew("r1", epoch=1, until=70_000))
    driven.reopen()
    assert go(driven.ledger.lease("r1")) == Lease(FIRST.holder, 1, 70_000)
    append(driven, "r1", 1, [CancelRequested("x")], epoch=1, lease=Lease(FIRST.holder, 1, 80_000))
    assert go(driven.ledger.lease("r1")) == Lease(FIRST.holder, 1, 80_000)
    append(driven, "r1", 2, [LeaseTaken(SECOND.holder, 2)], epoch=2, lease=SECOND)
    for epoch in (1, 3):
        assert SECOND.holder in lost(driven.ledger.renew("r1", epoch=epoch, until=99_000)).message
    assert go(driven.ledger.lease("r1")) == SECOND


def test_without_a_lease_there_is_nothing_to_renew(store: Store) -> None:
    append(store, "r1", 0, [CancelRequested("x")])
    for run_id in ("r1", "r9"):
        assert "nobody" in lost(store.ledger.renew(run_id, epoch=1, until=5)).message
        assert go(store.ledger.lease(run_id)) is None


def test_a_run_without_a_lease_takes_any_writer_until_one_is_taken(store: Store) -> None:
    for seq, epoch in enumerate((1, 7, 2)):
        append(store, "r1", seq, [CancelRequested("x")], epoch=epoch)
    append(store, "r1", 3, [LeaseTaken(FIRST.holder, 1)], epoch=1, lease=FIRST)
    lost(write(store, 4, epoch=7))


def test_leases_of_appends_in_flight_together_are_checked_in_their_order(driven: Store) -> None:
    async def all_of_them() -> list[Any]:
        ledger = driven.ledger
        work = [
            write(driven, 1, epoch=1),
            write(driven, 2, epoch=2, lease=SECOND),
            ledger.renew("r1", epoch=1, until=1),
            write(driven, 3, epoch=1),
            ledger.renew("r1", epoch=2, until=95_000),
            write(driven, 3, epoch=2),
        ]
        return await asyncio.gather(*work, return_exceptions=True)

    outcomes = [type(outcome) for outcome in go(all_of_them())]
    assert outcomes == [tuple, tuple, LeaseLost, LeaseLost, type(None), tuple]
    assert go(driven.ledger.lease("r1")) == Lease(SECOND.holder, 2, 95_000)
    assert len(go(driven.ledger.stored("r1"))) == 4 and verdict_of(driven) is None


def test_the_crash_switch_passes_leases_on_and_counts_no_renewal(store: Store) -> None:
    class Killed(Exception):
        pass

    def die() -> None:
        raise Killed

    async def work() -> None:
        ledger = CrashingLedger(store.ledger, 2, die)
        await ledger.append("r1", 0, [CancelRequested("x")], at=1, epoch=1, listing=listing(), lease=FIRST)
        await ledger.renew("r1", epoch=1, until=61_000)
        assert await ledger.lease("r1") == Lease(FIRST.holder, 1, 61_000)
        await ledger.append("r1", 1, [CancelRequested("x")], at=1, epoch=1, listing=listing())

    with pytest.raises(Killed):
        go(work())
