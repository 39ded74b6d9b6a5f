from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.builders import make_document, make_state, row_passage

from counterfoil.core.answer.contract import Field, Row
from counterfoil.core.answer.fact_check import FactContext, FactRefusal, check_fact
from counterfoil.core.evidence.facts import CalculationInput, Fact, FactDraft
from counterfoil.core.record.state import RunState

PASSAGES = (
    "A three-day pass costs $18. It includes 30 minutes per ride and is not refundable.",
    row_passage("Purchases of property", [("(1,577)", "2018"), ("(1,373)", "2017")], multiplier="1000000", unit="USD"),
    row_passage("Net income (loss)", [("(206)", "2018"), ("4,858", "2017")], multiplier="1000000", unit="USD"),
    row_passage("Employees", [("93,516", "2018")]),
    "Opened on 3 March 2023 in Berlin; Umsatz 1.234,5 Mio. EUR. Sold in Rome, Oslo and Bern.",
)


def check(state: RunState | None = None, **fields: Any) -> Fact | FactRefusal:
    state = state or make_state(passages=PASSAGES, unseen=["The pass costs $20."])
    context = FactContext(state.contract, state.evidence, state.shown, [c.call.id for c in state.searches()])
    return check_fact(FactDraft(**fields), "F1", context)


@pytest.mark.req("TSK-03")
@pytest.mark.parametrize(
    "fields",
    [
        {"value": "$18", "quote": "A three-day pass costs $18.", "evidence_id": "E1"},
        {"value": "18.00", "unit": "USD", "quote": "pass  costs\n$18", "evidence_id": "E1"},
        {"value": "30 minutes", "quote": "includes 30 minutes per ride", "evidence_id": "E1"},
        {"value": "Not refundable", "quote": "is not refundable", "evidence_id": "E1"},
        {"value": "1.577", "unit": "USD billions", "evidence_id": "E2", "header": "2018"},
        {"value": "1,577", "unit": "USD millions", "evidence_id": "E2"},
        {"value": "1.6", "unit": "USD billions", "evidence_id": "E2"},
        {"value": "-206", "unit": "USD millions", "evidence_id": "E3"},
        {"value": "(206)", "evidence_id": "E3"},
        {"value": "206", "unit": "USD millions", "evidence_id": "E3"},  # the label says "loss"
        {"value": "93,516", "unit": "employees", "evidence_id": "E4"},
        {"value": "March 2023", "quote": "Opened on 3 March 2023", "evidence_id": "E5"},
        {"value": "2023-03-03", "quote": "Opened on 3 March 2023", "evidence_id": "E5"},
        {"value": "1234.5", "unit": "EUR millions", "quote": "Umsatz 1.234,5 Mio. EUR", "evidence_id": "E5"},
    ],
)
def test_facts_that_stand_are_recorded(fields: dict[str, Any]) -> None:
    fact = check(**fields)
    assert isinstance(fact, Fact), fact
    assert fact.id == "F1" and fact.evidence == (fields["evidence_id"],) and fact.quote


@pytest.mark.req("TSK-03")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"value": "$19", "quote": "A three-day pass costs $18.", "evidence_id": "E1"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "$18", "quote": "A three-day pass costs eighteen.", "evidence_id": "E1"}, "QUOTE_NOT_FOUND"),
        ({"value": "$18", "quote": "It includes 30 minutes per ride", "evidence_id": "E1"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "$18", "evidence_id": "E1"}, "QUOTE_NOT_FOUND"),
        ({"value": "$18", "quote": "costs $18", "evidence_id": "E77"}, "EVIDENCE_UNKNOWN"),
        ({"value": "$18", "quote": "costs $18"}, "EVIDENCE_UNKNOWN"),
        ({"value": "$20", "quote": "costs $20", "evidence_id": "E6"}, "EVIDENCE_NOT_SHOWN"),
        ({"value": "refundable fee", "quote": "is not refundable", "evidence_id": "E1"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "€18", "quote": "costs $18", "evidence_id": "E1"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "1,577", "unit": "USD", "evidence_id": "E2"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "1,577", "unit": "USD billions", "evidence_id": "E2"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "1.58", "unit": "USD billions", "evidence_id": "E2", "header": "2017"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "1,577", "unit": "USD millions", "evidence_id": "E2", "header": "2019"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "-4,858", "unit": "USD millions", "evidence_id": "E2"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "April 2023", "quote": "Opened on 3 March 2023", "evidence_id": "E5"}, "VALUE_NOT_IN_QUOTE"),
        ({"value": "", "quote": "costs $18", "evidence_id": "E1"}, "VALUE_MISSING"),
        ({"value": "36", "quote": "costs $18", "evidence_id": "E1", "formula": "a * 2"}, "CALCULATION_AS_STATED"),
        ({"value": "36", "kind": "calculation"}, "CALCULATION_UNBOUND"),
        ({"value": "36", "kind": "estimate"}, "ESTIMATE_UNLABELLED"),
        ({"kind": "not_found"}, "SEARCHES_MISSING"),
        ({"kind": "not_found", "search_calls": ("c2",)}, "SEARCHES_MISSING"),  # c2 was a read
    ],
)
def test_facts_that_do_not_stand_are_refused(fields: dict[str, Any], code: str) -> None:
    refusal = check(**fields)
    assert isinstance(refusal, FactRefusal), refusal
    assert refusal.code == code and refusal.why


