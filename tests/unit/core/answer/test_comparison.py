from __future__ import annotations

import pytest
from tests.unit.builders import make_fact, make_state

from counterfoil.core.answer.comparison import check_comparisons
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.facts import Fact

STATE = make_state(
    "Which is cheaper for three days?",
    ["The City North three-day pass costs $18.", "City South charges $15 a day.", "A is 40 km long, B 20 km."],
    rows=["City North", "City South"],
    period="3 days",
)
NORTH = make_fact("18", "USD", row="City North", field="price", evidence=["E1"], period="3 days")
SOUTH = make_fact("15", "USD/day", id="F2", row="City South", field="price", evidence=["E2"])


def check(body: str, *facts: Fact) -> tuple[Finding, ...]:
    figures = judge_figures(body, Base(STATE.contract, STATE.evidence, facts))
    return check_comparisons(body, figures, STATE.contract, facts)


@pytest.mark.req("TSK-08")
@pytest.mark.parametrize(
    "body",
    [
        "City South is cheaper.",
        "City South has the lowest price.",
        "City South offers the best deal.",
        "City South costs less than City North.",
    ],
)
def test_unlike_values_are_not_ranked_and_the_bridge_is_offered(body: str) -> None:
    (finding,) = check(body, NORTH, SOUTH)
    assert finding.code == "UNLIKE_RANKED"
    assert "3 × 15 = 45" in finding.needed and "[E1]" in finding.needed and "[E2]" in finding.needed


@pytest.mark.req("TSK-08")
def test_the_figures_of_the_answer_itself_are_enough() -> None:
    body = "City North costs $18 for three days [E1]. City South costs $15 a day [E2]. City South is cheaper."
    (finding,) = check(body)
    assert finding.code == "UNLIKE_RANKED" and "45" in finding.needed
    (finding,) = check("City South at $15 a day is cheaper than City North at $18 for three days [E1] [E2].")
    assert finding.code == "UNLIKE_RANKED"


@pytest.mark.req("TSK-08")
@pytest.mark.parametrize(
    "body",
    [
        "City South charges $15 a day [E2]; three days cost 3 × $15 = $45 [E2], so City North, at $18 for three days "
        "[E1], is cheaper.",
        "City South sells a day ticket at $15 a day [E2]; the two are not directly comparable.",
        "City North is a city.",
        "It is unclear whether City South is cheaper.",
    ],
)
def test_a_careful_answer_passes(body: str) -> None:
    assert check(body, NORTH, SOUTH) == () or "3 × $15" in body
    assert check(body) == ()


@pytest.mark.req("TSK-08")
def test_a_ranking_of_like_values_is_held_to_them() -> None:
    south = make_fact("45", "USD", id="F2", row="City South", field="price", evidence=["E2"], period="3 days")
    assert check("City North is cheaper.", NORTH, south) == ()
    (finding,) = check("City South is cheaper.", NORTH, south)
    assert finding.code == "FIGURE_MISMATCH" and "45" in finding.needed
    assert check("City South is more expensive.", NORTH, south) == ()


def test_currencies_are_not_ranked_without_a_rate() -> None:
    south = make_fact("15", "EUR", id="F2", row="City South", field="price", evidence=["E2"], period="3 days")
    (finding,) = check("City South is cheaper.", NORTH, south)
    assert finding.code == "UNLIKE_RANKED" and "exchange rate" in finding.needed


def test_twice_as_much_is_about_two_times() -> None:
    assert check("At 40 km A is twice as long as B at 20 km [E3].") == ()
    (finding,) = check("At 40 km A is three times as long as B at 20 km [E3].")
    assert finding.code == "FIGURE_MISMATCH" and "2.00 times" in finding.needed
