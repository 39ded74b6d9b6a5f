"""Budgets: debits, shortages, the reserve."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.law import budget as ids
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.policy import effective
from counterfoil.wiring import catalogue

BUDGET = Budget(effective(catalogue(), {}))


@pytest.mark.req("GOV-06")
def test_exploration_is_the_total_less_the_reserve() -> None:
    budget = BUDGET
    for _ in range(54):
        assert budget.exploration_shortage() is None
        budget = budget.debit_request("research")
    shortage = budget.exploration_shortage()
    assert shortage is not None
    assert (shortage.limit, shortage.used) == (54, 54)


@pytest.mark.req("GOV-06")
def test_every_purpose_debits_one_total() -> None:
    budget = BUDGET.debit_request("entry").debit_request("research").debit_request("research")
    assert budget.used[ids.MODEL_REQUESTS] == 3
    assert budget.requests == {"entry": 1, "research": 2}


@given(st.lists(st.integers(1, 5), max_size=30))
def test_lawful_debits_never_overdraw(asked: list[int]) -> None:
    budget = BUDGET
    for units in asked:
        if budget.shortage({ids.SEARCHES: units}) is None:
            budget = budget.debit({ids.SEARCHES: units})
    assert 0 <= budget.used.get(ids.SEARCHES, 0) <= 12


def test_a_shortage_names_policy_limit_used_and_asked() -> None:
    shortage = BUDGET.debit({ids.READS: 40}).shortage({ids.READS: 1})
    assert shortage is not None
    assert shortage.sentence() == "reader/reads allows 40, 40 used, 1 more asked for"
    assert shortage.code == "READS_EXHAUSTED"
