from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_fact

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.answer.conflicts import cell_states, conflicts, covers
from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.evidence.facts import Fact

CONTRACT = Contract("?", rows=(Row("North"), Row("South")), fields=(Field("price", "money"), Field("source", "url")))


def on(value: str | None, unit: str | None = None, **fields: str) -> Fact:
    return make_fact(value, unit, **{"row": "North", "field": "price", **fields})


@pytest.mark.req("TSK-05")
@pytest.mark.parametrize(
    ("first", "second", "clash"),
    [
        (on("18", "USD"), on("$18.00"), False),
        (on("18", "USD"), on("19", "USD"), True),
        (on("1,577", "USD millions"), on("1.6", "USD billions"), False),
        (on("18", "USD"), on("18", "EUR"), True),
        (on("Free", None), on("free", None), False),
        (on("free", None), on("not free", None), True),
        (on("18", "USD", period="2022"), on("19", "USD", period="2023"), False),
        (on("18", "USD", period="FY2022"), on("19", "USD", period="FY 2022"), True),
        (on("18", "USD", conditions="adult"), on("9", "USD", conditions="child"), False),
        (on("18", "USD", period="2022"), on("19", "USD"), True),
        (on("18", "USD"), on("19", "USD", kind="estimate"), False),
        (on("18", "USD"), on("19", "USD", row="South"), False),
    ],
)
def test_facts_disagree_after_normalisation(first: Fact, second: Fact, clash: bool) -> None:
    assert bool(conflicts(CONTRACT, [first, second])) is clash


def test_a_conflict_groups_equal_values() -> None:
    (conflict,) = conflicts(CONTRACT, [on("18", "USD"), on("19", "USD", id="F2"), on("$18.00", id="F3")])
    assert [[f.id for f in group] for group in conflict.groups] == [["F1", "F3"], ["F2"]]


def test_facts_without_a_field_are_no_cell() -> None:
    assert conflicts(Contract("?"), [make_fact("1"), make_fact("2")]) == ()


def test_cells_have_states() -> None:
    facts = [on("18", "USD"), on("19", "USD"), on("7", row="South", field="extra")]
    states = {(v.row, v.field): v.state for v in cell_states(CONTRACT, facts, [Gap("south", "", "unresolved")])}
    assert states == {("North", "price"): "conflict", ("South", "price"): "unresolved", ("South", "extra"): "found"}
    assert [v.state for v in cell_states(CONTRACT, [])] == ["open", "open"]
    assert cell_states(CONTRACT, [on(None, kind="not_found")])[0].state == "not_found"
    assert cell_states(CONTRACT, [on("1", period="2022"), on("2", period="2023")])[0].state == "found"


def test_a_gap_without_row_or_field_speaks_of_all() -> None:
    assert covers(Gap(), "a", "b") and covers(Gap("A"), "a", "b") and not covers(Gap("", "c"), "a", "b")


@pytest.mark.req("TSK-10")
def test_a_bare_estimate_fills_no_cell() -> None:
    guess = replace(on("99", "USD", kind="estimate"), evidence=(), formula="guess")
    assert cell_states(CONTRACT, [guess])[0].state == "open"
    assert cell_states(CONTRACT, [replace(guess, evidence=("E1",))])[0].state == "found"
