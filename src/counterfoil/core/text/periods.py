"""Owns the grammar of dates and reporting periods: FY2018, Q2 2023, "three months ended June 30, 2023".

Never: guessing. What is not written (a year, a day, which of 03/04 is the month) stays None.
"""

from __future__ import annotations

import calendar
import itertools
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import msgspec

from counterfoil.core.text.alternatives import one_of
from counterfoil.core.text.folding import digits_folded

PeriodKind = Literal["fiscal_year", "quarter", "half", "months", "year", "date"]

_MONTH_NAMES = (
    "january jan januar jänner janvier enero gennaio janeiro",
    "february feb februar février febrero febbraio fevereiro",
    "march mar märz mär mars marzo março", "april apr avril abril aprile", "may mai mayo maggio maio",
    "june jun juni juin junio giugno junho", "july jul juli juillet julio luglio julho",
    "august aug août agosto", "september sept sep septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro", "november nov novembre noviembre novembro",
    "december dec dezember dez décembre diciembre dicembre dezembro",
)  # fmt: skip
MONTHS: dict[str, int] = {name: n for n, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()}
_NUMBER_WORDS = {
    "three": 3, "six": 6, "nine": 9, "twelve": 12, "3": 3, "6": 6, "9": 9, "12": 12, "drei": 3, "sechs": 6, "neun": 9,
    "zwölf": 12,
}  # fmt: skip
_WEEK_WORDS = {
    "thirteen": 3, "13": 3, "14": 3, "fourteen": 3, "twenty-six": 6, "26": 6, "thirty-nine": 9, "39": 9,
    "fifty-two": 12, "52": 12, "fifty-three": 12, "53": 12,
}  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "erstes": 1, "ersten": 1,
    "zweites": 2, "zweiten": 2, "drittes": 3, "dritten": 3, "viertes": 4, "vierten": 4, "1.": 1, "2.": 2, "3.": 3,
    "4.": 4,
    "一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4, "上": 1, "下": 2,
}  # fmt: skip


_M = rf"(?:{one_of(MONTHS)})\.?"
_Y = r"(?:19|20)\d\d"
_YD = r"(?:1\d|20)\d\d"  # beside a month, older years are years too
_FULL = rf"(?P<y>{_Y})(?!\d)"
_NO_AMOUNT = r"(?!\d|[.,]\d|[\s-]*(?:%|percent|bps|weeks?|months?|days?|million|billion|thousand))"
_Y2 = rf"['’]?(?P<y>{_Y}|\d\d){_NO_AMOUNT}"
_MD = rf"(?P<mon>{_M})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
_DM = rf"(?P<d2>\d{{1,2}})(?:\.|st|nd|rd|th|er)?\s+(?:(?:of|de)\s+)?(?P<mon2>{_M})(?![^\W\d_])"
_DAY = (
    rf"(?:{_MD}(?:\s*,?\s+(?P<y>{_YD})(?!\d))?|{_DM}(?:\s*,?\s+(?:de\s+)?(?P<y2>{_YD})(?!\d))?"
    r"|(?P<y3>(?:19|20)\d\d)-(?P<n1>\d\d)-(?P<n2>\d\d)(?!\d))"
)
_EN_ORD = r"(?P<o>first|second|third|fourth|1st|2nd|3rd|4th)"
_DE_ORD = r"(?P<o>erste[sn]|zweite[sn]|dritte[sn]|vierte[sn]|[1-4]\.)"
_FISCAL = r"(?:fy|fiscal(?:\s+year)?|financial\s+year)"


class Period(msgspec.Struct, frozen=True):
    """A period or date as written: ``source[start:end] == text``.

    ``year`` is the year named (fiscal where the kind is), ``quarter`` 1 to 4, ``half`` 1 or 2, ``months``
    its length. ``end_date`` is as exact as the text: "2023-06-30", "2023-03", "--12-31" (no year), None.
    """

    text: str
    start: int
    end: int
    kind: PeriodKind
    year: int | None = None
    quarter: int | None = None
    months: int | None = None
    end_date: str | None = None
    half: int | None = None


class _Read(msgspec.Struct, frozen=True):
    """What a pattern's match says; None from a reader means that the match is no period."""

    kind: PeriodKind
    year: int | None = None
    quarter: int | None = None
    months: int | None = None
    end_date: str | None = None
    half: int | None = None


def full_year(text: str) -> int:
    """ "2018" or "18" as a year; two digits from 70 on belong to the last century."""
    number = int(text)
    if number >= 100:
        return number
    return number + (1900 if number >= 70 else 2000)


