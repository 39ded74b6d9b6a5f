"""Owns the loop: decide, perform, until the Run rests. Resuming is the same loop over a folded ledger.

Never: a choice of its own, or an effect before its reservation is durable.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from counterfoil.core.law.budget import ATTEMPT_SECONDS, UPSTREAM_SECONDS
from counterfoil.core.record import events as e
from counterfoil.core.record.commands import Rest, Settle, Wait
from counterfoil.core.record.decide import decide
from counterfoil.core.record.state import RunState
from counterfoil.host.journal import Journal
from counterfoil.host.perform import Performer


async def drive(journal: Journal, performer: Performer, pause: asyncio.Event) -> RunState:
    """Drive the Run until it is settled, or until ``pause`` is set and the step under way is done.

    Cancelling the task stops at once: the effect under way has an unknown outcome, and the Run is paused.

    Raises:
        LeaseLost: another Host took the Run; nothing more was written or sent.
    """
    with kept(journal):
        try:
            await _loop(journal, performer, pause)
        except asyncio.CancelledError:
            if journal.tenure and journal.tenure.lost:
                raise journal.tenure.lost from None
            if not journal.state.settled and not journal.state.paused:  # else there is nothing to stop any more
                abandon_effects(journal)
                journal.record(e.RunPaused("stopped by the caller"))
            await journal.flush()
    return journal.state


async def _loop(journal: Journal, performer: Performer, pause: asyncio.Event) -> None:
    while not isinstance(command := decide(journal.state, journal.now()), Rest):
        if pause.is_set() and not isinstance(command, Settle):
            journal.record(e.RunPaused("paused by the caller"))
        elif isinstance(command, Wait):
            await _wait(journal, command.until, pause)
        else:
            await performer.perform(command)
    await journal.flush()


async def _wait(journal: Journal, until: int, pause: asyncio.Event) -> None:
    """Let time pass until then, or until somebody wants a pause."""
    await journal.flush()
    both = [asyncio.ensure_future(journal.sleep_until(until)), asyncio.ensure_future(pause.wait())]
    try:
        done, _waiting = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in both:
            one.cancel()
    for one in done:
        one.result()  # a clock that fails is no wait that is over


@contextmanager
def kept(journal: Journal) -> Iterator[None]:
    """Renew the lease in the background while the Run is driven."""
    driver = asyncio.current_task()
    if journal.tenure is None or driver is None:
        yield
        return
    renewing = asyncio.ensure_future(journal.tenure.keep(driver))
    try:
        yield
    finally:
        renewing.cancel()


def abandon_effects(journal: Journal) -> None:
    """Name every reserved effect that will have no receipt; the debits stand."""
    state = journal.state
    if state.turns and state.turns[-1].status == "reserved":
        journal.record(e.EffectOutcomeUnknown("model", state.turns[-1].request))
    split = {helper.call_id for helper in state.helpers}  # those are resumed
    for call_id in state.open_calls:
        if state.calls[call_id].status == "reserved" and call_id not in split:
            journal.record(e.EffectOutcomeUnknown("tool", call_id))
    for request in state.proxied.under_way if state.proxied else ():
        journal.record(e.EffectOutcomeUnknown("proxied", request))


def idle_ms(state: RunState, last_at: int, now: int) -> int:
    """How long nobody worked on a Run. An attempt under way when its process died worked at most its timeout."""
    gap = max(0, now - last_at)
    under_way = state.turns and state.turns[-1].status == "reserved"
    worked = state.budget.require(ATTEMPT_SECONDS) * 1000 if under_way else 0
    if state.proxied and state.proxied.under_way:
        worked = state.budget.require(UPSTREAM_SECONDS) * 1000
    return int(max(0, gap - worked))
