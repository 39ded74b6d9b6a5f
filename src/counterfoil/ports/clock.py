"""The port to time."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        ...

    async def sleep_until(self, moment_ms: int) -> None:
        """Return when the clock shows about ``moment_ms``; whoever needs it exact asks ``now_ms`` again."""
        ...

    def timeout(self, ms: int) -> AbstractAsyncContextManager[object]:
        """A block that raises ``TimeoutError`` once ``ms`` have passed in it."""
        ...