def iso_date(year: int | None, month: int, day: int | None) -> str | None:
    """An ISO date as exact as given, "--MM-DD" without a year, None when there is no such day."""
    if not 1 <= month <= 12:
        return None
    if day is not None and not 1 <= day <= calendar.monthrange(year or 2000, month)[1]:
        return None
    tail = f"{month:02}" if day is None else f"{month:02}-{day:02}"
    return f"-{'-' if year is None else ''}{tail}" if year is None else f"{year:04}-{tail}"


def _day_of(m: re.Match[str]) -> tuple[int | None, str | None]:
    """(year, ISO date) of a ``_DAY`` match; (None, None) when no day was written."""
    g = m.groupdict()
    if g.get("y3"):
        return int(g["y3"]), iso_date(int(g["y3"]), int(g["n1"]), int(g["n2"]))
    name, day, year = (g["mon"], g["d"], g.get("y")) if g.get("mon") else (g.get("mon2"), g.get("d2"), g.get("y2"))
    if not name or not day:
        return None, None
    number = int(year) if year else None
    return number, iso_date(number, MONTHS[name.rstrip(".")], int(day))


def _date(m: re.Match[str]) -> _Read | None:
    year, iso = _day_of(m)
    return _Read("date", year, end_date=iso) if iso else None


def _numeric(m: re.Match[str]) -> _Read | None:
    iso = iso_date(int(m["y"]), int(m["m"]), int(m["d"]) if m.groupdict().get("d") else None)
    return _Read("date", int(m["y"]), end_date=iso) if iso else None


def _undated(m: re.Match[str]) -> _Read | None:
    iso = iso_date(None, int(m["m"]), int(m["d"]) if m["d"] else None)
    return _Read("date", None, end_date=iso) if iso else None


def _slashes(m: re.Match[str]) -> _Read | None:
    year, a, b = int(m["y"]), int(m["a"]), int(m["b"])
    readings = {iso for iso in (iso_date(year, a, b), iso_date(year, b, a)) if iso}
    return _Read("date", year, end_date=readings.pop() if len(readings) == 1 else None) if readings else None


def _month_year(m: re.Match[str]) -> _Read | None:
    return _Read("date", int(m["y"]), end_date=iso_date(int(m["y"]), MONTHS[m["mon"].rstrip(".")], None))


def _months(m: re.Match[str]) -> _Read | None:
    g = m.groupdict()
    count = _NUMBER_WORDS.get(g.get("n") or "") or _WEEK_WORDS.get(g.get("w") or "")
    year, iso = _day_of(m)
    return _Read("months", year if year is not None else _bare_year(g), months=count, end_date=iso)


def _year_ended(m: re.Match[str]) -> _Read | None:
    year, iso = _day_of(m)
    return _Read("fiscal_year" if "fiscal" in m[0] else "months", year, months=12, end_date=iso)


def _quarter_ended(m: re.Match[str]) -> _Read | None:
    year, iso = _day_of(m)
    return _Read("quarter", year, months=3, end_date=iso)


def _bare_year(g: dict[str, str | None]) -> int | None:
    found = next((g[k] for k in ("y", "y2", "by") if g.get(k)), None)
    return full_year(found) if found else None


def _ordinal(text: str) -> int:
    return int(text) if text.isdigit() else _ORDINALS[text]


def _quarter(m: re.Match[str]) -> _Read | None:
    return _Read("quarter", _bare_year(m.groupdict()), _ordinal(m["o"]), 3)


def _half(m: re.Match[str]) -> _Read | None:
    return _Read("half", _bare_year(m.groupdict()), months=6, half=_ordinal(m["o"]))


def _fiscal(m: re.Match[str]) -> _Read | None:
    g = m.groupdict()
    return _Read("fiscal_year", full_year(g.get("second") or m["y"]), months=12)


def _season(m: re.Match[str]) -> _Read | None:
    """ "2024/25" and "2024-25" are the year that ends in 2025; "2011-12" may be a month."""
    year, second = int(m["y"]), int(m["second"])
    if second != (year + 1) % 100 or (m["join"] == "-" and 1 <= second <= 12):
        return None
    return _Read("fiscal_year", year + 1, months=12)


def _fiscal_month(m: re.Match[str]) -> _Read | None:
    year = int(m["y"])
    return _Read("fiscal_year", year, months=12, end_date=iso_date(year, int(m["m"]), None))


def _year(m: re.Match[str]) -> _Read | None:
    return _Read("year", int(m["y"]), months=12)


