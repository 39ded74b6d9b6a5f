"""Owns the folds of helpers: who they are, what was carved out for them, and what came back.

Never: a change to phase, evidence, publications or an ending.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from counterfoil.core.record import helpers as h
from counterfoil.core.record.state import RunState


def _admitted(state: RunState, event: h.HelperAdmitted, _at: int) -> RunState:
    number = len(state.helpers) + 1
    helper = h.Helper(event.helper, number, event.part, event.call_id, event.contract, event.limits)
    return replace(state, helpers=(*state.helpers, helper))


def _carved(state: RunState, event: h.BudgetCarved, _at: int) -> RunState:
    state = _with(state, event.helper, carve=event.carve)
    return replace(state, budget=state.budget.carved(event.carve))


def _settled(state: RunState, event: h.HelperSettled, _at: int) -> RunState:
    return _with(state, event.helper, status=event.status)


def _returned(state: RunState, event: h.BudgetReturned, _at: int) -> RunState:
    back = {policy: -units for policy, units in event.returned.items()}
    return replace(state, budget=state.budget.carved(back))


def _with(state: RunState, helper: str, **changes: Any) -> RunState:
    return replace(state, helpers=tuple(replace(one, **changes) if one.id == helper else one for one in state.helpers))


# Any: each fold takes its own event type; mypy cannot tie a dict's keys to its values.
HELPER_FOLDS: dict[type, Callable[[RunState, Any, int], RunState]] = {
    h.HelperAdmitted: _admitted,
    h.BudgetCarved: _carved,
    h.HelperSettled: _settled,
    h.BudgetReturned: _returned,
}
