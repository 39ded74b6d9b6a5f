"""Owns simulated time: one time for a world, one clock for each process in it.

Never: waiting. Sleeping moves the time on; a jump moves what clocks show and no deadline.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Time:
    """The time of a world in milliseconds: what has passed, and what a clock on the wall shows."""

    def __init__(self, start_ms: int) -> None:
        self.passed = 0
        self._shown_ahead = start_ms

    @property
    def shown(self) -> int:
        """Milliseconds since the epoch, as clocks show them."""
        return self.passed + self._shown_ahead

    def jump(self, ms: int) -> None:
        """Set every clock forward, or back when ``ms`` is negative."""
        self._shown_ahead += ms


class SimClock:
    """The clock of one process. Its timeouts run on the time that passed, as a machine's steady clock does."""

    def __init__(self, time: Time) -> None:
        self._time = time
        self._deadlines: dict[asyncio.Task[object] | None, int] = {}  # each task has its own

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self._time.shown

    async def sleep_until(self, moment_ms: int) -> None:
        """Let time pass until ``moment_ms``, or until the timeout around it ends."""
        until = self._time.passed + max(0, moment_ms - self._time.shown)
        deadline = self._deadlines.get(asyncio.current_task())
        if deadline is not None and until > deadline:
            self._time.passed = max(self._time.passed, deadline)
            raise TimeoutError
        self._time.passed = until

    @asynccontextmanager
    async def timeout(self, ms: int) -> AsyncIterator[None]:
        """End a block that sleeps for longer than ``ms``."""
        task = asyncio.current_task()
        self._deadlines[task] = self._time.passed + ms
        try:
            yield
        finally:
            del self._deadlines[task]

    def left_ms(self) -> int | None:
        """How much time the block around it has left; None outside of one."""
        deadline = self._deadlines.get(asyncio.current_task())
        return None if deadline is None else deadline - self._time.passed
