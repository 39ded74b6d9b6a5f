"""A fault planted by a limit is named first, with the events that show it."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import FOUND, LOCAL, MARS, gap, played, publish, search

pytestmark = pytest.mark.req("TRC-02")


def test_a_local_refusal_is_the_budget_and_no_provider_fault() -> None:
    found = played([FOUND, LOCAL])
    assert found.verdict is not None
    assert (found.verdict.stage, found.verdict.code) == ("budget", "LOCAL_REFUSAL")
    assert "provider" not in {cause.stage for cause in found.causes}


def test_searches_spent_with_cells_open_is_the_budget() -> None:
    replies = [search("zebra"), search("lion"), publish("Nothing.", gaps=[gap("City North")])]
    found = played(replies, operator={"web/searches": 1, "reader/reads": 1}, pages=MARS)
    assert "budget" in {cause.stage for cause in found.causes}
