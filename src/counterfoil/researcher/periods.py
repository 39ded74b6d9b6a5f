"""Owns periods: which ones a question asks for, which one a table column covers, and whether they agree.

Never: a document's own fiscal calendar by guess; a year end is what a header states.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from counterfoil.researcher.words import fold

Span = Literal["year", "quarter", "half", "nine", "unknown"]
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan", "januar"),
            ("february", "feb", "februar"),
            ("march", "mar", "märz"),
            ("april", "apr"),
            ("may", "mai"),
            ("june", "jun", "juni"),
            ("july", "jul", "juli"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct", "oktober"),
            ("november", "nov"),
            ("december", "dec", "dezember"),
        ),
        start=1,
    )
    for name in names
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
_QUARTER_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_QUARTER = re.compile(
    rf"\bq([1-4])\s*(?:of\s*)?(?:fy|fiscal(?: year)?)?\s*['’]?\s*({_YEAR}|\d\d)(?!\d)"
    rf"|\b(?:fy|fiscal)?\s*({_YEAR})\s*q([1-4])\b"
    rf"|\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter(?:\s*of)?"
    rf"(?:\s*(?:the )?(?:fy|fiscal(?: year)?))?\s*({_YEAR})"
    rf"|({_YEAR})\s*年\s*(?:度)?\s*第?\s*([1-4一二三四])\s*(?:季度|四半期)"
    rf"|\b([1-4])\. quartal (?:des (?:geschäfts)?jahres )?({_YEAR})",
)
_HALF = re.compile(
    rf"\b(?:h1|first half|six months)\s*(?:of|ended)?\s*(?:fy|fiscal)?\s*({_YEAR})|1\. halbjahr ({_YEAR})"
)
_DATE = re.compile(
    rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+({_YEAR})|\b(\d{{1,2}})\.?\s+({_MONTH})\.?,?\s+({_YEAR})"
    rf"|\b({_YEAR})-(\d\d)-(\d\d)\b|({_YEAR})年(\d{{1,2}})月(\d{{1,2}})日"
)
_FY = re.compile(rf"(?:\bfy|\bfiscal(?: years?)?|\bgeschäftsjahr|\bfinancial year)\s*['’]?\s*({_YEAR}|\d\d)(?!\d)")
_PLAIN = re.compile(rf"(?<![\d.,$€£¥])({_YEAR})(?![\d]|[.,]\d)")
_RANGE = re.compile(
    rf"(?:fy|fiscal)?\s*['’]?({_YEAR}|\d\d)\s*(?:-|to|through|until|bis|～|~|至)\s*(?:fy|fiscal)?\s*['’]?({_YEAR})"
)
_SPANS: tuple[tuple[str, Span], ...] = (
    (r"three[- ]months?|thirteen weeks|13 weeks|quarters? ended|\bquarter\b|3 months", "quarter"),
    (r"six[- ]months?|twenty-six weeks|26 weeks|6 months", "half"),
    (r"nine[- ]months?|thirty-nine weeks|39 weeks|9 months", "nine"),
    (
        r"twelve[- ]months?|years?[- ]ended|fiscal years?|for the years?|52 weeks|53 weeks"
        r"|fifty-two weeks|fifty-three weeks|12 months|full year"
        r"|\bfy\s?\d|geschäftsjahr|fiscal 20\d\d",
        "year",
    ),
)
_CJK_QUARTERS = {"一": 1, "二": 2, "三": 3, "四": 4}


class Period(msgspec.Struct, frozen=True):
    """A period as asked: ``quarter`` 1 to 4 within fiscal ``year``, or the year as a whole."""

    year: int
    quarter: int | None = None
    month: int | None = None  # only when the question states a day
    day: int | None = None
    half: bool = False
    span: Span = "unknown"  # with a day: the length that ended on it, when the question says so
    fiscal: bool = False
    named: bool = False  # "fiscal 2022" in words: the company's own name of the year

    @property
    def text(self) -> str:
        """ "FY2018", "Q2 FY2024", "3 May 2023"."""
        if self.month and self.day:
            return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"
        prefix = f"Q{self.quarter} " if self.quarter else ("H1 " if self.half else "")
        return f"{prefix}{'FY' if self.fiscal else ''}{self.year}"

    @property
    def name(self) -> str:
        """The period as part of an operand's name: "2018", "2023Q2"."""
        return f"{self.year}" + (f"Q{self.quarter}" if self.quarter else "") + ("H1" if self.half else "")

    def before(self, years: int = 1) -> Period:
        """The same period ``years`` years earlier, without its day."""
        return Period(self.year - years, self.quarter, half=self.half, fiscal=self.fiscal, named=self.named)


