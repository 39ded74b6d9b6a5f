"""Owns the system's clock, and one that only moves when told to.

Never: anything but the time; whoever needs it takes the clock port.
"""

from __future__ import annotations

import asyncio
import time


class SystemClock:
    """The clock of this machine."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    async def sleep_until(self, moment_ms: int) -> None:
        """Let other work go on until about ``moment_ms``."""
        await asyncio.sleep(max(0, moment_ms - self.now_ms()) / 1000)


class ManualClock:
    """A clock for tests and simulation: it stands still until ``advance``."""

    def __init__(self, start_ms: int) -> None:
        self._now_ms = start_ms

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self._now_ms

    def advance(self, ms: int) -> None:
        """Let ``ms`` milliseconds pass."""
        if ms < 0:
            raise ValueError("a clock does not run backwards")
        self._now_ms += ms

    async def sleep_until(self, moment_ms: int) -> None:
        """Jump to ``moment_ms``."""
        self._now_ms = max(self._now_ms, moment_ms)
