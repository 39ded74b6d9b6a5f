"""Owns periods as the researcher compares them: the ones a question asks for and the time a table column covers.

The grammar of dates and periods is the core's (``core.text.periods``); this only arranges what it finds.
Never: a document's own fiscal calendar by guess; a year end is what a header states.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from counterfoil.core.text.periods import Period as Written
from counterfoil.core.text.periods import find_periods, full_year, years_named
from counterfoil.researcher.words import fold

Span = Literal["year", "quarter", "half", "nine", "unknown"]
_SPAN_OF: dict[int | None, Span] = {3: "quarter", 6: "half", 9: "nine", 12: "year"}
_LENGTHS: dict[str, int] = {"three": 3, "3": 3, "six": 6, "6": 6, "nine": 9, "9": 9}
# A length and a year without the day they end on: the core reads "ended" only, and a bare length is no period there.
_FIRST_MONTHS = re.compile(
    r"\b(?:the )?(?:first )?(three|six|nine|3|6|9) months (?:of|in) (?:the )?"
    r"((?:fy|fiscal(?: year)?)\s?)?((?:19|20)\d\d)\b"
)
# The core takes "18 days" in "FY18 days ..." for a length; behind "FY" four digits are a year all the same.
_BEFORE_LENGTH = re.compile(r"\b(fy|fiscal(?: year)?)\s?'?((?:19|20)\d\d)(?=\s+(?:days?|weeks?|months?)\b)")
# Headers are fragments: "Three Months", "Quarter" and "Full Year" often stand in a line of their own, away from their
# date, where the core's grammar (rightly, in prose) sees no period. Only the length is taken from such words.
_SPANS: tuple[tuple[str, Span], ...] = (
    (r"three[- ]months?|(?:thirteen|fourteen) weeks|1[34] weeks|quarters? ended|\bquarter\b|\b3 months", "quarter"),
    (r"six[- ]months?|twenty-six weeks|26 weeks|\b6 months|\bfirst half\b|\bhalf[- ]year\b|halbjahr", "half"),
    (r"nine[- ]months?|thirty-nine weeks|39 weeks|\b9 months", "nine"),
    (
        r"twelve[- ]months?|years?[- ]ended|fiscal years?|for the years?|5[23] weeks|fifty-(?:two|three) weeks"
        r"|\b12 months|full year|\bfy\s?\d|geschäftsjahr|年度",
        "year",
    ),
)
_LOOSE_QUARTER = re.compile(r"\b(?:q([1-4])\b|(first|second|third|fourth) quarter)")
_QUARTER_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_GAP_MAX = 8  # "fourth quarter (FY22)": a quarter and its year with a mark or "of the" between
_WITH_LENGTH = ("months", "half", "fiscal_year")
_CHANGE = re.compile(
    r"change|variance|\bincrease|decrease|growth|% of|percent(?:age)? of|as a %|\bb/\(w\)|better"
    r"|^\s*%\s*$|veränderung|\bbps\b|basis point|target|増減|增减"
)


class Period(msgspec.Struct, frozen=True):
    """A period as asked: ``quarter`` 1 to 4 within fiscal ``year``, or the year as a whole."""

    year: int
    quarter: int | None = None
    month: int | None = None  # only when the question states a month or a day
    day: int | None = None
    half: int = 0  # 1 or 2
    span: Span = "unknown"  # with a day: the length that ended on it, when the question says so
    fiscal: bool = False
    named: bool = False  # "fiscal 2022" in words: the company's own name of the year

    @property
    def text(self) -> str:
        """ "FY2018", "Q2 FY2024", "2023-05-03"."""
        if self.month:
            return f"{self.year:04d}-{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")
        prefix = f"Q{self.quarter} " if self.quarter else f"H{self.half} " if self.half else ""
        prefix = prefix or ("9M " if self.span == "nine" else "")
        return f"{prefix}{'FY' if self.fiscal else ''}{self.year}"

    @property
    def name(self) -> str:
        """The period as part of an operand's name: "2018", "2023Q2"."""
        part = f"Q{self.quarter}" if self.quarter else f"H{self.half}" if self.half else ""
        return f"{self.year}{part}"

    def before(self, years: int = 1) -> Period:
        """The same period ``years`` years earlier, without its day."""
        return Period(self.year - years, self.quarter, half=self.half, fiscal=self.fiscal, named=self.named)

    def later(self, years: int = 1) -> Period:
        """The same period ``years`` years later, without its day."""
        return self.before(-years)


