"""Owns a document's calendar: which column holds the period asked for, given what the document reports on.

Never: a fiscal year end that neither a header nor the document's own period states.
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from counterfoil.core.text.periods import MONTHS
from counterfoil.researcher.periods import Column, Period, asked, column, without_periods
from counterfoil.researcher.words import content, fold, stem

_FISCAL = re.compile(r"\bfiscal(?: year)? (20\d\d)\b")
_DRIFT_DAYS = 7
EARLY_END = 6  # a year that ends later in the calendar is named by it


class Calendar(msgspec.Struct, frozen=True):
    """What a document's period and its column dates say of its fiscal year.

    ``reports`` is the period the document itself names; ``latest`` the latest day among its columns.
    """

    reports: Period | None
    latest: tuple[int, int] | None  # (year, month)
    lag: int = 0  # 1 when the document calls the year that ends in ``latest`` by the year before

    @property
    def offset(self) -> int:
        """Calendar year of a year end minus the document's own name for that year."""
        if self.reports is None or self.latest is None:
            return 0
        months_left = 12 - 3 * self.reports.quarter if self.reports.quarter else 0
        year, month = self.latest
        end_year = year + (1 if month + months_left > 12 else 0)
        if (month + months_left - 1) % 12 + 1 > EARLY_END:
            return 0
        return max(0, min(1, end_year - self.reports.year))

    @property
    def end_month(self) -> int | None:
        """The month a fiscal year ends in, when it can be told."""
        if self.latest is None:
            return None
        if self.reports is None or not self.reports.quarter:
            return self.latest[1]
        return (self.latest[1] + 12 - 3 * self.reports.quarter - 1) % 12 + 1


def calendar(period: str, headers: list[str], texts: list[str]) -> Calendar:
    """Read a document's calendar from its period ("FY2018", "Q2 2023"), its column headers and what was read of it."""
    named = asked(period)
    days = Counter(day for c in map(column, headers) if not c.change and (day := _month_of(c)))
    often = [
        day for day, count in days.items() if count * 3 >= max(days.values())
    ]  # not the odd table of commitments to come
    latest = max(often) if often else None
    reports, lag = (named[0] if named else None), 0
    own = Counter(int(year) for text in texts for year in _FISCAL.findall(fold(text)))
    if latest is not None and latest[1] <= EARLY_END:
        lag = int(own[latest[0] - 1] > 2 * own[latest[0]])
    if reports is not None and reports.quarter and Calendar(reports, latest).offset and _calls(own, reports.year + 1):
        reports = reports.later()  # a title by its calendar year; the text calls the fiscal year by its end
    return Calendar(reports, latest, lag)


def _calls(own: Counter[int], year: int) -> bool:
    return own[year] > own[year - 1]


def _month_of(col: Column) -> tuple[int, int] | None:
    """The (year, month) that a column ends with: a year of whole weeks may end in the first days of the next month."""
    if col.year is None or col.month is None:
        return None
    if col.day is None or col.day > _DRIFT_DAYS:
        return col.year, col.month
    return (col.year, col.month - 1) if col.month > 1 else (col.year - 1, 12)


def holds(col: Column, period: Period, cal: Calendar, *, instant: bool) -> bool:
    """Say whether a column holds the value of ``period`` in a document with this calendar.

    ``instant`` is for balances, which stand at a day, whatever span the header mentions.
    """
    if col.change or col.year is None:
        return False
    if period.named and cal.lag and not cal.offset and col.month is not None:
        period = period.before(-cal.lag)
    if period.month is not None:
        if not instant and (col.span if col.span != "unknown" else "year") != (
            period.span if period.span != "unknown" else "year"
        ):
            return False
        undated = col.month is None and period.day is not None  # "2018" for "December 31, 2018", not for "March 2018"
        return col.year == period.year and (undated or col.month == period.month)
    if not instant and not _same_span(col, period):
        return False
    stands = instant or period.quarter is not None  # a quarter's header names it by the day it ends on
    return _same_year(col, period, cal) and (not stands or _same_day(col, period, cal))


def _same_span(col: Column, period: Period) -> bool:
    if period.quarter:
        return col.span == "quarter" and col.quarter in (None, period.quarter)
    if period.half:
        return period.half == 1 and col.span == "half"
    if period.span == "nine":
        return col.span == "nine"
    return col.span in ("year", "unknown") and col.quarter is None


def _same_year(col: Column, period: Period, cal: Calendar) -> bool:
    """Compare years under the document's own naming; a plain year in a header is that naming already."""
    quarterly = cal.reports is not None and cal.reports.quarter is not None
    if col.month is None or cal.reports is None:
        return col.year == period.year
    if not quarterly:
        return col.year == period.year + (cal.offset if _own_name(period, cal) else 0)
    if period.quarter:
        months_left = 12 - 3 * period.quarter
        end = (cal.end_month or 12) - months_left
        return col.year == period.year + cal.offset - (1 if end < 1 else 0)
    return col.year == period.year + cal.offset


def _own_name(period: Period, cal: Calendar) -> bool:
    """A question that uses the document's own name of its year means that year."""
    return cal.reports is not None and period.year <= cal.reports.year


def _same_day(col: Column, period: Period, cal: Calendar) -> bool:
    """A quarter, and a balance of one, ends with the quarter; a balance of a year stands at the year's end."""
    if col.month is None or cal.end_month is None or cal.reports is None:
        return True
    left = 12 - 3 * period.quarter if period.quarter else 0
    wanted = (cal.end_month - left - 1) % 12 + 1
    return min((col.month - wanted) % 12, (wanted - col.month) % 12) <= 1


_PLAIN_HEADER = frozenset(
    stem(w)
    for w in [
        "ended",
        "ending",
        "month",
        "year",
        "quarter",
        "week",
        "three",
        "six",
        "nine",
        "twelve",
        "thirteen",
        "twenty",
        "thirty",
        "fifty",
        "two",
        "3",
        "6",
        "9",
        "12",
        "13",
        "26",
        "39",
        "52",
        "53",
        "fiscal",
        "fy",
        "unaudited",
        "million",
        "thousand",
        "billion",
        "usd",
        "dollar",
        "amount",
        "total",
        "consolidated",
        "reported",
        "actual",
        *MONTHS,
        "end",
        "balance",
        "period",
        "1",
        "2",
        "4",
        "5",
        "7",
        "8",
        "10",
        "11",
        "14",
        "15",
        "16",
        "17",
        "18",
        "19",
        "20",
        "21",
        "22",
        "23",
        "24",
        "25",
        "27",
        "28",
        "29",
        "30",
        "31",
        "first",
        "second",
        "third",
        "fourth",
        "q1",
        "q2",
        "q3",
        "q4",
    ]
)


def extra_words(header: str) -> set[str]:
    """Return the words of a column header that tell more than its period: "U.S.", "effect of adoption"."""
    return {word for word in content(without_periods(header)) if word not in _PLAIN_HEADER}
