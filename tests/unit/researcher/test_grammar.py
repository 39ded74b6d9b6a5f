from __future__ import annotations

from decimal import Decimal

import pytest

from counterfoil.researcher.grammar import fixed, grouped, number, operand_text


@pytest.mark.parametrize(
    ("written", "value"),
    [("(1,577)", "-1577"), ("$ 8.7", "8.7"), ("45%", "45"), ("—", None), ("n/a", None), ("", None)],
)
def test_what_is_no_number_by_grammar_is_none(written: str, value: str | None) -> None:
    assert number(written) == (Decimal(value) if value else None)


def test_numbers_are_written_with_groups_and_the_decimals_asked_for() -> None:
    assert grouped(Decimal("5466.310")) == "5,466.31"
    assert grouped(Decimal("2000")) == "2,000"
    assert fixed(Decimal("3"), 2) == "3.00"


def test_an_operand_stays_as_written_where_that_can_be_read_back() -> None:
    assert operand_text("1,577", Decimal(1577)) == "1,577"
    assert operand_text("(64)", Decimal(-64)) == "-64"
