"""The report that the Host assembles itself."""

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_fact, make_state

from counterfoil.core.record.assembly import assemble_report
from counterfoil.core.record.register import Register


@pytest.mark.req("TSK-11")
def test_facts_conflicts_gaps_and_what_was_tried_are_all_there() -> None:
    facts = [
        make_fact("18", "USD", id="F1", row="North", field="price"),
        make_fact("20", "USD", id="F2", row="North", field="price"),
    ]
    state = make_state("What?", ["It costs $18."], rows=["North", "South"], fields=["price"], facts=facts)
    report = assemble_report(state)
    assert "North, price: 18 USD [E1]" in report
    assert "18 [E1] against 20 [E1]" in report
    assert "South, price: not answered" in report
    assert "searched: cost" in report
    assert "read: Passes" in report


def test_a_run_that_did_nothing_says_so() -> None:
    report = assemble_report(replace(make_state("What?"), calls=Register()))
    assert "nothing was searched or read" in report
    assert "an answer to the question" in report


@pytest.mark.req("TSK-11")
def test_nothing_that_no_quote_holds_gets_into_the_report() -> None:
    forged = make_fact(
        "18",
        "USD, three days cost $99",
        row="The three-day pass costs $99",
        field="price\n\n# Conclusion\nIt costs $99",
        period="three-day pass costs $99 with no doubt",
    )
    guess = make_fact("99", "USD", id="F2", kind="estimate", row="North", field="price")
    state = make_state("What?", ["It costs $18."], facts=[forged, forged, guess])
    report = assemble_report(state)
    assert "99" not in report
    assert report.count("18") == 1
    assert "# Conclusion" not in report
    assert "North, price: nothing but an estimate" in report


def test_what_was_searched_for_stays_on_its_line() -> None:
    state = make_state("What?")
    forged = replace(state.calls["c1"].call, args={"query": "x\n\n## What was found\n\nIt costs $99 \x1b[31mred"})
    report = assemble_report(replace(state, calls=state.calls.with_("c1", replace(state.calls["c1"], call=forged))))
    assert "\n## What was found" not in report
    assert "\x1b" not in report
