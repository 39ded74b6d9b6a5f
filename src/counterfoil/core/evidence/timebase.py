"""Owns the window that words such as "the last year" mean, resolved once against the task's time anchor.

Never: the current time, or a second resolution after later evidence.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

import msgspec

_COUNTS = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "zehn": 10, "zwölf": 12,
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "十": 10,
}  # fmt: skip
_COUNT = rf"(?P<n>\d{{1,4}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_UNITS = {
    "day": "day", "tag": "day", "天": "day", "日": "day", "日間": "day", "week": "week", "woche": "week",
    "周": "week", "週間": "week",
    "month": "month", "monat": "month", "个月": "month", "か月": "month", "ヶ月": "month",
    "quarter": "quarter", "quartal": "quarter",
    "year": "year", "jahr": "year", "年": "year", "年間": "year", "decade": "decade",
}  # fmt: skip


class Window(msgspec.Struct, frozen=True):
    """A span of days, both included, that ``source[start:end] == text`` means. Dates are ISO."""

    text: str
    start: int
    end: int
    first: str
    last: str


def months_before(day: date, months: int) -> date:
    """The same day of the month ``months`` earlier (later if negative), at most its last day."""
    index = day.year * 12 + day.month - 1 - months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _back(anchor: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return anchor - timedelta(days=count * (7 if unit == "week" else 1))
    return months_before(anchor, count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit])


def _rolling(m: re.Match[str], anchor: date) -> tuple[date, date]:
    """ "the last N units": up to and with the anchor, beginning the day after the same day N units ago."""
    written = m.groupdict().get("n")
    count = 1 if not written else int(written) if written.isdigit() else _COUNTS[written]
    return _back(anchor, count, _UNITS[m["u"]]) + timedelta(days=1), anchor


def _calendar(anchor: date, unit: str, back: int) -> tuple[date, date]:
    """The calendar unit that holds the anchor, or ``back`` units before it."""
    if unit == "week":
        first = anchor - timedelta(days=anchor.weekday() + 7 * back)
        return first, first + timedelta(days=6)
    if unit == "day":
        return anchor - timedelta(days=back), anchor - timedelta(days=back)
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    month = (anchor.month - 1) // size * size + 1
    first = months_before(date(anchor.year, month, 1), back * size)
    return first, months_before(first, -size) - timedelta(days=1)


def _previous(m: re.Match[str], anchor: date) -> tuple[date, date]:
    return _calendar(anchor, _UNITS[m["u"]], 1)


def _to_date(m: re.Match[str], anchor: date) -> tuple[date, date]:
    unit = next((u for u in ("year", "quarter", "month") if u in m[0] or u[0] + "td" in m[0]), "year")
    return _calendar(anchor, unit, 0)[0], anchor


def _current(m: re.Match[str], anchor: date) -> tuple[date, date]:
    return _calendar(anchor, _UNITS[m["u"]], 0)[0], anchor


def _today(m: re.Match[str], anchor: date) -> tuple[date, date]:
    back = 1 if m[0] in ("yesterday", "gestern", "昨天", "昨日") else 0
    return _calendar(anchor, "day", back)


_EN = r"(?P<u>day|week|month|quarter|year)"
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], tuple[date, date]]], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (
            rf"\b(?:the\s+)?(?:last|past|previous|recent|trailing)\s+{_COUNT}[\s-]+(?P<u>day|week|month|quarter|year|decade)s?\b",
            _rolling,
        ),
        (r"\b(?:the|this)\s+(?:last|past)\s+(?P<u>day|week|month|quarter|year|decade)\b", _rolling),
        (rf"\b(?:last|(?:the\s+)?(?:previous|prior|preceding))\s+(?:calendar\s+)?{_EN}\b", _previous),
        (r"\b(?:year|quarter|month)[\s-]to[\s-]date\b|\b[yqm]td\b|\bso far this (?:year|quarter|month)\b", _to_date),
        (rf"\b(?:this|the current)\s+{_EN}\b", _current),
        (
            r"\bsince\s+(?P<y>(?:19|20)\d\d)\b|\bseit\s+(?P<y2>(?:19|20)\d\d)\b",
            lambda m, a: (date(int(m["y"] or m["y2"]), 1, 1), a),
        ),
        (r"\b(?:today|yesterday|heute|gestern)\b|今天|昨天|今日|昨日", _today),
        (
            rf"\b(?:in\s+)?(?:den\s+|die\s+)?(?:letzten?|vergangenen?)\s+{_COUNT}\s+(?P<u>tag|woche|monat|quartal|jahr)e?n?\b",
            _rolling,
        ),
        (r"\b(?:das|im)\s+vergangenen?\s+(?P<u>jahr|quartal|monat)\b", _rolling),
        (r"\b(?:letzte[nrs]?|vorige[nrs]?)\s+(?P<u>jahr|quartal|monat|woche)e?s?\b", _previous),
        (rf"(?:过去|過去|最近|近)\s?{_COUNT}\s?(?P<u>天|日間|日|周|週間|个月|か月|ヶ月|年間|年)", _rolling),
        (r"去年|昨年", lambda m, a: _calendar(a, "year", 1)),
        (r"今年", lambda m, a: (_calendar(a, "year", 0)[0], a)),
    )
)


def resolve_relative(text: str, anchor_iso_date: str) -> tuple[Window, ...]:
    """Every relative window in ``text``, in order, without overlap, resolved against the anchor (an ISO date).

    "the last year" is the twelve months up to the anchor; "last year" without article is the calendar year
    before it; "this year" runs to the anchor. A window that would begin before year 1 is left out.
    Raises ValueError when the anchor is no ISO date.
    """
    anchor = date.fromisoformat(anchor_iso_date)
    lowered = text.lower()
    folded = lowered if len(lowered) == len(text) else text
    found: list[tuple[int, int, date, date]] = []
    for pattern, reader in _PATTERNS:
        for match in pattern.finditer(folded):
            try:
                first, last = reader(match, anchor)
            except (ValueError, OverflowError):
                continue  # before the calendar begins
            if first <= last:
                found.append((match.start(), match.end(), first, last))
    found.sort(key=lambda item: (item[0], -item[1]))
    out: list[Window] = []
    for start, end, first, last in found:
        if not out or start >= out[-1].end:
            out.append(Window(text[start:end], start, end, first.isoformat(), last.isoformat()))
    return tuple(out)
