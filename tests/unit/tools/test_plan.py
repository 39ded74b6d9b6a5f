"""The plan: kept as given, and worth an event only when it changed."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from tests.unit.core.record.folding import after, researching, turn

from counterfoil.core.exchange import ProposedCall
from counterfoil.core.record.notes import PlanRecorded, WorkKind, WorkPlan
from counterfoil.core.record.state import RunState
from counterfoil.ports.tool import Refused, Settled
from counterfoil.tools.plan import MakePlan

PLAN = {"kind": "data", "success_criteria": ["recomputed twice"], "deliverables": ["table"]}


def prepared(args: dict[str, Any], state: RunState | None = None) -> Refused | Settled:
    return MakePlan().prepare(ProposedCall("c1", "plan", args), state or researching(), 0)


@pytest.mark.req("QC-03")
@pytest.mark.parametrize("kind", get_args(WorkKind))
def test_a_plan_of_each_kind_is_kept(kind: str) -> None:
    done = prepared({**PLAN, "kind": kind})
    assert isinstance(done, Settled)
    assert done.events == (PlanRecorded(WorkPlan(kind, ("recomputed twice",), ("table",)), "c1"),)  # type: ignore[arg-type]
    state = after(researching(), *turn(1, "plan"), *done.events)
    assert prepared({**PLAN, "kind": kind}, state) == Settled({"criteria": 1, "changed": False})


@pytest.mark.req("QC-03")
@pytest.mark.parametrize(
    ("args", "named"),
    [
        ({**PLAN, "kind": "magic"}, "magic"),
        ({**PLAN, "success_criteria": [" "]}, "success_criteria"),
        ({"kind": "data"}, "success_criteria"),
        ({**PLAN, "budget": 1000}, "budget"),
    ],
)
def test_a_plan_that_says_nothing_clear_is_refused(args: dict[str, Any], named: str) -> None:
    refused = prepared(args)
    assert isinstance(refused, Refused)
    assert named in refused.why


@pytest.mark.req("QC-03")
def test_it_costs_nothing_and_is_a_tool_of_research() -> None:
    spec = MakePlan.spec
    assert (spec.effect, spec.phases, spec.debits, spec.gathers_evidence) == ("pure", ("research",), (), False)