def _half_either(m: re.Match[str]) -> _Read:
    return _Read("half", full_year(m["y"] or m["by"]), months=6, half=int(m["o"] or m["o2"]))


def _plain(m: re.Match[str]) -> _Read:
    return _Read("year", int(m["y"] or m["by"]), months=12)


_PLAIN_END = r"(?![A-Za-zÀ-ɏ0-9_%]|[.,]\d)"
_OF = rf"\s*,?\s*(?:of\s+(?:the\s+)?)?(?:{_FISCAL}\s*)?"
_IN_YEAR = rf"(?:\s+(?:des\s+)?(?:geschäfts)?(?:jahre?s\s+)?{_FULL})?"
_SPAN = rf"(?:(?P<n>{one_of(_NUMBER_WORDS)})[\s-]+months?|(?P<w>{one_of(_WEEK_WORDS)})[\s-]+weeks?)"
_ENDED = r"(?:\s+periods?)?[\s-]+(?:then\s+)?end(?:ed|ing)"
_PATTERNS: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], _Read | None]], ...] = tuple(
    (needle, re.compile(pattern, re.IGNORECASE), reader)  # the needle stands in every match: a cheap first look
    for needle, pattern, reader in (
        ("end", rf"\b{_SPAN}{_ENDED}(?:\s+(?:on\s+)?{_DAY})?", _months),
        ("monate", rf"\b(?P<n>drei|sechs|neun|zwölf)\s+monate(?:\s+(?:bis|zum|endend)(?:\s+zum)?\s+{_DAY})?", _months),
        ("year", rf"\b(?:fiscal\s+)?years?\s+(?:then\s+)?end(?:ed|ing)(?:\s+(?:on\s+)?{_DAY})?", _year_ended),
        (
            "quarter",
            rf"\bquarters?(?:ly\s+period)?\s+(?:then\s+)?end(?:ed|ing)(?:\s+(?:on\s+)?{_DAY})?",
            _quarter_ended,
        ),
        ("", rf"\b{_DAY}", _date),
        ("", rf"(?<!\d){_FULL}[/.](?P<m>\d{{1,2}})[/.](?P<d>\d{{1,2}})(?!\d)", _numeric),
        ("", rf"(?<![\d.])(?P<d>\d{{1,2}})\.\s?(?P<m>\d{{1,2}})\.\s?{_FULL}", _numeric),
        ("/", rf"(?<![\d/])(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/{_FULL}", _slashes),
        ("年", rf"(?<!\d)(?P<y>{_Y})\s?年\s?(?P<m>\d{{1,2}})\s?月(?:\s?(?P<d>\d{{1,2}})\s?日)?", _numeric),
        ("年", rf"(?<!\d)(?P<y>{_Y})\s?年(?:度)?\s?第?\s?(?P<o>[1-4一二三四])\s?(?:季度|四半期)", _quarter),
        ("年", rf"(?<!\d)(?P<y>{_Y})\s?年(?:度)?\s?(?P<o>[上下])(?:半年|期|半期)", _half),
        ("年度", rf"(?<!\d)(?P<y>{_Y})\s?(?:财|財|会计|會計)?年度", _fiscal),
        ("月期", rf"(?<!\d)(?P<y>{_Y})\s?年\s?(?P<m>\d{{1,2}})\s?月期", _fiscal_month),
        ("年", rf"(?<!\d)(?P<y>{_Y})\s?年", _year),
        ("月", r"(?<!\d)(?P<m>\d{1,2})\s?月(?![間间期])(?:\s?(?P<d>\d{1,2})\s?日)?", _undated),
        ("", rf"\b(?P<mon>{_M})\s*,?\s+(?:de\s+)?(?P<y>{_YD})(?!\d)", _month_year),
        ("q", rf"\bq\s?(?P<o>[1-4])(?!\d){_OF}{_Y2}", _quarter),
        ("q", rf"\bq(?P<o>[1-4])(?P<y>{_Y})(?!\d)", _quarter),
        ("q", rf"\b(?P<o>[1-4])q\s?(?:fy)?\s?{_Y2}", _quarter),
        ("q", rf"\b(?:{_FISCAL}\s*)?['’]?(?P<y>{_Y})[\s-]?q(?P<o>[1-4])(?!\d)", _quarter),
        ("q", r"\bfy\s?['’]?(?P<y>\d\d)[\s-]?q(?P<o>[1-4])(?!\d)", _quarter),
        ("quarter", rf"\b{_EN_ORD}[\s-]+(?:fiscal\s+)?quarter{_OF}{_FULL}", _quarter),
        ("quarter", rf"\b{_EN_ORD}[\s-]+(?:fiscal\s+)?quarter\b", _quarter),
        ("quartal", rf"(?<!\w){_DE_ORD}\s*quartals?{_IN_YEAR}", _quarter),
        ("q", r"\bq(?P<o>[1-4])(?![\w’'])", _quarter),
        (
            "h",
            rf"\bh(?P<o>[12])(?!\d){_OF}{_Y2}|\b(?P<o2>[12])h\s?(?:fy)?\s?['’]?(?P<by>{_Y}|\d\d)(?!\d)",
            _half_either,
        ),
        ("half", rf"\b(?P<o>first|second)[\s-]+half{_OF}{_FULL}", _half),
        ("halbjahr", rf"(?<!\w)(?P<o>[12]\.|erste[sn]|zweite[sn])\s*halbjahr(?:e?s)?{_IN_YEAR}", _half),
        ("f", rf"\b(?:fiscal(?:\s+years?)?|financial\s+years?)\s*{_Y2}(?:/(?P<second>\d\d)(?!\d))?", _fiscal),
        ("geschäftsjahr", rf"\bgeschäftsjahr(?:e[sn]?|s)?\s*{_Y2}(?:/(?P<second>\d\d)(?!\d))?", _fiscal),
        ("fy", rf"\bfy[\s-]?{_Y2}(?:/(?P<second>\d\d)(?!\d))?", _fiscal),
        ("", rf"(?<![A-Za-zÀ-ɏ0-9_.,$€£¥#/-])(?P<y>{_Y})(?P<join>[/–-])(?P<second>\d\d){_PLAIN_END}", _season),
        ("", rf"(?<![A-Za-zÀ-ɏ0-9_.,$€£¥#/-])(?P<y>{_Y}){_PLAIN_END}|(?<=\d-)(?P<by>{_Y}){_PLAIN_END}", _plain),
    )
)
_JOIN = re.compile(r"\s*(?:-|–|—|to|through|thru|until|bis|至|～|〜|~)\s*(?:the\s+)?", re.IGNORECASE)


