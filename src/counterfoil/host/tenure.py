"""Owns the hold of this Host on one Run: its lease, when that is due again, and noticing that it was lost.

Never: writing events (the journal does), or an effect while the lease is over.
"""

from __future__ import annotations

import asyncio
from typing import Any

from counterfoil.core.errors import CounterfoilError, LeaseLost
from counterfoil.ports.clock import Clock
from counterfoil.ports.ledger import Lease, Ledger

RENEWALS = 3  # in one lease time, so that a missed one does no harm


class Tenure:
    """A lease of ``lease_ms`` on a Run, held by ``holder`` under ``epoch``."""

    def __init__(self, ledger: Ledger, clock: Clock, run_id: str, holder: str, epoch: int, lease_ms: int) -> None:
        self._ledger = ledger
        self._clock = clock
        self._run_id = run_id
        self._holder = holder
        self._epoch = epoch
        self._lease_ms = lease_ms
        self._until: int | None = None
        self.under: tuple[str, int] | None = None  # the Run and its epoch that a helper is driven for
        self.lost: CounterfoilError | None = None

    def due(self, at: int, *, over: bool) -> Lease | None:
        """The lease to write with an append at ``at``; ``over``: nobody works on the Run after it."""
        if over:
            return Lease(self._holder, self._epoch, at)
        if self._until is not None and self._until - at > self._lease_ms * (RENEWALS - 1) // RENEWALS:
            return None
        return Lease(self._holder, self._epoch, at + self._lease_ms)

    def written(self, lease: Lease | None) -> None:
        """Note that the store has taken ``lease``."""
        if lease is not None:
            self._until = lease.until

    async def require(self) -> None:
        """Make sure that the lease holds now: asked before each effect.

        Raises:
            LeaseLost: another Host has the Run, or the one whose helper it is.
        """
        await self._require_parent()
        if self._until is None or self._clock.now_ms() >= self._until:
            await self._renew()

    async def _require_parent(self) -> None:
        """Who has taken the parent may not have taken the helper: it may not have begun, or could not go on."""
        if self.under is None:
            return
        parent, epoch = self.under
        lease = await self._ledger.lease(parent)
        if lease is None or lease.epoch != epoch:
            raise LeaseLost(
                f"Run {parent} is driven by another process now, and {self._run_id} is a part of it",
                code="LEASE_LOST",
                hint=f"nothing to do: `counterfoil show {parent}` tells what became of it",
            )

    async def keep(self, driver: asyncio.Task[Any]) -> None:
        """Renew until cancelled. When the lease is lost, or cannot be renewed in time, end what ``driver`` does."""
        while True:
            await asyncio.sleep(self._lease_ms / 1000 / RENEWALS)
            try:
                await self._renew()
            except LeaseLost as lost:
                self.lost = lost
                driver.cancel()
                return
            except CounterfoilError:
                continue  # the next append tells what is wrong with the store

    async def _renew(self) -> None:
        until = self._clock.now_ms() + self._lease_ms
        await self._ledger.renew(self._run_id, epoch=self._epoch, until=until)
        self._until = until
