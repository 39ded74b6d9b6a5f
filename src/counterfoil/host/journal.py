"""Owns the pairing of state and ledger: what is recorded folds at once and is durable at the next flush.

Never: an outside effect between ``record`` and ``flush``; the runner flushes before it dispatches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from counterfoil.core.record.events import Event, RunAdmitted
from counterfoil.core.record.evolve import evolve
from counterfoil.core.record.state import RunState
from counterfoil.host.tenure import Tenure
from counterfoil.ports.clock import Clock
from counterfoil.ports.ledger import Lease, Ledger, RunListing, StoredEvent

Observer = Callable[[StoredEvent, Event], None]


class Journal:
    """The one way a Run's state moves while a Host drives it. All events of a flush share one time."""

    def __init__(self, ledger: Ledger, clock: Clock, state: RunState, observer: Observer | None) -> None:
        self._ledger = ledger
        self._clock = clock
        self._observer = observer or _nobody
        self._pending: list[Event] = []
        self._batch_at: int | None = None
        self.state = state
        self.head = ""
        self.tenure: Tenure | None = None

    @classmethod
    def begun(
        cls, ledger: Ledger, clock: Clock, state: RunState, admitted: RunAdmitted, at: int, observer: Observer | None
    ) -> Journal:
        """The journal of a new Run, whose first event is not yet durable."""
        journal = cls(ledger, clock, state, observer)
        journal._pending, journal._batch_at = [admitted], at
        return journal

    def now(self) -> int:
        """The time that decisions of the current batch use, so that a replay decides the same."""
        return self._clock.now_ms() if self._batch_at is None else self._batch_at

    async def sleep_until(self, moment_ms: int) -> None:
        """Make everything durable, then let time pass."""
        await self.flush()
        await self._clock.sleep_until(moment_ms)

    def timeout(self, ms: int) -> AbstractAsyncContextManager[object]:
        """A block that raises ``TimeoutError`` once ``ms`` have passed in it."""
        return self._clock.timeout(ms)

    def record(self, *events: Event) -> None:
        """Fold events and keep them for the next flush."""
        if self._batch_at is None:
            self._batch_at = self._clock.now_ms()
        for event in events:
            self.state = evolve(self.state, event, self._batch_at)
            self._pending.append(event)

    async def flush(self) -> None:
        """Make everything recorded durable, in one transaction."""
        if not self._pending or self._batch_at is None:
            return
        events, at = self._pending, self._batch_at
        self._pending, self._batch_at = [], None
        lease = self.tenure.due(at, over=self.state.paused or self.state.settled is not None) if self.tenure else None
        appending = asyncio.ensure_future(
            self._ledger.append(
                self.state.run_id,
                self.state.seq - len(events),
                events,
                at=at,
                epoch=self.state.epoch,
                listing=listing_of(self.state),
                lease=lease,
            )
        )
        try:
            await asyncio.shield(appending)
        except asyncio.CancelledError:  # a transaction that has begun is not undone by cancelling who waits for it
            await asyncio.wait([appending])
            self._written(
                appending.result(), events, lease
            )  # that nothing was written matters more than the wish to stop
            raise
        self._written(appending.result(), events, lease)

    def _written(self, stored: tuple[StoredEvent, ...], events: list[Event], lease: Lease | None) -> None:
        self.head = stored[-1].hash
        if self.tenure:
            self.tenure.written(lease)
        for record, event in zip(stored, events, strict=True):
            self._tell(record, event)

    async def ready(self) -> None:
        """Make everything recorded durable, and sure that this Host still holds the Run: asked before each effect.

        Raises:
            LeaseLost: another Host has the Run.
        """
        await self.flush()
        if self.tenure:
            await self.tenure.require()

    def _tell(self, record: StoredEvent, event: Event) -> None:
        """Tell who watches. A watcher that cannot be told any more (a closed pipe) does not end the Run."""
        try:
            self._observer(record, event)
        except OSError:
            self._observer = _nobody


def _nobody(_stored: StoredEvent, _event: Event) -> None:
    """Watch nothing."""


def listing_of(state: RunState) -> RunListing:
    """The line that ``counterfoil runs`` shows."""
    return RunListing(
        run_id=state.run_id,
        question=state.contract.question,
        status=state.settled.status if state.settled else "paused" if state.paused else "running",
        phase=state.phase.value,
        at=state.admitted_at,
    )
