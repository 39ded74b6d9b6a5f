"""Owns how the events of forwarded requests fold: debits, receipts, and the time in which none is under way.

Never: another event than those of ``proxied``; ``evolve`` folds the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Number
from counterfoil.core.record import proxied as p
from counterfoil.core.record.state import RunState


def proxied_of(state: RunState) -> p.Proxied:
    """What is forwarded in a Run that was admitted for that.

    Raises:
        ValueError: it was not.
    """
    if state.proxied is None:
        raise ValueError(f"Run {state.run_id} forwards nothing")
    return state.proxied


def end_call(state: RunState, request: str, at: int, *, stands: bool) -> RunState:
    """The state once ``request`` is no longer under way. ``stands``: nobody knows what it spent."""
    proxied = proxied_of(state)
    worst = proxied.under_way[request]
    under_way = {name: held for name, held in proxied.under_way.items() if name != request}
    standing = _added(proxied.standing, worst) if stands else proxied.standing
    return replace(
        state,
        proxied=replace(
            proxied,
            under_way=under_way,
            idle_since=at,
            unknown=proxied.unknown + stands,
            standing=standing,
        ),
    )


def _reserved(state: RunState, event: p.ProxyCallReserved, at: int) -> RunState:
    proxied = proxied_of(state)
    idle = 0 if proxied.under_way else max(0, at - proxied.idle_since)  # waiting for a client is no work
    return replace(
        state,
        paused_ms=state.paused_ms + idle,
        budget=state.budget.debit_request(p.PROXIED, event.worst),
        proxied=replace(
            proxied,
            forwarded=proxied.forwarded + 1,
            under_way={**proxied.under_way, event.request: event.worst},
        ),
    )


def _settled(state: RunState, event: p.ProxyCallSettled, at: int) -> RunState:
    known = None if event.usd is None or state.cost_usd is None else state.cost_usd + event.usd
    budget, usage = state.budget, event.usage
    if usage is not None:
        spent = {ids.INPUT_TOKENS: usage.input, ids.OUTPUT_TOKENS: usage.output, ids.COST_USD: event.usd or 0}
        budget = budget.settle_request(proxied_of(state).under_way[event.request], spent)
    ended = end_call(state, event.request, at, stands=usage is None)
    return replace(ended, budget=budget, cost_usd=known)


def _failed(state: RunState, event: p.ProxyCallFailed, at: int) -> RunState:
    budget = state.budget
    if event.released:
        budget = budget.settle_request(proxied_of(state).under_way[event.request], {})
    return replace(end_call(state, event.request, at, stands=not event.released), budget=budget)


def _refused(state: RunState, _event: p.ProxyCallRefused, _at: int) -> RunState:
    proxied = proxied_of(state)
    return replace(state, proxied=replace(proxied, refused=proxied.refused + 1))


def _added(held: Mapping[str, Number], more: Mapping[str, Number]) -> dict[str, Number]:
    return {policy: held.get(policy, 0) + more.get(policy, 0) for policy in {**held, **more}}


# Any: each fold takes its own event type; mypy cannot tie a dict's keys to its values.
FOLDS: dict[type, Callable[[RunState, Any, int], RunState]] = {
    p.ProxyCallReserved: _reserved,
    p.ProxyCallSettled: _settled,
    p.ProxyCallFailed: _failed,
    p.ProxyCallRefused: _refused,
}
