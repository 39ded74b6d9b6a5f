"""A metered Run by its events, without a Host."""

from __future__ import annotations

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.law.policy import Number, effective
from counterfoil.core.record import events as e
from counterfoil.core.record.evolve import begin, evolve
from counterfoil.core.record.proxied import PROXIED, Proxied
from counterfoil.core.record.snapshot import Admitted
from counterfoil.core.record.state import RunState
from counterfoil.host.metered_runs import metered_values
from counterfoil.wiring import catalogue

AT = 1_000_000


def metered_run(**budget: Number | None) -> RunState:
    """A Run admitted at ``AT``; ``run__model_requests`` is ``run/model-requests``."""
    named = {name.replace("__", "/").replace("_", "-"): value for name, value in budget.items()}
    values = metered_values(catalogue(), named) if named else tuple(effective(catalogue(), {}).values())
    anchor = TimeAnchor("2025-03-31", "unknown")
    snapshot = Admitted(1, Contract("q"), anchor, values, PROXIED, "x", {}, (), (), {}, False)
    return begin("r1", e.RunAdmitted(snapshot), AT)


def after(state: RunState, *events: e.Event, at: int = AT) -> RunState:
    for event in events:
        state = evolve(state, event, at)
    return state


def proxied(state: RunState) -> Proxied:
    assert state.proxied is not None
    return state.proxied
