from __future__ import annotations

import pytest
from tests.unit.builders import make_evidence

from counterfoil.core.answer.rivals import rivals, statements
from counterfoil.core.text.quantities import find_quantities

OWN = make_evidence("The three-day visitor pass has a price of $18.", url="https://north.gov/passes")
(AMOUNT,) = find_quantities("$18")


def found(text: str, url: str = "https://north.gov/faq", **fields: str) -> list[str]:
    other = make_evidence(text, url=url, **fields)
    return [statement.amount.text for statement in rivals(AMOUNT, OWN, statements(other))]


@pytest.mark.req("TSK-05")
@pytest.mark.parametrize(
    "text",
    [
        "The three-day visitor pass sells at $20 at kiosks.",
        "Rides are free. The three-day visitor pass costs $20.",
    ],
)
def test_another_price_of_the_same_thing_is_a_rival(text: str) -> None:
    assert found(text) == ["$20"]


@pytest.mark.req("TSK-05")
@pytest.mark.parametrize(
    "text",
    [
        "The three-day visitor pass costs $18.00 at kiosks.",  # the same amount
        "The three-day student pass costs $9.",
        "The one-day visitor pass costs $8.",
        "The three-day visitor pass with museum entry costs $30.",
        "The three-day visitor pass costs $12 for children.",
        "The three-day visitor pass costs $6 per day.",
        "The three-day visitor pass costs $15 to $20.",
        "The three-day visitor pass is $20 including tax.",
        "The three-day visitor pass cost $16 in 2022.",
        "The three-day visitor pass was $16.",
        "The three-day visitor pass costs $16 at weekends.",
        "The three-day visitor pass deposit is $5.",
        "The three-day visitor pass is not $20.",
        "The three-day visitor pass costs €20.",
        "The pass costs $20.",
    ],
)
def test_another_thing_time_or_buyer_is_none(text: str) -> None:
    assert found(text) == []


def test_the_same_page_and_a_page_of_another_date_are_none() -> None:
    text = "The three-day visitor pass costs $20."
    assert found(text, "https://north.gov/passes") == []
    assert found(text, published="2021-01-01") == []
