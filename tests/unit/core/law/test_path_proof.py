"""The path proof: what contradicts is refused with ids, numbers and a repair."""

import pytest

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.law.path_proof import prove_path
from counterfoil.core.law.policy import Number, effective
from counterfoil.wiring import catalogue


def prove(**explicit: Number) -> None:
    named = {name.replace("__", "/").replace("_", "-"): value for name, value in explicit.items()}
    prove_path(effective(catalogue(), named), entry=True)


@pytest.mark.req("GOV-03")
def test_the_defaults_have_a_path_with_slack() -> None:
    steps = prove_path(effective(catalogue(), {}), entry=True)
    assert steps[0].step == "entry"
    assert all(step.slack >= 0 for step in steps)


@pytest.mark.req("GOV-06")
def test_a_total_that_cannot_hold_the_reserve_is_refused() -> None:
    with pytest.raises(PolicyRefused) as refused:
        prove(run__model_requests=5)
    assert refused.value.policy == "run/model-requests"
    assert "run/finalization-request-reserve" in refused.value.message
    assert "at least 9" in refused.value.hint


def test_a_reserve_without_room_for_corrections_is_refused() -> None:
    with pytest.raises(PolicyRefused) as refused:
        prove(run__finalization_request_reserve=3)
    assert refused.value.policy == "run/finalization-request-reserve"


def test_a_registry_smaller_than_the_results_is_refused_with_both_numbers() -> None:
    with pytest.raises(PolicyRefused) as refused:
        prove(web__registry_capacity=50)
    assert "120 > 50" in refused.value.message
    assert "web/searches" in refused.value.message


def test_a_handle_that_dies_before_the_window_is_refused() -> None:
    with pytest.raises(PolicyRefused) as refused:
        prove(web__window_seconds=90, web__handle_lifetime_seconds=60)
    assert "90 > 60" in refused.value.message


def test_an_attempt_longer_than_the_deadline_is_refused() -> None:
    with pytest.raises(PolicyRefused):
        prove(model__attempt_seconds=120, run__active_seconds=60)


def test_a_narrowed_deadline_takes_default_attempts_with_it() -> None:
    prove(run__active_seconds=60)


@pytest.mark.parametrize("total", [9, 10, 60, 1000])
def test_totals_that_hold_the_path_are_admitted(total: int) -> None:
    prove(run__model_requests=total)
