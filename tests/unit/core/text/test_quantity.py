from __future__ import annotations

from decimal import Decimal

import pytest

from counterfoil.core.text.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "step"),
    [("1.6 billion", "100000000"), ("$1577.00", "1"), ("30.0%", "0.1"), ("$8.50", "0.01"), ("5,400", "1")],
)
def test_a_step_is_one_of_the_last_digit_and_no_cents_are_format(text: str, step: str) -> None:
    assert find_quantities(text)[0].step == Decimal(step)
