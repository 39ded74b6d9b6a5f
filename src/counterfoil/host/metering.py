"""Owns the metering of other people's agents: requests from outside, debited before they are forwarded.

Many requests are under way at once and share one journal; whoever waits for durability is written in one transaction.
Never: forwarding (the entry point does), keeping a word of a request, or a second writer beside the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from counterfoil.core.errors import CounterfoilError, InternalError
from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law import budget as ids
from counterfoil.core.record.events import RunPaused
from counterfoil.core.record.metering import Asked, Refuse, forwarded_ms, judge, spent
from counterfoil.core.record.proxied import (
    EXCEEDED,
    ProxyCallFailed,
    ProxyCallRefused,
    ProxyCallReserved,
    ProxyCallSettled,
    ProxyEvent,
)
from counterfoil.core.record.state import RunState
from counterfoil.host.journal import Journal
from counterfoil.host.runner import abandon_effects
from counterfoil.host.settle import settle

Prices = Callable[[str, TokenUsage], float | None]  # model, tokens → USD; None where nobody knows


class Reserved(msgspec.Struct, frozen=True):
    """A debit that is durable: the request may be forwarded, and must be settled or failed.

    ``output_tokens_max``: what each reply must be held to, None where nothing is to be said. ``ms_max``: its time.
    """

    request: str
    model: str
    output_tokens_max: int | None
    ms_max: int


class Meter:
    """One metered Run. ``failure`` is why nothing more can be recorded, None while all is well."""

    def __init__(self, journal: Journal, prices: Prices) -> None:
        self.journal = journal
        self.failure: CounterfoilError | None = None
        self.broke = asyncio.Event()
        self._prices = prices
        self._writing = asyncio.Lock()

    @property
    def state(self) -> RunState:
        """The Run as it stands, what is not yet durable included."""
        return self.journal.state

    def limit(self, policy: str) -> int:
        """A limit of forwarding, in its unit."""
        return int(self.state.budget.require(policy))

    async def reserve(self, asked: Asked) -> Reserved | Refuse:
        """Debit the worst case of a request, durably, or say which limit stands against it.

        Looking and debiting are one step: nothing else runs between them.

        Raises:
            CounterfoilError: the debit cannot be made durable, or the lease was lost; nothing may be forwarded.
        """
        self._require_well()
        now = self.journal.now()
        judged = judge(self.state, asked, lambda usage: self._prices(asked.model, usage), now)
        if isinstance(judged, Refuse):
            self.journal.record(
                ProxyCallRefused(
                    asked.endpoint, asked.model, asked.size_bytes, EXCEEDED,
                    judged.policy, judged.limit, judged.spent, judged.asked,
                )
            )  # fmt: skip
            await self._write()
            return judged
        proxied = self.state.proxied
        request = f"p{proxied.forwarded + 1 if proxied else 1}"
        most_ms = self.state.budget.require(ids.UPSTREAM_SECONDS) * 1000
        ms_max = forwarded_ms(self.state, most_ms, now)
        self.journal.record(ProxyCallReserved(request, asked.endpoint, asked.model, asked.size_bytes, judged.worst))
        await self._write()
        return Reserved(request, asked.model, judged.output_tokens_max, ms_max)

    async def settle(self, reserved: Reserved, status: int, usage: TokenUsage | None) -> None:
        """Record what a forwarded request spent; None where the upstream did not say: its worst case stands."""
        usd = None if usage is None else self._prices(reserved.model, usage)
        await self._end(ProxyCallSettled(reserved.request, status, usage, usd))

    async def fail(
        self, reserved: Reserved, code: str, category: str, status: int | None = None, *, released: bool = False
    ) -> None:
        """Record that a forwarded request has no answer; ``released`` gives its worst case back."""
        await self._end(ProxyCallFailed(reserved.request, code, category, status, released))

    async def stop(self) -> None:
        """Leave the Run: settled where nothing more could be forwarded, else paused. What is under way is unknown.

        Raises:
            CounterfoilError: it cannot be recorded.
        """
        self._require_well()
        abandon_effects(self.journal)
        over = spent(self.state, self.journal.now())
        if over is None:
            self.journal.record(RunPaused("the proxy was stopped"))
        else:
            settle(self.journal, *over)
        await self._write(holding=False)

    async def _end(self, event: ProxyEvent) -> None:
        """Record the end of a request, unless it was given up before. A failed write is told by ``failure``."""
        under_way = self.state.proxied.under_way if self.state.proxied else {}
        if self.failure is not None or getattr(event, "request", None) not in under_way:
            return
        self.journal.record(event)
        try:
            await self._write(holding=False)
        except CounterfoilError:
            return  # kept in ``failure``; the client has its answer, and the debit stands

    async def _write(self, *, holding: bool = True) -> None:
        """Make all that is recorded durable, also what others recorded while an earlier write was under way.

        ``holding``: and be sure that this process still holds the Run, as before an effect.
        """
        async with self._writing:
            self._require_well()
            try:
                await (self.journal.ready() if holding else self.journal.flush())
            except Exception as defect:
                self.failure = defect if isinstance(defect, CounterfoilError) else _unforeseen(defect)
                self.broke.set()
                raise self.failure from defect

    def _require_well(self) -> None:
        if self.failure is not None:
            raise self.failure


def _unforeseen(defect: Exception) -> InternalError:
    why = f"a debit or receipt cannot be recorded: {type(defect).__name__}"
    return InternalError(
        why, code="LEDGER_DEFECT", hint="the ledger up to here stands; look at it with `counterfoil verify`"
    )
