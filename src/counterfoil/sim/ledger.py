"""Owns the ledger as a simulated process sees it: the real one, with a moment before and after each commit.

Never: a store of its own. What the inner ledger has acknowledged is what the history knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from counterfoil.core.record import events as e
from counterfoil.ports.ledger import Ledger, RunListing, StoredEvent, Verification
from counterfoil.sim.invariants.check import Violation, after_a_commit
from counterfoil.sim.process import AFTER, BEFORE, Crash, Process


class SeenLedger:
    """Another ledger that tells the world of every commit, and that a process can die in front of or behind."""

    def __init__(self, inner: Ledger, process: Process) -> None:
        self._inner = inner
        self._process = process

    async def append(
        self, run_id: str, expected_seq: int, events: Sequence[e.Event], *, at: int, epoch: int, listing: RunListing
    ) -> tuple[StoredEvent, ...]:
        """Append; then check everything that must hold of what was appended."""
        process, life = self._process, self._process.life
        await self._moment(BEFORE, events)
        stored = await self._inner.append(run_id, expected_seq, events, at=at, epoch=epoch, listing=listing)
        process.epoch = epoch
        process.acts += 1
        life.commits += 1
        life.history.commit(stored, events)
        life.visited.update(_visits(life.history.fresh[0].before.phase, events))
        try:
            after_a_commit(life.history)
        except Violation as violation:
            life.violate(violation)
        if life.commits == life.steps:
            await process.cancel(AFTER)
        await self._moment(AFTER, events)
        return stored

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
