"""Owns the ledger as a simulated process sees it: the real one, with a moment before and after each commit.

Never: a store of its own. What the inner ledger has acknowledged is what the history knows.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from counterfoil.core.record import events as e
from counterfoil.core.record.helpers import HelperAdmitted, HelperSettled
from counterfoil.core.record.notes import ReminderGiven
from counterfoil.core.record.reviews import ReviewSettled
from counterfoil.ports.ledger import Lease, Ledger, Purged, RunListing, StoredEvent, Verification
from counterfoil.sim.history import History
from counterfoil.sim.invariants.check import Violation, after_a_commit
from counterfoil.sim.process import AFTER, BEFORE, RENEWAL, Crash, Process

T = TypeVar("T")


class SeenLedger:
    """Another ledger that tells the world of every commit, and that a process can die in front of or behind."""

    def __init__(self, inner: Ledger, process: Process) -> None:
        self._inner = inner
        self._process = process

    async def append(
        self,
        run_id: str,
        expected_seq: int,
        events: Sequence[e.Event],
        *,
        at: int,
        epoch: int,
        listing: RunListing,
        lease: Lease | None = None,
    ) -> tuple[StoredEvent, ...]:
        """Append; then check everything that must hold of what was appended."""
        process, life = self._process, self._process.life
        seat = process.seat(run_id)
        history = seat.history
        await self._moment(BEFORE, events, history)
        stored = await self._alone(
            self._inner.append(run_id, expected_seq, events, at=at, epoch=epoch, listing=listing, lease=lease)
        )
        seat.epoch = epoch
        if lease is not None:
            seat.lease_until, history.lease = lease.until, lease
        process.acts += 1
        life.commits += 1
        history.configured = {} if history.parent else process.configured
        history.prompts = process.prompts
        try:
            history.commit(stored, events)
        except Exception as senseless:  # noqa: BLE001  # whatever is wrong with them, the Host wrote them
            life.violate(Violation("events_fold", f"{type(senseless).__name__}: {senseless}"))
        life.visited.update(_visits(history.fresh[0].before.phase, events))
        try:
            after_a_commit(history)
        except Violation as violation:
            life.violate(violation)
        if life.commits >= life.steps and not life.leaving:
            await life.leave(process)
        await self._moment(AFTER, events, history)
        return stored

    async def renew(self, run_id: str, *, epoch: int, until: int) -> None:
        """Renew."""
        await self._process.moment(RENEWAL)
        await self._alone(self._inner.renew(run_id, epoch=epoch, until=until))
        seat = self._process.seat(run_id)
        held = seat.history.lease
        seat.lease_until = until
        seat.history.lease = replace(held, until=until) if held else None
        self._process.life.visited["process: renewed its lease"] += 1

    async def lease(self, run_id: str) -> Lease | None:
        """As the inner ledger."""
        return await self._alone(self._inner.lease(run_id))

    async def _alone(self, doing: Coroutine[Any, Any, T]) -> T:
        """Do something on the store; where Runs go on side by side, all of them stand still for it."""
        life = self._process.life
        return life.aside.wait(doing) if life.history.helpers else await doing

    async def _moment(self, where: str, events: Sequence[e.Event], history: History) -> None:
        try:
            await self._process.moment(where)
        except Crash:
            points = [*crash_points(events), *(("helper: commit",) if history.parent else ())]
            self._process.life.visited.update(f"crash {where.split()[0]} {point}" for point in points)
            raise

    async def stored(self, run_id: str) -> tuple[StoredEvent, ...]:
        """As the inner ledger."""
        return await self._alone(self._inner.stored(run_id))

    async def events(self, run_id: str) -> tuple[tuple[StoredEvent, e.Event], ...]:
        """As the inner ledger."""
        return await self._alone(self._inner.events(run_id))

    async def runs(self) -> tuple[RunListing, ...]:
        """As the inner ledger."""
        return await self._inner.runs()

    async def verify(self, run_id: str) -> Verification:
        """As the inner ledger."""
        return await self._inner.verify(run_id)

    async def purge(self, run_id: str, *, at: int, why: str) -> Purged:
        """As the inner ledger."""
        return await self._inner.purge(run_id, at=at, why=why)

    async def sweep(self) -> int:
        """As the inner ledger."""
        return await self._inner.sweep()

    async def proven(self, run_id: str) -> tuple[tuple[StoredEvent, e.Event], ...]:
        """As the inner ledger."""
        return await self._alone(self._inner.proven(run_id))

    async def close(self) -> None:
        """Close the inner ledger."""
        await self._inner.close()


def crash_points(events: Sequence[e.Event]) -> Iterator[str]:
    """Which parts of which effects a commit holds: "model: reservation", "repeatable: receipt", "split: receipt"."""
    receipts = {event.call_id for event in events if isinstance(event, e.ToolCallSettled | e.ToolCallFailed)}
    admitted = {event.call_id for event in events if isinstance(event, HelperAdmitted)}
    rejoined = {event.call_id for event in events if isinstance(event, HelperSettled)}
    if admitted:
        yield "split: reservation"
    if rejoined:
        yield "split: receipt"
    receipts -= rejoined
    for event in events:
        if isinstance(event, e.ModelCallReserved):
            yield "model: reservation"
        elif isinstance(event, e.ModelCallSettled | e.ModelCallFailed):
            yield "model: receipt"
        elif isinstance(event, e.ToolCallReserved) and event.call_id not in admitted:
            yield "repeatable: reservation"
    outside = {event.call_id for event in events if isinstance(event, e.SourceRegistered | e.EvidenceRead)}
    if receipts & outside:
        yield "repeatable: receipt"
    if receipts - outside:
        yield "pure: receipt"


def _visits(phase: str, events: Sequence[e.Event]) -> Iterator[str]:
    for event in events:
        yield f"event: {type(event).__name__}"
        if isinstance(event, e.PhaseChanged):
            yield f"phase: {phase} → {event.to.value}"
            phase = event.to.value
        elif isinstance(event, ReminderGiven):
            yield f"reminder: {event.kind}"
        elif isinstance(event, HelperSettled):
            yield f"helper: {'could not go on' if event.why else event.status}"
        elif isinstance(event, ReviewSettled):
            yield f"review: {event.verdict}"
        elif isinstance(event, e.ToolCallRefused):
            yield f"refused: {event.code}"
