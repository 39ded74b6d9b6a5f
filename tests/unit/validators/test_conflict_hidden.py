from __future__ import annotations

import pytest
from tests.unit.builders import make_candidate, make_fact, make_state

from counterfoil.validators.conflict_hidden import ConflictHidden

PRICE = {"row": "North", "field": "price"}
STATE = make_state(facts=[make_fact("18", "USD", **PRICE), make_fact("$19.00", id="F2", evidence=["E2"], **PRICE)])


@pytest.mark.req("TSK-05")
@pytest.mark.parametrize(
    "body", ["One page says $18 [E1], another $19 [E2].", "| a | USD 18 | 19 dollars |", "Either 18 or 19."]
)
def test_a_shown_conflict_passes(body: str) -> None:
    assert ConflictHidden().check(make_candidate(body), STATE) == ()


@pytest.mark.req("TSK-05")
@pytest.mark.parametrize(
    "body", ["It costs $18 [E1].", "It costs $19 [E2].", "[E18] [E19] $180", "€18 and $19", "Nothing."]
)
def test_a_hidden_one_is_a_finding(body: str) -> None:
    (finding,) = ConflictHidden().check(make_candidate(body), STATE)
    assert finding.code == "CONFLICT_HIDDEN" and finding.where == "North / price"
    assert "18 USD [E1]" in finding.needed and "$19.00 [E2]" in finding.needed


def test_agreeing_facts_and_text_values() -> None:
    same = make_state(facts=[make_fact("18", "USD", **PRICE), make_fact("$18.00", **PRICE)])
    assert ConflictHidden().check(make_candidate("x"), same) == ()
    words = make_state(facts=[make_fact("free", **PRICE), make_fact("members only", **PRICE)])
    assert ConflictHidden().check(make_candidate("Free, or for Members only"), words) == ()
    assert len(ConflictHidden().check(make_candidate("It is freely given"), words)) == 1
