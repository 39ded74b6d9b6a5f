"""What contradicts is refused with both ids, the numbers and a repair."""

import pytest

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.law.demands import Demands
from counterfoil.core.law.path_proof import examine_path, prove_path
from counterfoil.core.law.policy import Number, effective
from counterfoil.wiring import catalogue


def prove(**explicit: Number) -> None:
    named = {name.replace("__", "/").replace("_", "-"): value for name, value in explicit.items()}
    prove_path(effective(catalogue(), named), Demands(entry=True))


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
        ({"context__input_bytes": 10_000}, ("context/input-bytes", "reader/segment-chars")),
        ({"run__tool_calls": 1}, ("run/tool-calls", "web/searches")),
        ({"run__finalization_seconds": 900}, ("run/active-seconds", "run/finalization-seconds")),
        ({"run__expires_seconds": 60, "run__active_seconds": 90}, ("run/expires-seconds", "run/active-seconds")),
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
    unknown = examine_path(values, Demands(entry=True, view_usd=None))
    assert not unknown.holds
    assert [found.sentence() for found in unknown.contradictions] == [
        "run/cost-usd caps money, and the price of the model is unknown"  # and no figures that compare nothing
    ]


def test_all_contradictions_are_listed_at_once() -> None:
    values = effective(catalogue(), {"run/model-requests": 5, "web/registry-capacity": 50})
    proof = examine_path(values, Demands(entry=True))
    assert [contradiction.policies[0] for contradiction in proof.contradictions] == [
        "run/model-requests",
        "web/registry-capacity",
    ]


@pytest.mark.req("GOV-03")
@pytest.mark.parametrize(
    ("explicit", "ids"),
    [
        ({"quality/self-reviews": 1, "run/model-requests": 9}, ("quality/self-reviews", "run/model-requests")),
        ({"helpers/model-requests": 40}, ("run/model-requests", "helpers/model-requests")),
        ({"helpers/parts-min": 4, "helpers/parts-max": 2}, ("helpers/parts-max", "helpers/parts-min")),
    ],
)
def test_what_is_carved_from_exploration_must_fit_it(explicit: dict[str, Number], ids: tuple[str, str]) -> None:
    (found,) = examine_path(effective(catalogue(), explicit), Demands(entry=True)).contradictions
    assert found.policies == ids
    assert found.needs > found.holds


@pytest.mark.req("GOV-03")
@pytest.mark.parametrize(
    ("explicit", "policy"),
    [
        ({"run/input-tokens": 30_000}, "run/input-tokens"),
        ({"run/finalization-input-tokens": 20_000}, "run/finalization-input-tokens"),
        ({"run/output-tokens": 2_000}, "run/finalization-output-tokens"),
        ({"run/cost-usd": 0.1}, "run/finalization-cost-usd"),
        ({"run/cost-usd": 1, "run/finalization-cost-usd": 1}, "run/cost-usd"),
    ],
)
def test_tokens_and_money_must_pay_for_the_path(explicit: dict[str, Number], policy: str) -> None:
    demands = Demands(entry=False, view_tokens=13_334, reply_tokens=512, view_usd=0.05)
    found = examine_path(effective(catalogue(), explicit), demands).contradictions
    assert policy in [contradiction.policies[0] for contradiction in found]


@pytest.mark.req("GOV-13")
@pytest.mark.parametrize("action", ["search", "read", "publish", "Publish"])
def test_a_task_that_forbids_a_step_of_the_path_is_refused(action: str) -> None:
    (found,) = examine_path(effective(catalogue(), {}), Demands(False, forbidden=("purchase", action))).contradictions
    assert found.policies[0] == "task/forbidden"


def test_a_long_question_takes_its_room_from_the_view() -> None:
    values = effective(catalogue(), {"context/input-bytes": 60_000})
    assert examine_path(values, Demands(entry=True, contract_bytes=10_000)).holds
    assert not examine_path(values, Demands(entry=True, contract_bytes=200_000)).holds