class Column(msgspec.Struct, frozen=True):
    """What a column header says of the time it covers."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    span: Span = "unknown"
    change: bool = False  # a change, share or percentage beside the amounts
    fiscal: bool = False


def _full(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


def _quarter(match: re.Match[str]) -> Period:
    g = match.groups()
    if g[0]:
        return Period(
            _full(g[1]), int(g[0]), fiscal="f" in match.group().replace("of", ""), named="fiscal" in match.group()
        )
    if g[2]:
        return Period(int(g[2]), int(g[3]))
    if g[4]:
        named = "fiscal" in match.group()
        return Period(int(g[5]), _QUARTER_WORDS[g[4]], fiscal=named or "fy" in match.group(), named=named)
    if g[6]:
        return Period(int(g[6]), _CJK_QUARTERS.get(g[7]) or int(g[7]))
    return Period(int(g[9]), int(g[8]))


def _day(match: re.Match[str]) -> tuple[int, int, int]:
    g = match.groups()
    if g[0]:
        return int(g[2]), _MONTHS[g[0]], int(g[1])
    if g[3]:
        return int(g[5]), _MONTHS[g[4]], int(g[3])
    return (int(g[6]), int(g[7]), int(g[8])) if g[6] else (int(g[9]), int(g[10]), int(g[11]))


def _dated(match: re.Match[str], text: str) -> Period:
    year, month, day = _day(match)
    before = text[max(0, match.start() - 30) : match.start()]
    span: Span = next((s for pattern, s in _SPANS if re.search(pattern, before)), "unknown")
    return Period(year, month=month, day=day, span=span)


def asked(text: str) -> tuple[Period, ...]:
    """Return the periods that ``text`` names, in order, ranges filled in, duplicates removed."""
    rest = fold(text)
    found: list[tuple[int, Period]] = []

    def take(pattern: re.Pattern[str], make: object) -> None:
        nonlocal rest
        for match in pattern.finditer(rest):
            found.append((match.start(), make(match)))  # type: ignore[operator]
        rest = pattern.sub(lambda m: " " * len(m.group()), rest)

    take(_QUARTER, _quarter)
    take(_HALF, lambda m: Period(int(m.group(1) or m.group(2)), half=True))
    take(_DATE, lambda m: _dated(m, fold(text)))
    for match in _RANGE.finditer(rest):
        first, last = _full(match.group(1)), _full(match.group(2))
        if first < last <= first + 10:
            fiscal = "fy" in match.group() or "fiscal" in match.group()
            found.extend((match.start(), Period(year, fiscal=fiscal)) for year in range(first, last + 1))
    rest = _RANGE.sub(lambda m: m.group() if _full(m.group(1)) >= _full(m.group(2)) else " " * len(m.group()), rest)
    take(_FY, lambda m: Period(_full(m.group(1)), fiscal=True, named="fiscal" in m.group()))
    take(_PLAIN, lambda m: Period(int(m.group(1))))
    found.sort(key=lambda pair: pair[0])
    return tuple(dict.fromkeys(period for _, period in found))


def without_periods(text: str) -> str:
    """Return ``text`` folded, with every period blanked out."""
    rest = fold(text)
    for pattern in (_QUARTER, _HALF, _DATE, _RANGE, _FY, _PLAIN):
        rest = pattern.sub(" ", rest)
    return rest


_CHANGE = re.compile(
    r"change|variance|\bincrease|decrease|growth|% of|percent(?:age)? of|as a %|\bb/\(w\)|better"
    r"|^\s*%\s*$|veränderung|\bbps\b|basis point|target"
)


def column(header: str) -> Column:
    """Read a column header; every part that it does not state stays None."""
    text = fold(header)
    span: Span = next((span for pattern, span in _SPANS if re.search(pattern, text)), "unknown")
    change = _CHANGE.search(text) is not None
    quarter = _QUARTER.search(text) or re.search(r"\b(?:q([1-4])\b|(first|second|third|fourth) quarter)", text)
    number: int | None = None
    if quarter is not None:
        span = "quarter"
        number = (
            next(
                (int(v) if v.isdigit() else _QUARTER_WORDS.get(v, 0) for v in quarter.groups() if v and len(v) != 4), 0
            )
            or None
        )
    date = _DATE.search(text)
    if date is not None:
        year, month, day = _day(date)
        return Column(year, month, day, number, span, change)
    years = _PLAIN.findall(text) or [str(_full(y)) for y in _FY.findall(text)]
    loose = re.search(rf"\b({_MONTH})\.?\s+(\d{{1,2}})\b", text)
    at_month = _MONTHS[loose.group(1)] if loose else None
    at_day = int(loose.group(2)) if loose else None
    fiscal = re.search(r"\bfiscal|\bfy", text) is not None
    year_found = int(years[-1]) if len(set(years)) == 1 else None
    return Column(year_found, at_month, at_day, number, span, change, fiscal)