def test_an_income_without_its_brackets_is_not_recorded() -> None:
    state = make_state(passages=[row_passage("Net income", [("(206)", "2018")], multiplier="1000000", unit="USD")])
    refusal = check(state, value="206", unit="USD millions", evidence_id="E1")
    assert isinstance(refusal, FactRefusal) and "other sign" in refusal.why


def test_a_missing_unit_comes_from_the_cell() -> None:
    fact = check(value="(1,577)", evidence_id="E2")
    assert isinstance(fact, Fact) and fact.unit == "USD millions"


def test_the_quote_is_the_passages_wording_and_bounded() -> None:
    fact = check(value="$18", quote="A  three-day pass\ncosts $18", evidence_id="E1")
    assert isinstance(fact, Fact) and fact.quote == "A three-day pass costs $18"
    long = make_state(passages=["It costs $18. " + "word " * 100])
    refusal = check(long, value="$18", quote="It costs $18. " + "word " * 90, evidence_id="E1")
    assert isinstance(refusal, FactRefusal) and "400" in refusal.why


def test_cells_are_those_of_the_contract() -> None:
    state = make_state(passages=PASSAGES, rows=["City North", "City South"], fields=["price", Field("rides", "list")])
    quote = {"value": "$18", "quote": "pass costs $18", "evidence_id": "E1"}
    fact = check(state, row="city north", field="PRICE", **quote)
    assert isinstance(fact, Fact) and (fact.row, fact.field) == ("City North", "price")
    unknown_row, unknown_field = (
        check(state, row="City East", field="price", **quote),
        check(state, row="City North", **quote),
    )
    assert isinstance(unknown_row, FactRefusal) and unknown_row.code == "ROW_UNKNOWN"
    assert isinstance(unknown_field, FactRefusal) and unknown_field.code == "FIELD_UNKNOWN"
    listed = check(
        state,
        row="City North",
        field="rides",
        value="Rome, Bern",
        quote="Sold in Rome, Oslo and Bern",
        evidence_id="E5",
    )
    assert isinstance(listed, Fact)
    single = make_state(passages=PASSAGES, rows=["City North"], fields=["price"])
    assert isinstance(check(single, **quote), Fact)


def test_the_fields_scale_applies_to_bare_values() -> None:
    state = make_state(passages=PASSAGES, fields=[Field("capex", "money", "USD", "millions")])
    fact = check(state, field="capex", value="1577", unit="USD", evidence_id="E2")
    assert isinstance(fact, Fact) and fact.unit == "USD millions"


def test_domains_bind_rows() -> None:
    rows = [Row("North", ("citynorth.gov",)), Row("South", ("citysouth.example",)), Row("File", (), ("passes.pdf",))]
    quote = {"value": "$18", "quote": "pass costs $18", "evidence_id": "E1"}
    state = make_state(passages=PASSAGES, rows=rows)
    assert isinstance(check(state, row="North", **quote), Fact)
    for row in ("South", "File"):
        refusal = check(state, row=row, **quote)
        assert isinstance(refusal, FactRefusal) and refusal.code == "OFF_DOMAIN"
    local = make_state(passages=PASSAGES, rows=rows, document=make_document("file:///x/passes.pdf"))
    assert isinstance(check(local, row="File", **quote), Fact)
    assert isinstance(check(local, row="North", **quote), FactRefusal)


@pytest.mark.req("TSK-04")
def test_calculations_and_estimates() -> None:
    inputs = (
        CalculationInput("a", "E2", "(1,577)", "2018", "1000000"),
        CalculationInput("b", "E2", "(1,373)", "2017", "1000000"),
    )
    draft: dict[str, Any] = {"kind": "calculation", "formula": "(a - b) / b * 100", "inputs": inputs, "unit": "percent"}
    fact = check(value="14.9", **draft)
    assert isinstance(fact, Fact) and fact.evidence == ("E2",) and fact.kind == "calculation"
    wrong = check(value="15.9", **draft)
    assert isinstance(wrong, FactRefusal) and "14.86" in wrong.why
    assert isinstance(check(kind="estimate", value="40", conditions="if prices double"), Fact)


@pytest.mark.req("TSK-06")
def test_not_found_names_its_searches() -> None:
    fact = check(kind="not_found", search_calls=("c1",), value="n/a")
    assert isinstance(fact, Fact) and fact.value is None and fact.search_calls == ("c1",)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_only_the_number_that_is_written_is_accepted(stated: int, claimed: int) -> None:
    state = make_state(passages=[f"The pass costs ${stated:,}."])
    result = check(state, value=str(claimed), unit="USD", quote=f"costs ${stated:,}", evidence_id="E1")
    assert isinstance(result, Fact) == (stated == claimed)


def test_a_fact_bound_to_a_result_that_is_none_is_refused() -> None:
    refused = check(value="18", result_ref="R1")
    assert isinstance(refused, FactRefusal)
    assert refused.code == "RESULT_UNKNOWN"
