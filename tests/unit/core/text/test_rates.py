from __future__ import annotations

import pytest

from counterfoil.core.text.rates import rate_behind, rate_in, rates_differ


@pytest.mark.parametrize(
    ("behind", "rate"),
    [
        (" per month", "month"), ("/kWh", "kwh"), (" a day", "day"), (" pro kWh", "kwh"),
        (" passengers an hour", "hour"),
        (" litres per minute", "minute"), (" per page", None), (" a month's rent", "month"), (" and 3 per day", None),
        (" per million requests", "1000000"), (" pro 1,000", "1000"),
        (" a man", None), ("", None), (" in a year", None),
    ],
)  # fmt: skip
def test_what_a_number_is_counted_per_stands_right_behind_it(behind: str, rate: str | None) -> None:
    assert rate_behind(f"It is 850{behind}", 9) == rate


def test_a_header_may_name_the_rate_and_unknown_rates_differ_from_none() -> None:
    assert rate_in("Price per month (GBP)") == "month"
    assert rates_differ("month", "year")
    assert not rates_differ("month", "months")
    assert not rates_differ("month", None)


def test_an_adjective_of_a_price_says_what_it_is_per() -> None:
    assert rate_in("Monthly price") == "month" and rate_in("Yearly fee (USD)") == "year"
    assert rate_in("Monthly visitors") is None
