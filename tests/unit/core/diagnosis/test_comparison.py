"""Two Runs side by side."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import account, fact, publish, read, search

from counterfoil.core.diagnosis.comparison import compare_runs

pytestmark = pytest.mark.req("TRC-05")

FOUND = search("three-day pass City North")
GOOD = [FOUND, read(), fact("City North", "18", "costs $18", "E2"), publish("It costs $18 [E2].")]


def test_a_run_is_like_itself() -> None:
    state = account(GOOD).state
    lines = compare_runs(state, state)
    assert lines and all(line.same for line in lines)


def test_what_differs_stands_beside_each_other() -> None:
    first, second = account(GOOD).state, account([FOUND], operator={"web/searches": 5}).state
    lines = {(line.part, line.name): line for line in compare_runs(first, second) if not line.same}
    assert (lines["admission", "web/searches"].first, lines["admission", "web/searches"].second) == ("12", "5")
    assert lines["cell", "City North / price"].second == "open"
    assert lines["step", "2"].second is None
    assert lines["outcome", "status"].first == "completed"
    assert ("step", "1") not in lines
