from __future__ import annotations

import pytest

from counterfoil.core.text.relative import find_relative, is_earlier


@pytest.mark.parametrize(
    ("text", "number", "earlier"),
    [
        ("growth of 1.9% in the same period last year", "1.9%", True),
        ("it was 264 a year earlier", "264", True),
        ("im Vorjahr waren es 0,85 Euro", "0,85", True),
        ("34,8 % (Vorjahr: 37,1 %)", "37,1", True),
        ("34,8 % (Vorjahr: 37,1 %)", "34,8 %", False),
        ("a dividend of 4.2 pence (2024: 4.6 pence)", "4.6", True),
        ("sales fell 3.4% in the half year", "3.4%", False),
        ("up 5% compared with last year", "5%", False),
    ],
)
def test_a_number_is_of_the_period_before_when_that_is_said_right_beside_it(
    text: str, number: str, earlier: bool
) -> None:
    start = text.index(number)
    assert is_earlier(text, start, start + len(number), find_relative(text)) is earlier