class Column(msgspec.Struct, frozen=True):
    """What a column header says of the time it covers."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    span: Span = "unknown"
    change: bool = False  # a change, share or percentage beside the amounts
    fiscal: bool = False


def _day(iso: str | None) -> tuple[int | None, int | None]:
    """(month, day) of a date as exact as it was written: "2023-06-30", "2023-06", "--12-31"."""
    parts = (iso or "").lstrip("-").split("-")
    if iso and not iso.startswith("-"):
        parts = parts[1:]
    numbers = [int(part) for part in parts if part]
    return (numbers[0] if numbers else None), (numbers[1] if len(numbers) > 1 else None)


def _as_asked(found: Written, text: str) -> Period | None:
    if found.year is None:
        return None
    words = found.text
    fiscal = found.kind == "fiscal_year" or re.search(r"fy|fiscal", words) is not None
    named = "fiscal" in words
    month, day = _day(found.end_date)
    if found.quarter:
        return Period(found.year, found.quarter, fiscal=fiscal, named=named)
    if found.half:
        return Period(found.year, half=found.half, fiscal=fiscal, named=named)
    if found.kind == "fiscal_year" and day is None:
        return Period(found.year, fiscal=True, named=named)
    if month is None:
        return Period(found.year, fiscal=fiscal, named=named)
    span = _SPAN_OF.get(found.months, "unknown")
    return Period(found.year, month=month, day=day, span=span if span != "unknown" else _span(_before(found, text)))


def _before(found: Written, text: str) -> str:
    return text[max(0, found.start - 30) : found.start]


def _span(text: str) -> Span:
    return next((span for pattern, span in _SPANS if re.search(pattern, text)), "unknown")


def _months(match: re.Match[str]) -> Period:
    length, fiscal, year = _LENGTHS[match[1]], bool(match[2]), full_year(match[3])
    if length == 3:
        return Period(year, 1, fiscal=fiscal)
    return Period(year, half=1, fiscal=fiscal) if length == 6 else Period(year, span="nine", fiscal=fiscal)


def _fiscal(match: re.Match[str]) -> Period:
    return Period(full_year(match[2]), fiscal=True, named=match[1] != "fy")


def asked(text: str) -> tuple[Period, ...]:
    """Return the periods that ``text`` names, in order, ranges filled in, duplicates removed."""
    rest = fold(text)
    found: list[tuple[int, Period]] = []
    for pattern, read in ((_FIRST_MONTHS, _months), (_BEFORE_LENGTH, _fiscal)):
        found += [(m.start(), read(m)) for m in pattern.finditer(rest)]
        rest = pattern.sub(lambda m: " " * len(m.group()), rest)
    written = find_periods(rest)
    for at, item in enumerate(written):
        period = _as_asked(item, rest)
        if period is None:
            continue
        lead = written[at - 1] if at else None
        if lead and lead.quarter and lead.year is None and _is_year(period) and item.start - lead.end <= _GAP_MAX:
            period = Period(period.year, lead.quarter, fiscal=period.fiscal, named=period.named)
        found.append((item.start, period))
        following = _as_asked(written[at + 1], rest) if at + 1 < len(written) else None
        if following is not None and _is_year(period) and _is_year(following):
            years = years_named(rest[item.start : written[at + 1].end])
            found += [(item.start, Period(year, fiscal=period.fiscal)) for year in years[1:-1]]
    found.sort(key=lambda pair: pair[0])
    return tuple(dict.fromkeys(period for _, period in found))


def _is_year(period: Period) -> bool:
    return period.quarter is None and period.month is None and not period.half


def without_periods(text: str) -> str:
    """Return ``text`` folded, with every period blanked out."""
    rest = _BEFORE_LENGTH.sub(" ", _FIRST_MONTHS.sub(" ", fold(text)))
    for item in reversed(find_periods(rest)):
        if item.year is not None or item.quarter:
            rest = f"{rest[: item.start]} {rest[item.end :]}"
    return rest


_SUFFIX = re.compile(r"\b((?:FY|CY)?\s?'?(?:19|20)\d\d)[ ]?\(?([AEFBP])\)?(?![\w'’])")
_SUFFIXES = {"A": "actual", "E": "estimate", "F": "forecast", "B": "budget", "P": "projected"}


def spelled(header: str) -> str:
    """A column header with the letter behind its year spelled out: "2023E" is an estimate."""
    return _SUFFIX.sub(lambda m: f"{m[1]} {_SUFFIXES[m[2]]}", header)


def column(header: str) -> Column:
    """Read a column header; every part that it does not state stays None."""
    text = fold(spelled(header))
    written = find_periods(text)
    span = _span(text)
    quarters = {item.quarter for item in written if item.quarter}
    loose = _LOOSE_QUARTER.search(text)
    if loose and not quarters:
        quarters = {int(loose[1]) if loose[1] else _QUARTER_WORDS[loose[2]]}
    if quarters or any(item.kind == "quarter" for item in written):
        span = "quarter"
    elif span == "unknown":
        span = next((_SPAN_OF[i.months] for i in written if i.kind in _WITH_LENGTH and i.months in _SPAN_OF), span)
    years = {item.year for item in written if item.year is not None}
    dated = [item for item in written if item.end_date]
    month, day = _day(dated[0].end_date) if dated else (None, None)
    if dated and dated[0].year is not None:
        years = {dated[0].year}
    return Column(
        year=years.pop() if len(years) == 1 else None,
        month=month,
        day=day,
        quarter=quarters.pop() if len(quarters) == 1 else None,
        span=span,
        change=_CHANGE.search(text) is not None,
        fiscal=re.search(r"\bfiscal|\bfy", text) is not None,
    )
