from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_candidate, make_document, make_fact, make_state

from counterfoil.core.answer.contract import Field, Row
from counterfoil.core.record.state import RunState
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


def pages(second: str, fields: Sequence[Field] = (Field("price", "money"),)) -> RunState:
    state = make_state("?", ["The three-day visitor pass has a price of $18."], unseen=[second], rows=["North"])
    row = Row("North", ("citynorth.gov",))
    other = replace(state.sources["S1"], handle="S2", document=make_document("https://citynorth.gov/faq"))
    first, last = state.readings
    return replace(
        state,
        contract=replace(state.contract, rows=(row,), fields=tuple(fields)),
        sources={**state.sources, "S2": other},
        readings=(first, replace(last, handle="S2")),
    )


@pytest.mark.req("TSK-05")
def test_a_price_that_another_read_page_contradicts_is_shown_although_nobody_recorded_it() -> None:
    state = pages("The three-day visitor pass sells at $20 at kiosks.")
    (finding,) = ConflictHidden().check(make_candidate("The three-day pass costs $18 [E1]."), state)
    assert finding.code == "CONFLICT_HIDDEN" and finding.where == "North / price" and not finding.warning
    assert "$18 [E1]" in finding.needed and "missing is $20 [E2]" in finding.needed
    both = "The three-day pass costs $18 [E1]; another page says $20 [E2]."
    assert ConflictHidden().check(make_candidate(both), state) == ()
    assert ConflictHidden().check(make_candidate("The pass lasts three days [E1]."), state) == ()


def test_a_price_of_another_thing_or_outside_the_fields_hides_nothing() -> None:
    said = make_candidate("The three-day pass costs $18 [E1].")
    assert ConflictHidden().check(said, pages("The three-day student pass sells at $9 at kiosks.")) == ()
    other = pages("The three-day visitor pass sells at $20 at kiosks.", [Field("rides", "count")])
    assert ConflictHidden().check(said, other) == ()
