"""Owns the SDK clients that are open to providers, shared by every Run of the Host that owns them.

Never: a client shared by two keys, addresses or event loops: connections belong to the loop that opened them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable
from typing import Any

import msgspec

Opening = Callable[[], AsyncGenerator[tuple[Any, Any]]]


class _Line(msgspec.Struct, frozen=True):
    loop: asyncio.AbstractEventLoop
    opening: AsyncGenerator[tuple[Any, Any]]
    opened: tuple[Any, Any]


class Clients:
    """What was opened, by everything that it was opened with: its key and address among it."""

    def __init__(self) -> None:
        self._lines: dict[Hashable, _Line] = {}
        self._one_at_a_time: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None

    async def opened(self, target: Hashable, opening: Opening) -> tuple[Any, Any]:
        """The client for ``target``, of this event loop; ``opening`` yields it once, and closes it after.

        A loop that ends closes its asynchronous generators, and so what nobody closed is closed with it.
        """
        loop = asyncio.get_running_loop()
        line = self._lines.get(target)
        if line is not None and line.loop is loop:
            return line.opened
        async with self._lock(loop):
            line = self._lines.get(target)
            if line is None or line.loop is not loop:
                entered = opening()
                line = self._lines[target] = _Line(loop, entered, await anext(entered))
        return line.opened

    async def close(self) -> None:
        """Close every client of this loop; those of a loop that ended are closed already."""
        loop = asyncio.get_running_loop()
        lines, self._lines = self._lines, {}
        for line in lines.values():
            if line.loop is loop:
                await line.opening.aclose()

    def _lock(self, loop: asyncio.AbstractEventLoop) -> asyncio.Lock:
        """One Run opens, the others that came meanwhile find it open."""
        if self._one_at_a_time is None or self._one_at_a_time[0] is not loop:
            self._one_at_a_time = (loop, asyncio.Lock())
        return self._one_at_a_time[1]
