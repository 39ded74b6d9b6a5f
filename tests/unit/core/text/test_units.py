from __future__ import annotations

import pytest

from counterfoil.core.text.units import (
    currency_after,
    currency_before,
    measure_after,
    percent_after,
    unit_named,
    unit_of,
    units_agree,
)


def test_currencies_stand_on_either_side() -> None:
    assert currency_before("cost US$ 5", 9) == ("USD", 5)
    assert currency_before("RMB 5", 4) == ("CNY", 0)
    assert currency_before("ABUSD5", 5) is None
    assert currency_after("5 €", 1) == ("EUR", 3)
    assert currency_after("5 US dollars", 1) == ("USD", 12)
    assert currency_after("5 eurozone", 1) is None


def test_percent_and_points_differ() -> None:
    assert percent_after("5 percentage points", 1) == ("points", 19)
    assert percent_after("5 %", 1) == ("percent", 3)
    assert percent_after("5 percentiles", 1) is None


def test_measures_are_whole_words() -> None:
    assert measure_after("5 kg", 1) == ("kg", 4, False)
    assert measure_after("5 kgb", 1) is None


@pytest.mark.parametrize(
    ("phrase", "unit"),
    [
        ("USD billions", "USD"),
        ("US$ in millions", "USD"),
        ("%", "percent"),
        ("percentage points", "points"),
        ("Mio. €", "EUR"),
        ("百万円", "JPY"),
        ("kg", "kg"),
        ("furlongs", None),
        ("", None),
    ],
)
def test_phrases_name_a_unit(phrase: str, unit: str | None) -> None:
    assert unit_of(phrase) == unit


def test_unknown_units_agree_and_currencies_do_not_mix() -> None:
    assert units_agree(None, "USD") and units_agree("¥", "CNY") and units_agree("¥", "JPY")
    assert not units_agree("USD", "EUR") and not units_agree("¥", "USD")


@pytest.mark.parametrize(
    ("heading", "unit"),
    [
        ("price (EUR)", "EUR"), ("Price per month (GBP)", "GBP"), ("Fee (US$ per page)", "USD"), ("Cost (€)", "EUR"),
        ("Thallus diameter (mm)", "mm"), ("Mass [kg]", "kg"), ("Temperature (°C)", "°c"), ("Share (%)", "percent"),
        ("Length in mm", "mm"), ("price_eur", "EUR"), ("Price EUR", "EUR"), ("Length, mm", "mm"),
        ("Revenue (m)", None), ("Item(s)", None), ("Profit (loss)", None), ("Plan (CAD drawings)", None),
        ("Best in class", None), ("Sites in Europe", None), ("Group, a", None), ("", None),
    ],
)  # fmt: skip
def test_a_heading_names_the_unit_of_its_numbers_only_where_it_says_so(heading: str, unit: str | None) -> None:
    assert unit_named(heading) == unit
