"""Owns the test switch that ends the process right before a chosen ledger commit.

Never: reading the environment (settings does), or a decision of its own about how to die.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from counterfoil.core.record.events import Event
from counterfoil.ports.ledger import Lease, Ledger, Purged, RunListing, StoredEvent, Verification


class CrashingLedger:
    """Another ledger that calls ``kill`` instead of starting its ``at``-th append or purge (from 1).

    Either is one transaction, so dying before it and dying inside it leave the same store.
    """

    def __init__(self, inner: Ledger, at: int, kill: Callable[[], None]) -> None:
        self._inner = inner
        self._at = at
        self._kill = kill
        self._commits = 0

    async def append(
        self,
        run_id: str,
        expected_seq: int,
        events: Sequence[Event],
        *,
        at: int,
        epoch: int,
        listing: RunListing,
        lease: Lease | None = None,
    ) -> tuple[StoredEvent, ...]:
        """Append, unless this is the append to die before."""
        self._count()
        return await self._inner.append(run_id, expected_seq, events, at=at, epoch=epoch, listing=listing, lease=lease)

    async def renew(self, run_id: str, *, epoch: int, until: int) -> None:
        """As the inner ledger: a renewal is no step of the Run, so its commit is not counted."""
        await self._inner.renew(run_id, epoch=epoch, until=until)

    async def lease(self, run_id: str) -> Lease | None:
        """As the inner ledger."""
        return await self._inner.lease(run_id)

    async def stored(self, run_id: str) -> tuple[StoredEvent, ...]:
        """As the inner ledger."""
        return await self._inner.stored(run_id)

    async def events(self, run_id: str) -> tuple[tuple[StoredEvent, Event], ...]:
        """As the inner ledger."""
        return await self._inner.events(run_id)

    async def proven(self, run_id: str) -> tuple[tuple[StoredEvent, Event], ...]:
        """As the inner ledger."""
        return await self._inner.proven(run_id)

    async def runs(self) -> tuple[RunListing, ...]:
        """As the inner ledger."""
        return await self._inner.runs()

    async def verify(self, run_id: str) -> Verification:
        """As the inner ledger."""
        return await self._inner.verify(run_id)

    async def purge(self, run_id: str, *, at: int, why: str) -> Purged:
        """Purge, unless this is the commit to die before."""
        self._count()
        return await self._inner.purge(run_id, at=at, why=why)

    async def sweep(self) -> int:
        """As the inner ledger."""
        return await self._inner.sweep()

    async def close(self) -> None:
        """Close the inner ledger."""
        await self._inner.close()

    def _count(self) -> None:
        self._commits += 1
        if self._commits == self._at:
            self._kill()
