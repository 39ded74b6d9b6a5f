from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_document, make_fact, make_state

from counterfoil.core.answer.comparison import check_comparisons
from counterfoil.core.answer.contract import Row
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.evidence.sources import Evidence

STATE = make_state(
    "Which is cheaper for three days?",
    ["The City North three-day pass costs $18.", "City South charges $15 a day.", "A is 40 km long, B 20 km."],
    rows=["City North", "City South"],
    period="3 days",
)
NORTH = make_fact("18", "USD", row="City North", field="price", evidence=["E1"], period="3 days")
SOUTH = make_fact("15", "USD/day", id="F2", row="City South", field="price", evidence=["E2"])


def check(body: str, *facts: Fact) -> tuple[Finding, ...]:
    base = Base(STATE.contract, STATE.evidence, facts)
    return check_comparisons(body, judge_figures(body, base), base)


@pytest.mark.req("TSK-08", "TSK-12")
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


@pytest.mark.req("TSK-08", "TSK-12")
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


PAGES = make_state(
    "Which pass is cheaper for a three-day visitor?",
    ["The three-day visitor pass has a price of $18.", "The visitor day pass costs $15 per day."],
    rows=[Row("City North", ("citynorth.gov",)), Row("City South", ("citysouth.example",))],
    period="3 days",
)
HOSTS = {"E1": "https://citynorth.gov/passes", "E2": "https://citysouth.example/pricing"}
BARE = (
    make_fact("18", "USD", row="City North", field="price", evidence=["E1"]),
    make_fact("15", "USD", id="F2", row="City South", field="price", evidence=["E2"]),
)


def page(number: str) -> Evidence | None:
    read = PAGES.evidence(number)
    if read is None:
        return None
    return replace(read, source=replace(read.source, document=make_document(HOSTS[number], title="Passes")))


def on_pages(body: str, *facts: Fact) -> tuple[Finding, ...]:
    base = Base(PAGES.contract, page, facts)
    return check_comparisons(body, judge_figures(body, base), base)


@pytest.mark.req("TSK-08")
@pytest.mark.parametrize(
    "body",
    [
        "City South is cheaper: $15 a day [E2] against $18 for three days [E1].",
        "City South is cheaper at $15 [E2] than City North at $18 [E1].",
        "City South is cheaper than City North: $15 a day [E2] against $18 for three days [E1].",
        "City South offers the better deal: its pass is $15 [E2], the City North pass $18 [E1].",
        "City South is cheaper [E2]. City North costs $18 [E1]; City South costs $15 per day [E2].",
        "Compared with City North at $18 [E1], City South is cheaper at $15 [E2].",
        "City North is dearer: $18 [E1] against $15 [E2].",
        "City North charges $18 [E1]. City South charges $15 [E2], so choose City South to save money.",
    ],
)
def test_a_price_belongs_to_the_row_of_its_evidence(body: str) -> None:
    (finding,) = on_pages(body, *BARE)
    assert finding.code == "UNLIKE_RANKED" and "3 × 15 = 45" in finding.needed


@pytest.mark.req("TSK-08")
@pytest.mark.parametrize(
    "body",
    [
        "For three days City North is cheaper: $18 [E1] against $45 (3 × $15 per day) in City South [E2].",
        "For three days City North is cheaper than City South: $18 [E1] against $45 (3 × $15 per day) [E2].",
        "Per day, City North's pass works out at $6 ($18 / 3 days) [E1], cheaper than City South's $15 per day [E2].",
        "Per day, City North ($18 / 3 days) [E1] is cheaper than City South's $15 per day [E2].",
        "City South's day pass looks cheaper at $15 [E2] but it covers one day; City North's $18 covers three [E1].",
        "We cannot say which is cheaper: $15 buys one day in City South [E2] and $18 three days in City North [E1].",
        "City North is cheaper.",
    ],
)
def test_a_ranking_that_is_true_for_one_span_passes(body: str) -> None:
    assert on_pages(body, *BARE) == ()
    assert on_pages(body) == ()


def test_a_ranking_that_is_false_for_one_span_is_a_finding() -> None:
    body = "For three days City South is cheaper: $45 (3 × $15 per day) [E2] against $18 in City North [E1]."
    (finding,) = on_pages(body, *BARE)
    assert finding.code == "FIGURE_MISMATCH" and "City South: 45 USD for 3 days" in finding.needed
    (finding,) = on_pages(
        "Per day, City South ($15 per day) [E2] is cheaper than City North's $18 for three days [E1]."
    )
    assert finding.code == "UNLIKE_RANKED"


PAIRS = make_state(
    "?",
    [
        "The museum had 96,350 visitors in 2023 and 101,900 visitors in 2022.",
        "The Brio costs €11.00 and the Alpha costs €14.50.",
        "Wine sales were $3.2 million in Spain and $4.1 million in Italy.",
        "The chain has 57 stores in 12 cities.",
    ],
)


@pytest.mark.parametrize(
    ("body", "true"),
    [
        ("The museum had 96,350 visitors in 2023, more than the 101,900 of 2022 [E1].", False),
        ("The museum had 96,350 visitors in 2023, fewer than the 101,900 of 2022 [E1].", True),
        ("The Brio is dearer than the Alpha, €11.00 against €14.50 [E2].", False),
        ("The Alpha is dearer than the Brio, €14.50 against €11.00 [E2].", True),
        ("Spain outsold Italy, $3.2 million to $4.1 million [E3].", False),
        ("Italy outsold Spain, $4.1 million to $3.2 million [E3].", True),
        (
            "In 12 cities the chain has more than 57 stores [E4].",
            True,
        ),  # a bound
    ],
)
def test_two_figures_set_against_each_other_are_in_the_said_order(body: str, true: bool) -> None:
    base = Base(PAIRS.contract, PAIRS.evidence)
    figures = judge_figures(body, base)
    codes = {f.code for f in check_comparisons(body, figures, base)}
    codes |= {"FIGURE_MISMATCH" for f in figures if f.state == "mismatch"}
    assert codes == (set() if true else {"FIGURE_MISMATCH"})
