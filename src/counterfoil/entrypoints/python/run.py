"""Owns the handle of one Run: its events as they become durable, its result, pausing and cancelling it.

Never: a Run that is driven twice, or a task that outlives its Host.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from counterfoil import wiring
from counterfoil.core.record.events import Event
from counterfoil.host.host import Finished
from counterfoil.host.journal import Observer
from counterfoil.host.report import RunReport
from counterfoil.ports.ledger import Ledger, StoredEvent

Drive = Callable[[Observer, asyncio.Event], Awaitable[Finished]]


class RunEvent(msgspec.Struct, frozen=True):
    """Something that happened in a Run and is durable. ``at``: milliseconds since the epoch; ``seq`` counts from 1.

    ``data`` is one of the types in ``counterfoil.events``, and ``type`` its name; ``hash`` proves it and all before it.
    """

    run_id: str
    seq: int
    at: int
    actor: str
    type: str
    data: Event
    hash: str


class Run:
    """A Run that a Host drives, or has driven to its end. ``Host.start`` and ``Host.resume`` give one."""

    def __init__(self, ledger: Ledger, drive: Drive, stopped: Callable[[Run], None]) -> None:
        self._ledger = ledger
        self._drive = drive
        self._pause = asyncio.Event()
        self._news = asyncio.Event()  # set, and replaced, whenever something happened
        self._told: list[RunEvent] = []
        self._ending = False  # whether it is to be cancelled once it has stopped
        self._halted = False
        self._one_at_a_time = asyncio.Lock()
        self._cancelled: Finished | None = None  # once it had stopped
        self._id = ""
        self._task = asyncio.create_task(self._conduct(), name="counterfoil run")
        self._task.add_done_callback(lambda _task: self._wake())
        self._task.add_done_callback(lambda _task: stopped(self))

    @property
    def id(self) -> str:
        """Its id, for ``Host.resume`` and the command line."""
        return self._id

    @property
    def stopped(self) -> bool:
        """Whether nobody drives it any more: it is settled, paused, or its driver failed."""
        return self._task.done()

    async def events(self) -> AsyncIterator[RunEvent]:
        """Every event from the first on, each when it is durable; ends when the Run is settled or paused.

        Raises:
            LedgerBroken: events of before this Host took the Run up cannot be read.
        """
        if not self._told or self._told[0].seq > 1:
            for stored, event in await self._ledger.events(self._id):
                if self._told and stored.seq >= self._told[0].seq:
                    break
                yield _run_event(stored, event)
        place = 0
        while place < len(self._told) or not self._task.done():
            if place == len(self._told):
                await self._news.wait()
                continue
            yield self._told[place]
            place += 1

    async def result(self) -> RunReport:
        """Wait until the Run is settled or paused, and give its report.

        Cancelling who waits here (a timeout, Ctrl-C) stops the Run at once and leaves it paused: an effect under way
        has an unknown outcome, and ``Host.resume`` goes on.

        Raises:
            LeaseLost: another Host took the Run, or cancelled it.
            CounterfoilError: the store failed; what it had taken stands.
        """
        await self._over()
        return self._finished().report

    async def pause(self) -> RunReport:
        """Let the step under way end, then stop; ``Host.resume`` goes on. Errors as of ``result``."""
        await self.rest()
        return self._finished().report

    async def cancel(self) -> RunReport:
        """End the Run as cancelled, at once. What was accepted stays delivered. Errors as of ``result``."""
        self._ending = True
        await self.halt()
        async with self._one_at_a_time:
            if not self._finished().state.settled:  # it had stopped before
                self._cancelled = await wiring.cancel(self._ledger, self._id, self._observe)
        return self._finished().report

    async def halt(self) -> None:
        """Stop at once and leave the Run paused; ``pause`` lets the step under way end first."""
        if not self._halted:
            self._halted = True
            self._task.cancel()
        await asyncio.wait({self._task})

    async def rest(self) -> None:
        """As ``pause``, for the Host that closes: whoever asks for the result is told what went wrong."""
        self._pause.set()
        await self._over()

    async def begun(self) -> Run:
        """Wait until the Run is durable, and give it.

        Raises:
            CounterfoilError: it was not admitted or may not be taken up.
        """
        try:
            while not self._told and not self._task.done():
                await self._news.wait()
        except asyncio.CancelledError:
            await self.halt()
            raise
        if not self._told:
            self._id = self._task.result().state.run_id
        return self

    async def _conduct(self) -> Finished:
        finished = await self._drive(self._observe, self._pause)
        if self._ending and not finished.state.settled:
            finished = await wiring.cancel(self._ledger, finished.state.run_id, self._observe)
        return finished

    async def _over(self) -> None:
        """Wait until nobody drives the Run any more; giving up stops it."""
        try:
            await asyncio.wait({self._task})
        except asyncio.CancelledError:
            await self.halt()
            raise

    def _finished(self) -> Finished:
        return self._cancelled or self._task.result()

    def _observe(self, stored: StoredEvent, event: Event) -> None:
        self._id = stored.run_id
        self._told.append(_run_event(stored, event))
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


def _run_event(stored: StoredEvent, event: Event) -> RunEvent:
    return RunEvent(stored.run_id, stored.seq, stored.at, stored.actor, stored.type, event, stored.hash)
