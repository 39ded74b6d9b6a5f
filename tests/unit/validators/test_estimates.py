from __future__ import annotations

import pytest
from tests.unit.builders import make_candidate, make_fact, make_state

from counterfoil.validators.estimates import Estimates

STATE = make_state(passages=["A day costs $15."], facts=[make_fact("45", "USD", kind="estimate")])


@pytest.mark.req("TSK-04")
@pytest.mark.parametrize("body", ["Three days cost $45 [F1].", "Three days cost $45 [E1].", "| a | $45 [F1] |"])
def test_an_estimate_that_is_not_called_one_is_rejected(body: str) -> None:
    assert [f.code for f in Estimates().check(make_candidate(body), STATE)] == ["ESTIMATE_UNLABELLED"]


@pytest.mark.parametrize(
    "body",
    ["Three days cost an estimated $45 [F1].", "Drei Tage kosten geschätzt $45 [F1].", "A day costs $15 [E1].",
     "| a | estimate |\n|---|---|\n| b | $45 [F1] |"],
)  # fmt: skip
def test_labelled_estimates_and_other_values_pass(body: str) -> None:
    assert Estimates().check(make_candidate(body), STATE) == ()


def test_a_value_that_the_evidence_states_is_no_estimate() -> None:
    state = make_state(passages=["Three days cost $45."], facts=[make_fact("45", "USD", kind="estimate")])
    assert Estimates().check(make_candidate("Three days cost $45 [E1]."), state) == ()
