"""Owns helpers: admitting the parts of a split, running them side by side, reading back those that are over.

Never: more for them than their parent has left, or doing again what a helper's own ledger says is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import CounterfoilError, NotFoundError, PolicyRefused, UsageError
from counterfoil.core.law import budget as ids
from counterfoil.core.law.carving import carve
from counterfoil.core.law.policy import Number
from counterfoil.core.record.decide import left_ms
from counterfoil.core.record.events import Event, ToolCallReserved
from counterfoil.core.record.helpers import BudgetCarved, Helper, HelperAdmitted, helper_id
from counterfoil.core.record.rejoining import HelperEnd
from counterfoil.core.record.state import RunState
from counterfoil.host.admission import Task
from counterfoil.host.folding import fold
from counterfoil.ports.ledger import Ledger
from counterfoil.ports.tool import Refused, Split

# Explicit limits of the parent that are no limits of a helper: what is kept of its carve for its own ending follows
# from the carve, it has no helpers, and nobody reviews it but its parent.
_OWN = frozenset(
    {
        ids.FINAL_RESERVE,
        ids.FINALIZATION_SECONDS,
        ids.FINAL_INPUT_TOKENS,
        ids.FINAL_OUTPUT_TOKENS,
        ids.FINAL_COST_USD,
        ids.REGISTRY_CAPACITY,
        ids.HELPER_PARTS_MIN,
        ids.HELPER_PARTS_MAX,
        ids.HELPER_REQUESTS,
    }
)
# What stands inside a limit that the carve lowers is lowered with it.
_WITHIN = {
    ids.ATTEMPT_SECONDS: ids.ACTIVE_SECONDS,
    ids.WAIT_SECONDS: ids.ACTIVE_SECONDS,
    ids.WINDOW_SECONDS: ids.ACTIVE_SECONDS,
    ids.REQUEST_OUTPUT_TOKENS: ids.OUTPUT_TOKENS,
}


class Ends(msgspec.Struct, frozen=True):
    """How the helpers of a call ended; ``over``: all of them have."""

    ends: tuple[HelperEnd, ...]
    over: bool


class HelperHost(Protocol):
    """A Host of one helper."""

    def examine(self, task: Task) -> None:
        """Raise what admitting ``task`` would raise."""
        ...

    async def begin(self, task: Task, run_id: str, pause: asyncio.Event) -> tuple[RunState, str]:
        """Admit and drive; the state it rests in, and the head of its chain."""
        ...

    async def go_on(self, run_id: str, pause: asyncio.Event) -> tuple[RunState, str]:
        """Take up and drive; of a settled one, its state as it is."""
        ...


# The Host of the helper of a Run with that number, whose state so far is given if it has begun.
HelperHosts = Callable[[RunState, int, RunState | None], HelperHost]


class Helpers:
    """Runs the helpers of one Run on its ledger."""

    def __init__(self, ledger: Ledger, hosts: HelperHosts, pause: asyncio.Event) -> None:
        self._ledger = ledger
        self._hosts = hosts
        self._pause = pause

    def reserved(self, state: RunState, call_id: str, split: Split, now: int) -> Refused | tuple[Event, ...]:
        """The events that admit each part and carve its budget, or why a part could not even finish."""
        consumed = [policy for tool in state.snapshot.tools for policy in tool.debits]
        carves = carve(state.budget, consumed, [share for _, share in split.parts])
        events: list[Event] = [ToolCallReserved(call_id, {})]
        for place, ((contract, share), carved) in enumerate(zip(split.parts, carves, strict=True), 1):
            helper = helper_id(state.run_id, len(state.helpers) + place)
            limits = _limits(state, carved, now)
            try:
                self._hosts(state, len(state.helpers) + place, None).examine(task_of(state, contract, limits))
            except (PolicyRefused, UsageError) as refused:
                return _too_small(place, share, carved, refused)
            events += [HelperAdmitted(call_id, place, helper, contract, limits), BudgetCarved(call_id, helper, carved)]
        return tuple(events)

    async def ended(self, state: RunState, call_id: str) -> Ends:
        """Drive the helpers of a call side by side until each is settled, broken, or rests for a pause."""
        helpers = [helper for helper in state.helpers if helper.call_id == call_id]
        ends = await asyncio.gather(*(self._ended(state, helper) for helper in helpers))
        return Ends(tuple(end for end in ends if end is not None), None not in ends)

    async def _ended(self, state: RunState, helper: Helper) -> HelperEnd | None:
        try:
            child, head = await self._driven(state, helper)
        except CounterfoilError as failure:
            return await self._broken(helper, f"{failure.code}: {failure.message}")
        except Exception as defect:  # noqa: BLE001  # a defect ends this part, not its parent
            return await self._broken(helper, f"{type(defect).__name__}: {defect}")
        return HelperEnd(helper, child, head) if child.settled else None

    async def _driven(self, state: RunState, helper: Helper) -> tuple[RunState, str]:
        if not await self._ledger.stored(helper.id):
            host = self._hosts(state, helper.number, None)
            return await host.begin(task_of(state, helper.contract, helper.limits), helper.id, self._pause)
        child, last = await fold(self._ledger, helper.id)
        if child.settled:
            return child, last.hash
        return await self._hosts(state, helper.number, child).go_on(helper.id, self._pause)

    async def _broken(self, helper: Helper, why: str) -> HelperEnd:
        """A helper that could not go on, with what its ledger still says."""
        try:
            child, last = await fold(self._ledger, helper.id)
        except NotFoundError:
            return HelperEnd(helper, broke=why)
        except CounterfoilError as unreadable:  # of what it used nothing is known: its carve stays debited
            return HelperEnd(helper, broke=f"{why}; {unreadable.code}: {unreadable.message}", readable=False)
        return HelperEnd(helper, child, last.hash, "" if child.settled else why)


async def worked_until(ledger: Ledger, state: RunState, last_at: int) -> int:
    """When somebody worked on a Run last, be it one of its helpers, in milliseconds since the epoch."""
    moments = [last_at]
    for helper in state.helpers:
        if not helper.status:
            moments += [stored.at for stored in (await ledger.stored(helper.id))[-1:]]
    return max(moments)


def task_of(state: RunState, contract: Contract, limits: dict[str, Number | None]) -> Task:
    """A part as the task of a Run of its own: no request interprets it, and its sources are its parent's."""
    anchor = state.snapshot.anchor
    return Task(contract, anchor.as_of, anchor.zone, operator=limits, inputs=state.snapshot.inputs, entry=False)


