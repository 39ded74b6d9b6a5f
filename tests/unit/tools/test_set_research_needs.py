"""The list of needs: kept as given, and worth an event only when it changed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.core.record.folding import after, researching, turn

from counterfoil.core.exchange import ProposedCall
from counterfoil.core.record.notes import Need, NeedsSet
from counterfoil.core.record.state import RunState
from counterfoil.ports.tool import Refused, Settled
from counterfoil.tools.set_research_needs import SetResearchNeeds

BASIS = {"id": "basis", "need": "same basis?", "status": "open"}


def prepared(*items: dict[str, Any], state: RunState | None = None) -> Refused | Settled:
    call = ProposedCall("c1", "set_research_needs", {"items": list(items)})
    return SetResearchNeeds().prepare(call, state or researching(), 0)


@pytest.mark.req("RES-01")
def test_a_list_is_kept_and_the_same_one_again_leaves_no_event() -> None:
    done = prepared(BASIS)
    assert isinstance(done, Settled)
    assert done.events == (NeedsSet((Need("basis", "same basis?", "open"),), "c1"),)
    state = after(researching(), *turn(1, "set_research_needs"), *done.events)
    again = prepared(BASIS, state=state)
    assert (again.events, again.content["changed"]) == ((), False)  # type: ignore[union-attr]
    changed = prepared({**BASIS, "status": "resolved"}, state=state)
    assert len(changed.events) == 1  # type: ignore[union-attr]


@pytest.mark.req("RES-01", "GOV-09")
def test_it_costs_nothing_and_is_a_tool_of_research() -> None:
    spec = SetResearchNeeds.spec
    assert (spec.effect, spec.phases, spec.debits, spec.gathers_evidence) == ("pure", ("research",), (), False)


@pytest.mark.req("RES-01")
@pytest.mark.parametrize(
    ("items", "named"),
    [
        ([BASIS, BASIS], "one id"),
        ([{**BASIS, "id": " "}], "item 1"),
        ([BASIS, {**BASIS, "id": "b", "need": ""}], "item 2"),
        ([{**BASIS, "status": "done"}], "done"),
        ([{"id": "a", "need": "b"}], "status"),
        ([{**BASIS, "authority": True}], "authority"),
    ],
)
def test_a_list_that_says_nothing_clear_is_refused_with_the_place(items: list[dict[str, Any]], named: str) -> None:
    refused = prepared(*items)
    assert isinstance(refused, Refused)
    assert named in refused.why
