"""Owns the folds of notes: needs, the plan, reminders, apps asked for, and which calls keep failing.

Never: a change to phase, budget, evidence, publications or an ending.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from counterfoil.core.law.streaks import EXEMPT, NO_STREAK, SAME_CALL_FAILED, call_key
from counterfoil.core.record import notes as n
from counterfoil.core.record.state import RunState

OWN_LIMITS = frozenset({"", "local_budget_exhausted"})  # a limit of the Run is no fault of the call; "" is not known


def _needs_set(state: RunState, event: n.NeedsSet, _at: int) -> RunState:
    rewrites = state.needs_rewrites + 1 if state.needs else 0  # the first list is none
    return replace(state, needs=event.items, needs_rewrites=rewrites)


def _plan_recorded(state: RunState, event: n.PlanRecorded, _at: int) -> RunState:
    return replace(state, plan=event.plan)


def _reminder_given(state: RunState, event: n.ReminderGiven, _at: int) -> RunState:
    return replace(state, reminders=(*state.reminders, n.Reminder(event.kind, len(state.turns))))


def _connector_requested(state: RunState, event: n.ConnectorRequested, _at: int) -> RunState:
    return replace(state, connectors=(*state.connectors, event))


def after_failure(state: RunState, call_id: str) -> RunState:
    """The state once the call, which is still open, has failed once more."""
    call = state.calls[call_id]
    if call.call.tool in EXEMPT:
        return state
    key = call_key(call.call)
    streak = state.streaks.get(key, NO_STREAK).failed(performed=call.status == "reserved")
    return replace(state, streaks=state.streaks.with_(key, streak))


def after_refusal(state: RunState, call_id: str, code: str, category: str) -> RunState:
    """The state once the call was refused: for what it asks, not for a limit of the Run, that is a failure of it."""
    return state if category in OWN_LIMITS or code == SAME_CALL_FAILED else after_failure(state, call_id)


def after_success(state: RunState, call_id: str) -> RunState:
    """The state once the call has succeeded: whatever failed of it before is over."""
    call = state.calls[call_id].call
    if not state.streaks or (key := call_key(call)) not in state.streaks:
        return state
    return replace(state, streaks=state.streaks.with_(key, NO_STREAK))


# Any: each fold takes its own event type; mypy cannot tie a dict's keys to its values.
NOTE_FOLDS: dict[type, Callable[[RunState, Any, int], RunState]] = {
    n.NeedsSet: _needs_set,
    n.PlanRecorded: _plan_recorded,
    n.ReminderGiven: _reminder_given,
    n.ConnectorRequested: _connector_requested,
}
