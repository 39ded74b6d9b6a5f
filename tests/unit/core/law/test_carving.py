"""What is carved and comes back is never more than what was there."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.law import budget as ids
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.carving import carve, unused
from counterfoil.core.law.policy import Number
from counterfoil.host.admission import admitted_values
from counterfoil.wiring import catalogue

VALUES = admitted_values(catalogue(), {ids.COST_USD: 2.5}, {})
CONSUMED = (ids.SEARCHES, ids.READS)
USED = st.fixed_dictionaries(
    {
        ids.MODEL_REQUESTS: st.integers(0, 70),
        ids.TOOL_CALLS: st.integers(0, 80),
        ids.SEARCHES: st.integers(0, 12),
        ids.INPUT_TOKENS: st.integers(0, 2_100_000),
        ids.COST_USD: st.floats(0, 3, allow_nan=False),
    }
)
SHARES = st.lists(st.fractions(0, 1), min_size=2, max_size=4).filter(lambda shares: sum(shares) <= 1)


@pytest.mark.req("QC-07", "GOV-05")
@given(USED, SHARES, st.data())
def test_carve_and_return_never_give_more_than_was_there(
    used: dict[str, Number], shares: list[Fraction], data: st.DataObject
) -> None:
    before = Budget(VALUES, used)
    carves = carve(before, CONSUMED, shares)
    budget = before
    for one in carves:
        assert all(units >= 0 for units in one.values())
        budget = budget.carved(one)
    for policy in carves[0]:
        assert (budget.left(policy) or 0) >= min(0, before.left(policy) or 0) - 1e-9
    if before.used[ids.MODEL_REQUESTS] <= VALUES[ids.MODEL_REQUESTS].value - VALUES[ids.FINAL_RESERVE].value:  # type: ignore[operator]
        assert (budget.left(ids.MODEL_REQUESTS) or 0) >= (VALUES[ids.FINAL_RESERVE].value or 0)
    spent: dict[str, Number] = {}
    for one in carves:
        mine: dict[str, Number] = {policy: data.draw(st.integers(0, int(units))) for policy, units in one.items()}
        spent = {policy: spent.get(policy, 0) + units for policy, units in mine.items()}
        budget = budget.carved({policy: -units for policy, units in unused(one, mine).items()})
    for policy, units in spent.items():
        assert budget.used.get(policy, 0) == pytest.approx(before.used.get(policy, 0) + units)


@pytest.mark.req("QC-07")
def test_requests_of_a_part_are_held_to_the_policy_of_helpers() -> None:
    halves = carve(Budget(VALUES), CONSUMED, [Fraction(1, 2)] * 2)
    assert [one[ids.MODEL_REQUESTS] for one in halves] == [VALUES[ids.HELPER_REQUESTS].value] * 2
    assert [one[ids.SEARCHES] for one in halves] == [6, 6]


def test_a_limit_that_is_off_is_not_carved() -> None:
    off = admitted_values(catalogue(), {}, {})
    assert ids.COST_USD not in carve(Budget(off), CONSUMED, [Fraction(1, 2)] * 2)[0]


def test_what_a_provider_charged_beyond_the_carve_is_debited_too() -> None:
    assert unused({ids.INPUT_TOKENS: 100}, {ids.INPUT_TOKENS: 130}) == {ids.INPUT_TOKENS: -30}
