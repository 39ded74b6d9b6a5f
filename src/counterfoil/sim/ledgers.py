"""Owns the ledger objects that the processes of a world use one after the other, over one store.

Never: what a ledger does (see ``ledger``), or one that two living processes share.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from counterfoil.ports.ledger import Ledger

REOPENED = 3  # every how many crashes the file is closed and opened again


class Ledgers:
    """Ledger objects over one store. What a process that crashed had open is quiet before another one uses it."""

    def __init__(self, opened: Callable[[Path], Ledger], path: Path, *, durable: bool) -> None:
        self._opened = opened
        self._path = path
        self._durable = durable
        self._idle: list[Ledger] = []
        self._crashes = 0

    def take(self) -> Ledger:
        """A ledger object that no living process uses."""
        return self._idle.pop() if self._idle else self._opened(self._path)

    async def give_back(self, ledger: Ledger, *, crashed: bool) -> None:
        """The process that used ``ledger`` is over.

        A ledger knows nothing but its file, so that one left by a crash is as good as one opened anew. Opening costs
        as much as several steps: every third time is enough to see that it works.
        """
        self._crashes += crashed
        if crashed and self._durable and self._crashes % REOPENED == 0:
            await ledger.close()
            return
        if crashed:
            await ledger.lease("")  # after whatever the process still had under way
        self._idle.append(ledger)

    async def close(self) -> None:
        """Close what is open."""
        for ledger in self._idle:
            await ledger.close()
