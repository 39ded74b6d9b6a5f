"""What is carved for a helper is its parent's debit until it comes back."""

from __future__ import annotations

import pytest
from tests.unit.core.record.folding import researching

from counterfoil.core.answer.contract import Contract
from counterfoil.core.law.budget import MODEL_REQUESTS, SEARCHES
from counterfoil.core.record.evolve import evolve
from counterfoil.core.record.helpers import BudgetCarved, BudgetReturned, HelperAdmitted, HelperSettled


@pytest.mark.req("QC-07", "LED-02")
def test_a_carve_is_debited_and_what_was_not_used_returns() -> None:
    state = researching()
    own = state.budget.used.get(MODEL_REQUESTS, 0)
    state = evolve(state, HelperAdmitted("c1", 1, "run/1", Contract("part"), {}), 1)
    state = evolve(state, BudgetCarved("c1", "run/1", {MODEL_REQUESTS: 8, SEARCHES: 3}), 1)
    assert (state.budget.used[MODEL_REQUESTS] - own, state.budget.requests["helpers"]) == (8, 8)
    state = evolve(state, HelperSettled("c1", "run/1", "completed", "finish_accepted", "h"), 2)
    state = evolve(state, BudgetReturned("c1", "run/1", {MODEL_REQUESTS: 5, SEARCHES: 1}), 2)
    assert (state.budget.used[MODEL_REQUESTS] - own, state.budget.used[SEARCHES]) == (3, 2)
    assert (state.helpers[0].status, state.helpers[0].carve[SEARCHES]) == ("completed", 3)
