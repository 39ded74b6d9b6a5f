"""The path proof: every step with what it needs, what feeds it, and what is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.law.demands import Demands
from counterfoil.core.law.path_proof import examine_path, prove_path
from counterfoil.core.law.policy import effective
from counterfoil.wiring import catalogue


@pytest.mark.req("GOV-03")
def test_the_defaults_have_a_path_with_slack() -> None:
    steps = prove_path(effective(catalogue(), {}), Demands(entry=True))
    assert steps[0].step == "entry"
    assert all(step.slack >= 0 for step in steps)


@given(st.integers(1, 80), st.integers(1, 12), st.integers(0, 6), st.integers(1, 10), st.booleans())
def test_a_proof_holds_exactly_when_every_step_has_slack(
    total: int, reserve: int, corrections: int, attempts: int, entry: bool
) -> None:
    named = {
        "run/model-requests": total,
        "run/finalization-request-reserve": reserve,
        "run/corrections": corrections,
        "model/attempts": attempts,
    }
    proof = examine_path(effective(catalogue(), named), Demands(entry=entry))
    assert proof.holds == all(step.slack >= 0 for step in proof.steps)


@given(st.floats(0.05, 20), st.floats(0.05, 20))
def test_no_step_of_a_path_that_holds_lacks_time(active: float, kept: float) -> None:
    named = {"run/active-seconds": active, "run/finalization-seconds": kept}
    try:
        proof = examine_path(effective(catalogue(), named), Demands(entry=True))
    except PolicyRefused:
        return
    assert proof.holds == all(step.slack >= 0 for step in proof.steps)


@pytest.mark.parametrize("total", [9, 10, 60, 1000])
def test_totals_that_hold_the_path_are_admitted(total: int) -> None:
    assert prove_path(effective(catalogue(), {"run/model-requests": total}), Demands(entry=True))


@pytest.mark.parametrize(("total", "reviews"), [(9, 0), (10, 1)])
def test_a_self_review_is_part_of_the_path_where_exploration_has_room_for_it(total: int, reviews: int) -> None:
    steps = prove_path(effective(catalogue(), {"run/model-requests": total}), Demands(entry=True))
    assert [step.needs for step in steps if step.step == "self-review"] == [reviews]
