"""Owns what Ctrl-C means while a Run is driven: once pauses after the step under way, twice stops at once.

Never: ending a Run; `counterfoil cancel` does that.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PAUSING = "pausing after this step; Ctrl-C once more stops at once"


@contextmanager
def pausing(tell: Callable[[str], None]) -> Iterator[asyncio.Event]:
    """The event that a first SIGINT or SIGTERM sets; a second SIGINT cancels the task that drives."""
    loop, driver, pause = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()

    def interrupted() -> None:
        if pause.is_set() and driver is not None:
            driver.cancel()
        pause.set()
        tell(PAUSING)

    def ended() -> None:
        pause.set()
        tell(PAUSING)

    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
    loop.add_signal_handler(signal.SIGINT, interrupted)
    loop.add_signal_handler(signal.SIGTERM, ended)
    try:
        yield pause
    finally:
        for number, handler in before:
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
