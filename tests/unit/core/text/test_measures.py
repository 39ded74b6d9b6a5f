from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.text.measures import UNITS, converted, dimension, same_unit


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        ("1", "miles", "km", "1.609344"),
        ("1", "lb", "kg", "0.45359237"),
        ("50", "°c", "°f", "122"),
        ("212", "°f", "°c", "100"),
        ("90", "minutes", "hours", "1.5"),
        ("2", "years", "months", "24"),
        ("1", "gib", "mb", "1073.741824"),
        ("100", "hectares", "km²", "1"),
    ],
)
def test_factors_are_the_exact_ones(value: str, source: str, target: str, result: str) -> None:
    found = converted(Decimal(value), source, target)
    assert found is not None and abs(found - Decimal(result)) < Decimal("1e-20")


@pytest.mark.parametrize(("source", "target"), [("km", "kg"), ("days", "months"), ("USD", "EUR"), ("goals", "km")])
def test_units_of_two_dimensions_and_money_never_convert(source: str, target: str) -> None:
    assert converted(Decimal(1), source, target) is None


def test_names_of_one_unit_are_the_same() -> None:
    assert same_unit("metres", "m") and same_unit("stores", "store") and not same_unit("m", "km")
    assert dimension("Square kilometres".casefold()) == "area" and dimension("shares") is None


@given(st.decimals(-(10**9), 10**9, places=3), st.sampled_from(sorted(UNITS)), st.sampled_from(sorted(UNITS)))
def test_there_and_back_is_where_it_began(value: Decimal, source: str, target: str) -> None:
    there = converted(value, source, target)
    if there is not None:
        back = converted(there, target, source)
        assert back is not None and abs(back - value) < Decimal("1e-12")
