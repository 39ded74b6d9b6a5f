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
        budget = budget.debit_request("research", {})
    shortage = budget.exploration_shortage()
    assert shortage is not None
    assert (shortage.limit, shortage.used) == (54, 54)


@pytest.mark.req("GOV-06")
def test_every_purpose_debits_one_total() -> None:
    budget = BUDGET.debit_request("entry", {}).debit_request("research", {}).debit_request("research", {})
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


@pytest.mark.req("LED-02", "GOV-12")
def test_what_a_request_spent_takes_the_place_of_its_worst_case() -> None:
    worst = {ids.INPUT_TOKENS: 1000, ids.OUTPUT_TOKENS: 500}
    reserved = BUDGET.debit_request("research", worst)
    assert (reserved.used[ids.INPUT_TOKENS], reserved.used[ids.OUTPUT_TOKENS]) == (1000, 500)
    settled = reserved.settle_request(worst, {ids.INPUT_TOKENS: 700, ids.OUTPUT_TOKENS: 20})
    assert (settled.used[ids.INPUT_TOKENS], settled.used[ids.OUTPUT_TOKENS]) == (700, 20)


@pytest.mark.req("GOV-08")
def test_research_leaves_the_tokens_that_are_kept_for_finalization() -> None:
    budget = Budget(effective(catalogue(), {ids.OUTPUT_TOKENS: 1000})).debit({ids.OUTPUT_TOKENS: 800})
    shortage = budget.exploration_shortage()
    assert shortage is not None
    assert (shortage.policy, shortage.limit) == (ids.OUTPUT_TOKENS, 800)
    assert budget.spending_shortage(finalizing=True) is None
    assert budget.left_to_spend(ids.OUTPUT_TOKENS, finalizing=True) == 200
