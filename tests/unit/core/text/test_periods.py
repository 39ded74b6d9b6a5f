from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.text.periods import find_periods, full_year, stated_span, years_between, years_named


@pytest.mark.parametrize(
    ("text", "kind", "year", "part", "end_date"),
    [
        ("FY2018", "fiscal_year", 2018, None, None),
        ("FY 22", "fiscal_year", 2022, None, None),
        ("FY'23", "fiscal_year", 2023, None, None),
        ("fiscal 2022", "fiscal_year", 2022, None, None),
        ("fiscal year ended January 28, 2023", "fiscal_year", 2023, None, "2023-01-28"),
        ("Q2 2023", "quarter", 2023, 2, None),
        ("Q2'2023", "quarter", 2023, 2, None),
        ("Q2 FY23", "quarter", 2023, 2, None),
        ("Q22023", "quarter", 2023, 2, None),
        ("2Q23", "quarter", 2023, 2, None),
        ("2023 Q4", "quarter", 2023, 4, None),
        ("second quarter of fiscal 2024", "quarter", 2024, 2, None),
        ("2. Quartal 2023", "quarter", 2023, 2, None),
        ("zweites Quartal 2023", "quarter", 2023, 2, None),
        ("2023年第3季度", "quarter", 2023, 3, None),
        ("quarter ended June 30, 2023", "quarter", 2023, None, "2023-06-30"),
        ("H1 2023", "half", 2023, 1, None),
        ("1H23", "half", 2023, 1, None),
        ("first half of 2023", "half", 2023, 1, None),
        ("2. Halbjahr 2023", "half", 2023, 2, None),
        ("three months ended June 30, 2023", "months", 2023, 3, "2023-06-30"),
        ("13 weeks ended April 1, 2023", "months", 2023, 3, "2023-04-01"),
        ("Twelve Months Ended", "months", None, 12, None),
        ("Years ended December 31", "months", None, 12, "--12-31"),
        ("2023-03-04", "date", 2023, None, "2023-03-04"),
        ("March 3, 2023", "date", 2023, None, "2023-03-03"),
        ("Mar. 3, 2023", "date", 2023, None, "2023-03-03"),
        ("3 March 2023", "date", 2023, None, "2023-03-03"),
        ("3rd of March 2023", "date", 2023, None, "2023-03-03"),
        ("March 2023", "date", 2023, None, "2023-03"),
        ("3. März 2023", "date", 2023, None, "2023-03-03"),
        ("03.04.2023", "date", 2023, None, "2023-04-03"),
        ("13/04/2023", "date", 2023, None, "2023-04-13"),
        ("03/04/2023", "date", 2023, None, None),
        ("Geschäftsjahr 2022", "fiscal_year", 2022, None, None),
        ("Geschäftsjahr 2022/23", "fiscal_year", 2023, None, None),
        ("2023年3月", "date", 2023, None, "2023-03"),
        ("2023年3月15日", "date", 2023, None, "2023-03-15"),
        ("2022年度", "fiscal_year", 2022, None, None),
        ("2023年3月期", "fiscal_year", 2023, None, "2023-03"),
        ("2023年", "year", 2023, None, None),
        ("2023", "year", 2023, None, None),
    ],
)
def test_one_period(text: str, kind: str, year: int | None, part: int | None, end_date: str | None) -> None:
    (period,) = find_periods(text)
    assert (period.text, period.kind, period.year, period.end_date) == (text, kind, year, end_date)
    got = {"quarter": period.quarter, "half": period.half, "months": period.months}.get(kind)
    assert got == part


@pytest.mark.parametrize(
    "text",
    [
        "$2,023",
        "2023.5",
        "12023",
        "A2023",
        "you may go",
        "#2023",
        "February 30, 2023",
        "fiscal year 52 weeks",
        "fiscal 12%",
    ],
)
def test_what_is_no_period_is_not_guessed(text: str) -> None:
    assert [p.text for p in find_periods(text) if p.text != "2023"] == []
    assert text.startswith("February") or find_periods(text) == ()


def test_an_amount_beside_a_quarter_is_no_year() -> None:
    (period,) = find_periods("Q2 15% growth")
    assert (period.text, period.year, period.quarter) == ("Q2", None, 2)


def test_ranges_expand() -> None:
    first, last = find_periods("FY2020 - FY2022")
    assert years_between(first, last) == (2020, 2021, 2022)
    assert years_between(last, first) == ()
    assert years_named("from 2018 to 2020, and 2023") == (2018, 2019, 2020, 2023)
    assert years_named("2018 and 2020") == (2018, 2020)


def test_two_digits_belong_to_the_nearer_century() -> None:
    assert (full_year("69"), full_year("70"), full_year("2018")) == (2069, 1970, 2018)


@given(st.dates())
def test_iso_dates_read_back(day: object) -> None:
    text = f"on {day}"
    found = find_periods(text)
    year = int(str(day)[:4])
    assert (found[0].end_date if found else None) == (str(day) if 1900 <= year < 2100 else None)


@given(st.text("FYQ1234 -/'.fiscalyearquarter of 2023年月March,ended", max_size=60))
def test_spans_are_verbatim_ordered_and_apart(text: str) -> None:
    end = 0
    for period in find_periods(text):
        assert text[period.start : period.end] == period.text
        assert end <= period.start < period.end
        end = period.end


def test_a_season_is_the_year_in_which_it_ends() -> None:
    assert [(p.text, p.year) for p in find_periods("in 2024/25 and 2018-19")] == [("2024/25", 2025), ("2018-19", 2019)]
    assert [p.year for p in find_periods("from 2010-20 to 2011-12")] == [2010, 2011]


def test_a_stated_span_has_both_its_ends() -> None:
    span = stated_span("It rose by 8% between 2023 and 2024.")
    assert span is not None and [p.year for p in span] == [2023, 2024]
    assert stated_span("It was 8% in 2023 and 2024.") is None
