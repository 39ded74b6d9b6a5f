"""Owns the ledger as a simulated process sees it: the real one, with a moment before and after each commit.

Never: a store of its own. What the inner ledger has acknowledged is what the history knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from counterfoil.core.record import events as e
from counterfoil.core.record.notes import ReminderGiven
from counterfoil.core.record.reviews import ReviewSettled
from counterfoil.ports.ledger import Lease, Ledger, Purged, RunListing, StoredEvent, Verification
from counterfoil.sim.invariants.check import Violation, after_a_commit
from counterfoil.sim.process import AFTER, BEFORE, RENEWAL, Crash, Process


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
        await self._moment(BEFORE, events)
        stored = await self._inner.append(
            run_id, expected_seq, events, at=at, epoch=epoch, listing=listing, lease=lease
        )
        process.epoch = epoch
        if lease is not None:
            process.lease_until, life.history.lease = lease.until, lease
        process.acts += 1
        life.commits += 1
        life.history.configured, life.history.prompts = process.configured, process.prompts
        try:
            life.history.commit(stored, events)
        except Exception as senseless:  # noqa: BLE001  # whatever is wrong with them, the Host wrote them
            life.violate(Violation("events_fold", f"{type(senseless).__name__}: {senseless}"))
        life.visited.update(_visits(life.history.fresh[0].before.phase, events))
        try:
            after_a_commit(life.history)
        except Violation as violation:
            life.violate(violation)
        if life.commits >= life.steps and not life.leaving:
            await life.leave(process)
        await self._moment(AFTER, events)
        return stored

    async def renew(self, run_id: str, *, epoch: int, until: int) -> None:
        """Renew."""
        await self._process.moment(RENEWAL)
        await self._inner.renew(run_id, epoch=epoch, until=until)
        held = self._process.life.history.lease
        self._process.lease_until = until
        self._process.life.history.lease = replace(held, until=until) if held else None
        self._process.life.visited["process: renewed its lease"] += 1

    async def lease(self, run_id: str) -> Lease | None:
        """As the inner ledger."""
        return await self._inner.lease(run_id)

    async def _moment(self, where: str, events: Sequence[e.Event]) -> None:
        try:
            await self._process.moment(where)
        except Crash:
            self._process.life.visited.update(f"crash {where.split()[0]} {point}" for point in crash_points(events))
            raise

    async def stored(self, run_id: str) -> tuple[StoredEvent, ...]:
        """As the inner ledger."""
        return await self._inner.stored(run_id)

    async def events(self, run_id: str) -> tuple[tuple[StoredEvent, e.Event], ...]:
        """As the inner ledger."""
        return await self._inner.events(run_id)

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
        return await self._inner.proven(run_id)

    async def close(self) -> None:
        """Close the inner ledger."""
        await self._inner.close()


def crash_points(events: Sequence[e.Event]) -> Iterator[str]:
    """Which parts of which effects a commit holds: "model: reservation", "repeatable: receipt", "pure: receipt"."""
    receipts = {event.call_id for event in events if isinstance(event, e.ToolCallSettled | e.ToolCallFailed)}
    for event in events:
        if isinstance(event, e.ModelCallReserved):
            yield "model: reservation"
        elif isinstance(event, e.ModelCallSettled | e.ModelCallFailed):
            yield "model: receipt"
        elif isinstance(event, e.ToolCallReserved):
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
        elif isinstance(event, ReviewSettled):
            yield f"review: {event.verdict}"
        elif isinstance(event, e.ToolCallRefused):
            yield f"refused: {event.code}"
