"""Owns the time between two times, dates or years that a sentence names: "24 seconds behind", "from 1883 to 1962".

Never: clocks of different days, or a length that counts both ends.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec

from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.operands import Result
from counterfoil.core.evidence.facts import CalculationInput
from counterfoil.core.text.clocks import clock_of
from counterfoil.core.text.measures import converted, dimension
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import Quantity, same_amount

_DAY_SECONDS = 86_400
_TO = re.compile(r"\s*(?:to|until|till|and|bis|und|à|et|a|y|[-–—~～至])\s*", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|between|von|de|du|entre|desde|dal)\s*$", re.IGNORECASE)
_NEAR = 10
_YEARS = range(1000, 2200)
_WHOLE_DAY = len("2023-01-28")


class Moment(msgspec.Struct, frozen=True):
    """A time that a sentence names at ``start`` to ``end``. ``unit`` says what ``value`` counts: s, day or year."""

    text: str
    start: int
    end: int
    unit: str
    value: Decimal
    year: int | None
    citation: str | None


def moment_of(quantity: Quantity, citation: str | None) -> Moment | None:
    """The moment that a quantity of a text is, None for anything else."""
    text, start, end = quantity.text, quantity.start, quantity.end
    if (clock := clock_of(text)) is not None:
        seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
        return Moment(text, start, end, "s", Decimal(seconds), None, citation)
    if quantity.kind == "number":
        plain = quantity.unit is None and quantity.multiplier == 1 and text.isdecimal()
        year = int(quantity.value) if plain else 0
        return Moment(text, start, end, "year", Decimal(year), year, citation) if year in _YEARS else None
    if quantity.kind not in ("year", "date"):
        return None
    period = next(iter(find_periods(text)), None)
    if period is None or period.year is None or period.quarter or period.half:
        return None
    if period.kind == "date" and period.end_date is not None and len(period.end_date) == _WHOLE_DAY:
        day = Decimal(dt.date.fromisoformat(period.end_date).toordinal())
        return Moment(text, start, end, "day", day, period.year, citation)
    return Moment(text, start, end, "year", Decimal(period.year), period.year, citation)


def span_between(written: Quantity, said: Beside, text: str, moments: Sequence[Moment]) -> Iterator[Result]:
    """The time between the two moments closest to a length of time, in its unit."""
    if dimension(written.unit) not in ("time", "calendar"):
        return
    closest = sorted(moments, key=lambda m: abs(m.start - written.start))[:2]
    if len(closest) < 2:
        return
    first, last = sorted(closest, key=lambda m: m.start)
    for length, unit in _lengths(first, last, text):
        value = converted(length, unit, written.unit)
        if value is not None:
            given = tuple(
                CalculationInput(name, m.citation, m.text)
                for name, m in (("first", first), ("last", last))
                if m.citation is not None
            )
            names = [
                name if m.citation is not None else f'"{m.text}"' for name, m in (("first", first), ("last", last))
            ]
            yield Result(value, written.unit, f"{names[1]} - {names[0]}", given)


def span_stated(written: Quantity, text: str, moments: Sequence[Moment]) -> bool | None:
    """Whether a length is that of the one "from ... to ..." behind it in the sentence; None when there is none."""
    if len(moments) != 2 or dimension(written.unit) not in ("time", "calendar"):
        return None
    first, last = sorted(moments, key=lambda m: m.start)
    if first.start < written.end or _TO.fullmatch(text, first.end, last.start) is None:
        return None
    if not _FROM.search(text[max(written.end, first.start - _NEAR) : first.start]):
        return None
    lengths = [converted(length, unit, written.unit) for length, unit in _lengths(first, last, text)]
    return any(length is not None and same_amount(written, length) for length in lengths)


def _lengths(first: Moment, last: Moment, text: str) -> Iterator[tuple[Decimal, str]]:
    if first.unit == last.unit == "s":
        length = last.value - first.value
        overnight = length < 0 and _TO.fullmatch(text, first.end, last.start) is not None  # "from 22:00 to 06:00"
        yield (length + _DAY_SECONDS if overnight else abs(length)), "s"
    elif first.unit == last.unit == "day":
        days = abs(last.value - first.value)
        yield days, "day"
        early, late = (dt.date.fromordinal(int(m.value)) for m in sorted((first, last), key=lambda m: m.value))
        months = (late.year - early.year) * 12 + late.month - early.month - (late.day < early.day)
        yield Decimal(months), "month"
        yield Decimal(months // 12), "year"
    elif first.year is not None and last.year is not None:
        yield Decimal(abs(last.year - first.year)), "year"
