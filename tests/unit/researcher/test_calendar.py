from __future__ import annotations

import pytest

from counterfoil.researcher.calendar import calendar, extra_words, holds
from counterfoil.researcher.periods import Period, column


@pytest.mark.parametrize(
    ("header", "period", "instant", "expected"),
    [
        ("Years ended December 31 2018", Period(2018), False, True),
        ("Years ended December 31 2017", Period(2018), False, False),
        ("Three Months Ended July 2, 2023", Period(2023, 2), False, True),
        ("Three Months Ended July 2, 2023", Period(2023), False, False),
        ("Six Months Ended July 2, 2023", Period(2023, 2), False, False),
        ("Six Months Ended July 2, 2023", Period(2023, half=1), False, True),
        ("Six Months Ended December 31, 2023", Period(2023, half=2), False, False),
        ("Nine Months Ended September 30, 2023", Period(2023, span="nine"), False, True),
        ("Nine Months Ended September 30, 2023", Period(2023), False, False),
        ("% Change 2018", Period(2018), False, False),
        ("December 31, 2018", Period(2018), True, True),
        ("2018", Period(2018, month=12, day=31), True, True),
        ("2018", Period(2018, month=3), False, False),  # a year's column is no month's
    ],
)
def test_a_column_holds_a_period_only_by_year_and_span(
    header: str, period: Period, instant: bool, expected: bool
) -> None:
    assert holds(column(header), period, calendar("", [], []), instant=instant) is expected


@pytest.mark.parametrize(
    ("period", "header", "asked_for"),
    [
        ("FY2023", "January 28, 2023", Period(2023, fiscal=True)),  # named by the year it ends in
        ("FY2022", "January 28, 2023", Period(2022, fiscal=True)),  # named by the year most of it lies in
        ("Q2 2024", "Three Months Ended July 29, 2023", Period(2024, 2, fiscal=True)),
    ],
)
def test_a_fiscal_year_is_what_the_document_calls_it(period: str, header: str, asked_for: Period) -> None:
    cal = calendar(period, [header], [])
    assert holds(column(header), asked_for, cal, instant=False)
    assert not holds(column(header), asked_for.before(), cal, instant=False)


def test_fiscal_in_words_follows_the_documents_own_text() -> None:
    header = "52 Weeks Ended January 28, 2023"
    cal = calendar("", [header], ["For the full year of fiscal 2022, net sales rose. In fiscal 2022 we opened shops."])
    assert holds(column(header), Period(2022, fiscal=True, named=True), cal, instant=False)
    assert holds(column(header), Period(2023, fiscal=True), cal, instant=False)


def test_a_header_tells_more_than_its_period() -> None:
    assert extra_words("Year ended December 31, 2022") == set()
    assert extra_words("Year ended December 31, 2022 Domestic") == {"domestic"}


def test_another_quarter_of_the_same_fiscal_year_is_not_taken() -> None:
    header = "Three Months Ended July 29, 2023"
    cal = calendar("Q2 2024", [header], [])
    assert holds(column(header), Period(2024, 2, fiscal=True), cal, instant=False)
    assert not holds(column(header), Period(2024, 1, fiscal=True), cal, instant=False)


def test_a_year_of_whole_weeks_may_end_in_the_next_month() -> None:
    header = "Six Months Ended July 2, 2023"
    cal = calendar("Q2 2023", [header], [])
    assert cal.offset == 0
    assert holds(column(header), Period(2023, half=1), cal, instant=False)


def test_a_title_by_the_calendar_year_gives_way_to_the_texts_own_fiscal_year() -> None:
    header = "Three Months Ended October 31, 2022"
    cal = calendar("Q3 2022", [header], ["Results of the third quarter of fiscal 2023."])
    assert holds(column(header), Period(2023, 3, fiscal=True), cal, instant=False)
    assert not holds(column(header), Period(2022, 3, fiscal=True), cal, instant=False)
