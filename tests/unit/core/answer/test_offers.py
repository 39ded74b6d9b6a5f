from __future__ import annotations

import pytest
from tests.unit.builders import make_evidence, make_fact, make_state

from counterfoil.core.answer.contract import Contract, Row
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.answer.offers import offers_of, row_of

STATE = make_state(
    "?",
    ["The North three-day pass has a price of $18.", "The South pass with 30-minute rides costs $15 per day."],
    rows=["North", "South"],
)


def offers(body: str, *facts: object) -> list[str]:
    base = Base(STATE.contract, STATE.evidence, facts)  # type: ignore[arg-type]
    return [offer.text for offer in offers_of(body, judge_figures(body, base), base)]


def test_a_span_is_what_stands_beside_the_price_else_what_its_passage_says() -> None:
    assert offers("It is $18 [E1].") == ["North: 18 USD for 3 days [E1]"]
    assert offers("It is $15 [E2].") == ["South: 15 USD for 1 day [E2]"]
    assert offers("", make_fact("18", "USD", row="North", evidence=["E1"])) == ["North: 18 USD for 3 days [E1]"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("The pass costs $45 (3 × $15) [E2].", "South: 45 USD for 3 days [E2]"),
        ("The pass costs $6 ($18 / 3) [E1].", "North: 6 USD for 1 day [E1]"),
    ],
)
def test_a_calculated_price_covers_what_it_was_calculated_for(body: str, text: str) -> None:
    assert text in offers(body)


def test_domains_say_whose_page_it_is_before_words_do() -> None:
    rows = (Row("North", ("north.gov",)), Row("South", ("south.gov",)))
    read = make_evidence("Cheaper than South.", url="https://north.gov/a", title="South and we")
    assert row_of(read, Contract("?", rows=rows), ()) == "North"
    assert row_of(read, Contract("?", rows=(Row("North"), Row("South"))), ("North", "South")) == "South"
    assert row_of(read, Contract("?"), ()) == ""