@lru_cache(maxsize=8192)  # titles, headings and sentences come again and again
def find_periods(text: str) -> tuple[Period, ...]:
    """Every date and period in ``text``, in order, without overlap; the longest reading at a place wins."""
    folded = digits_folded(text)
    lowered = folded.lower()
    if len(lowered) == len(text):  # a few capitals have longer small letters; positions matter more
        folded = lowered
    found: list[tuple[int, int, _Read]] = []
    for needle, pattern, reader in _PATTERNS:
        if needle not in lowered:
            continue
        for match in pattern.finditer(folded):
            read = reader(match)
            if read is not None:
                found.append((match.start(), match.end(), read))
    found.sort(key=lambda item: (item[0], -item[1]))
    out: list[Period] = []
    for start, end, read in found:
        if not out or start >= out[-1].end:
            end = start + len(folded[start:end].rstrip(" ,"))
            out.append(Period(text[start:end], start, end, *msgspec.structs.astuple(read)))
    return tuple(out)


_FROM = re.compile(r"\b(?:between|from|zwischen|von|entre|de|desde|tra|dal)\s*(?:the\s+)?$", re.IGNORECASE)
_TO = re.compile(r"\s*(?:and|to|und|bis|auf|et|à|y|a|e|al)\s*(?:the\s+)?", re.IGNORECASE)


def stated_span(text: str) -> tuple[Period, Period] | None:
    """The two periods of the one "between 2023 and 2024" in ``text``, earlier first; None without exactly one."""
    found = [
        (first, last)
        for first, last in itertools.pairwise(find_periods(text))
        if _TO.fullmatch(text, first.end, last.start) and _FROM.search(text, 0, first.start)
    ]
    if len(found) != 1:
        return None
    first, last = found[0]
    return (first, last) if first.year and last.year and first.year < last.year else None


def years_between(first: Period, last: Period) -> tuple[int, ...]:
    """The years from ``first`` to ``last``, both included; () when a year is missing or they run backwards."""
    if first.year is None or last.year is None or last.year - first.year > 200:
        return ()
    return tuple(range(first.year, last.year + 1))


def years_named(text: str) -> tuple[int, ...]:
    """Every year that ``text`` names, rising; spans such as "FY2020 - FY2022" count with all their years."""
    periods = find_periods(text)
    years = {p.year for p in periods if p.year is not None}
    for first, last in itertools.pairwise(periods):
        if _JOIN.fullmatch(text, first.end, last.start):
            years.update(years_between(first, last))
    return tuple(sorted(years))
