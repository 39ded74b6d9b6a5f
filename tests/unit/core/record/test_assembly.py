"""The report that the Host assembles itself."""

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_fact, make_state

from counterfoil.core.record.assembly import assemble_report


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
    report = assemble_report(replace(make_state("What?"), calls={}))
    assert "nothing was searched or read" in report
    assert "an answer to the question" in report
