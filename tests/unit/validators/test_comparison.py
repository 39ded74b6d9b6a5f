from __future__ import annotations

import pytest
from tests.unit.builders import make_candidate, make_fact, make_state

from counterfoil.validators.comparison import Comparison

STATE = make_state(
    "Which pass is cheaper for a three-day visitor?",
    ["The City North three-day pass costs $18.", "City South charges $15 a day."],
    rows=["City North", "City South"],
    fields=["price"],
    facts=[
        make_fact("18", "USD", row="City North", field="price", evidence=["E1"], period="3 days"),
        make_fact("15", "USD", id="F2", row="City South", field="price", evidence=["E2"], conditions="per day"),
    ],
)


@pytest.mark.req("TSK-08", "TSK-12")
def test_a_day_price_is_not_ranked_against_a_price_for_three_days() -> None:
    (finding,) = Comparison().check(make_candidate("City South is cheaper."), STATE)
    assert finding.code == "UNLIKE_RANKED" and "= 45 USD for 3 days" in finding.needed and not finding.warning


def test_an_answer_that_ranks_nothing_passes() -> None:
    body = "City North sells a three-day pass [E1], City South a day ticket [E2]; the two are not alike."
    assert Comparison().check(make_candidate(body), STATE) == ()
