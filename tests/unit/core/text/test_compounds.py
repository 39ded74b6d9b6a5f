from __future__ import annotations

from decimal import Decimal

import pytest

from counterfoil.core.text.compounds import joined
from counterfoil.core.text.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It takes 2 hours 45 minutes.", [("2 hours 45 minutes", 165)]),
        ("19 h 42 min", [("19 h 42 min", 1182)]),
        ("5 ft and 11 inches tall", [("5 ft and 11 inches", 71)]),
        ("2 years 3 months", [("2 years 3 months", 27)]),
        ("3億5000万円", [("3億5000万円", 350_000_000)]),
        ("45 minutes 2 hours later", [("45 minutes", 45), ("2 hours", 2)]),  # the smaller unit comes second
        ("2 hours 90 minutes", [("2 hours", 2), ("90 minutes", 90)]),  # more than an hour is no rest of one
        ("12 months, 30 days", [("12 months", 12), ("30 days", 30)]),  # a month has no fixed number of days
        ("1.5 hours 20 minutes", [("1.5 hours", Decimal("1.5")), ("20 minutes", 20)]),
    ],
)
def test_only_what_is_one_amount_is_joined(text: str, expected: list[tuple[str, Decimal]]) -> None:
    assert [(q.text, q.value) for q in find_quantities(text)] == expected


def test_nothing_is_joined_of_nothing() -> None:
    assert joined("", []) == []
