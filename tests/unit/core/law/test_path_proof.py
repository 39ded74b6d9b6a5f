"""The path proof: what contradicts is refused with ids, numbers and a repair."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.law.path_proof import Demands, examine_path, prove_path
from counterfoil.core.law.policy import Number, effective
from counterfoil.wiring import catalogue


def prove(**explicit: Number) -> None:
    named = {name.replace("__", "/").replace("_", "-"): value for name, value in explicit.items()}
    prove_path(effective(catalogue(), named), Demands(entry=True))


@pytest.mark.req("GOV-03")
def test_the_defaults_have_a_path_with_slack() -> None:
    steps = prove_path(effective(catalogue(), {}), Demands(entry=True))
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


@pytest.mark.parametrize(
    ("explicit", "ids"),
    [
        ({"context__input_bytes": 20_000}, ("context/input-bytes", "reader/segment-chars")),
        ({"run__tool_calls": 1}, ("run/tool-calls", "web/searches")),
        ({"run__finalization_seconds": 900}, ("run/active-seconds", "run/finalization-seconds")),
        ({"run__expires_seconds": 60}, ("run/expires-seconds", "run/active-seconds")),
        (
            {"run__output_tokens": 100, "run__request_output_tokens": 200},
            ("run/output-tokens", "run/request-output-tokens"),
        ),
    ],
)
def test_every_other_contradiction_names_both_policies(explicit: dict[str, Number], ids: tuple[str, str]) -> None:
    with pytest.raises(PolicyRefused) as refused:
        prove(**explicit)
    assert ids[0] == refused.value.policy
    assert ids[1] in refused.value.message


@pytest.mark.req("GOV-03")
def test_a_money_cap_needs_a_known_price() -> None:
    values = effective(catalogue(), {"run/cost-usd": 5})
    assert examine_path(values, Demands(entry=True)).holds
    assert not examine_path(values, Demands(entry=True, view_usd=None)).holds


def test_all_contradictions_are_listed_at_once() -> None:
    values = effective(catalogue(), {"run/model-requests": 5, "web/registry-capacity": 50})
    proof = examine_path(values, Demands(entry=True))
    assert [contradiction.policies[0] for contradiction in proof.contradictions] == [
        "run/model-requests",
        "web/registry-capacity",
    ]


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


@pytest.mark.parametrize("total", [9, 10, 60, 1000])
def test_totals_that_hold_the_path_are_admitted(total: int) -> None:
    prove(run__model_requests=total)