def _limits(state: RunState, carved: dict[str, Number], now: int) -> dict[str, Number | None]:
    """What is set for a helper: the parent's explicit limits, the carve, and the time that is left for research."""
    explicit = {v.id: v.value for v in state.budget.limits.values() if v.origin == "explicit" and v.id not in _OWN}
    expires = state.admitted_at + state.budget.require(ids.EXPIRES_SECONDS) * 1000 - now
    times: dict[str, Number | None] = {
        ids.ACTIVE_SECONDS: left_ms(state, now, finalizing=False) // 1000,
        ids.EXPIRES_SECONDS: int(expires // 1000),
    }
    limits = {**explicit, **times, **carved}
    for inner, outer in _WITHIN.items():
        held, most = limits.get(inner), limits.get(outer)
        if held is not None and most is not None:
            limits[inner] = min(held, most)
    return limits


def _too_small(place: int, share: Fraction, carved: dict[str, Number], refused: CounterfoilError) -> Refused:
    given = ", ".join(f"{policy}={units:g}" for policy, units in carved.items())
    why = f"part {place} (share {float(share):.3g}) would get {given}; it could not finish: {refused.message}"
    hint = "split into fewer parts, or go on yourself: what is left of the budget does not carry this split"
    return Refused("PARTS_TOO_SMALL", why, hint, refused.policy, category="local_budget_exhausted")
