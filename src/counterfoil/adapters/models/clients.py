"""Owns the SDK clients that are open to providers, shared by every Run of the Host that owns them.

Never: a client shared by two keys, addresses or event loops: connections belong to the loop that opened them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Any

# Requests under way over one client before another is opened. The HTTP library looks at every connection of a client
# twice for each request, so that one client for 200 requests at once costs more than seven for 32 each.
SENDS_MAX = 32

Opening = Callable[[], AsyncGenerator[tuple[Any, Any]]]


class _Line:
    """One client: who opened it, and how many requests are under way over it."""

    def __init__(self, opening: Opening) -> None:
        self.loop = asyncio.get_running_loop()
        self.sends = 0
        self._opening = opening
        self._open: tuple[AsyncGenerator[tuple[Any, Any]], tuple[Any, Any]] | None = None
        self._lock = asyncio.Lock()

    async def opened(self) -> tuple[Any, Any]:
        """What ``opening`` yields. Who asks meanwhile waits for it; when it failed, the next one tries again."""
        async with self._lock:
            if self._open is None:
                entered = self._opening()
                self._open = (entered, await anext(entered))
        return self._open[1]

    async def close(self) -> None:
        """Close what is open."""
        if self._open is not None:
            await self._open[0].aclose()


class Clients:
    """What was opened, by everything that it was opened with: its key and address among it."""

    def __init__(self) -> None:
        self._lines: dict[Hashable, list[_Line]] = {}

    @asynccontextmanager
    async def client(self, target: Hashable, opening: Opening) -> AsyncIterator[tuple[Any, Any]]:
        """A client for ``target``, of this event loop, for one request; ``opening`` yields one, and closes it after.

        A loop that ends closes its asynchronous generators, and so what nobody closed is closed with it.
        """
        loop = asyncio.get_running_loop()
        lines = [line for line in self._lines.get(target, ()) if line.loop is loop]
        line = next((line for line in lines if line.sends < SENDS_MAX), None)
        if line is None:
            line = _Line(opening)
            self._lines[target] = [*lines, line]
        line.sends += 1
        try:
            yield await line.opened()
        finally:
            line.sends -= 1

    async def close(self) -> None:
        """Close every client of this loop; those of a loop that ended are closed already."""
        loop = asyncio.get_running_loop()
        closing, self._lines = self._lines, {}
        for line in (line for lines in closing.values() for line in lines):
            if line.loop is loop:
                await line.close()
