"""Owns the system's clock, and one that only moves when told to.

Never: anything but the time; whoever needs it takes the clock port.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager


class SystemClock:
    """The clock of this machine."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    async def sleep_until(self, moment_ms: int) -> None:
        """Let other work go on until about ``moment_ms``."""
        await asyncio.sleep(max(0, moment_ms - self.now_ms()) / 1000)

    def timeout(self, ms: int) -> AbstractAsyncContextManager[object]:
        """End a block that takes longer than ``ms``, by the machine's steady clock."""
        return asyncio.timeout(ms / 1000)


class ManualClock:
    """A clock for tests: it stands still until ``advance``."""

    def __init__(self, start_ms: int) -> None:
        self._now_ms = start_ms
        self._deadline: int | None = None

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self._now_ms

    def advance(self, ms: int) -> None:
        """Let ``ms`` milliseconds pass."""
        if ms < 0:
            raise ValueError("a clock does not run backwards")
        self._now_ms += ms

    async def sleep_until(self, moment_ms: int) -> None:
        """Jump to ``moment_ms``, or to the deadline of the ``timeout`` around it if that comes first."""
        if self._deadline is not None and moment_ms > self._deadline:
            self._now_ms = max(self._now_ms, self._deadline)
            raise TimeoutError
        self._now_ms = max(self._now_ms, moment_ms)

    @asynccontextmanager
    async def timeout(self, ms: int) -> AsyncIterator[None]:
        """End a block that sleeps longer than ``ms``; time passes in no other way."""
        self._deadline = self._now_ms + ms
        try:
            yield
        finally:
            self._deadline = None
