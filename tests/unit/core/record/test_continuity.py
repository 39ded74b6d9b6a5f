"""An admitted Run against a deployment: equal or narrower goes on, anything else is a difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.core.record.folding import PUBLISH, READ, SEARCH, begun

from counterfoil.core.law.policy import Number
from counterfoil.core.record.continuity import Deployment, compare
from counterfoil.wiring import catalogue

SNAPSHOT = replace(begun().snapshot, validators=("figures@1",), prompts={"research": "aa"})
SAME = Deployment(1, ("played",), catalogue(), (SEARCH, READ, PUBLISH), ("figures@1",), {"research": "aa"})


@pytest.mark.req("LED-04")
def test_the_same_deployment_goes_on_as_admitted() -> None:
    continuity = compare(SNAPSHOT, SAME)
    assert (continuity.differences, continuity.narrowed, continuity.prompts) == ((), {}, {})


@pytest.mark.req("LED-04")
@pytest.mark.parametrize(
    ("deployment", "told"),
    [
        (replace(SAME, protocol=2), "protocol: admitted 1, deployed 2"),
        (replace(SAME, models=("played", "other")), "models: admitted played, deployed played, other"),
        (replace(SAME, tools=(SEARCH, PUBLISH)), "tool read_public_source: admitted present, deployed absent"),
        (replace(SAME, tools=(replace(SEARCH, debits=()), READ, PUBLISH)), "tool search_public_sources"),
        (replace(SAME, tools=(replace(SEARCH, untrusted=True), READ, PUBLISH)), "tool search_public_sources"),
        (replace(SAME, validators=()), "publication check figures@1: admitted present, deployed absent"),
        (
            replace(SAME, catalogue={**catalogue(), "web/searches": replace(catalogue()["web/searches"], version=2)}),
            "policy web/searches: admitted version 1, deployed version 2",
        ),
    ],
)
def test_what_was_admitted_otherwise_is_named(deployment: Deployment, told: str) -> None:
    (difference,) = compare(SNAPSHOT, deployment).differences
    assert told in difference.sentence()


@pytest.mark.req("LED-04")
@given(st.integers(1, 100))
def test_a_configured_limit_narrows_or_changes_nothing(searches: int) -> None:
    continuity = compare(SNAPSHOT, replace(SAME, configured={"web/searches": searches}))
    assert continuity.differences == ()
    assert continuity.narrowed == ({"web/searches": searches} if searches < 12 else {})


@pytest.mark.parametrize(
    ("policy", "value"), [("web/searches", 13), ("run/corrections", 1), ("web/searches", None), ("run/cost-usd", 1)]
)
def test_a_limit_demanded_for_this_run_must_be_lawfully_narrower(policy: str, value: Number | None) -> None:
    demanded = replace(SAME, configured={policy: value}, demanded=frozenset({policy}))
    continuity = compare(SNAPSHOT, demanded)
    if policy == "run/cost-usd":  # none was admitted: a cap is narrower
        assert continuity.narrowed == {policy: 1}
    else:
        assert [difference.what for difference in continuity.differences] == [policy]
        assert continuity.narrowed == {}


def test_a_new_version_of_a_check_or_a_prompt_is_noted_and_goes_on() -> None:
    continuity = compare(SNAPSHOT, replace(SAME, validators=("figures@2",), prompts={"research": "bb"}))
    assert continuity.differences == ()
    assert continuity.prompts == {"research": "bb"}
