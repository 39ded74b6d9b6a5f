"""Owns what a value covers: for how long ("a day", "for three days"), with or without tax and the like.

Never: the value itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import ROUND_CEILING, Decimal

import msgspec

from counterfoil.core.text.measures import UNITS, converted, dimension

_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10,
    "twelve": 12, "ein": 1, "einen": 1, "eine": 1, "zwei": 2, "drei": 3, "vier": 4, "un": 1, "une": 1,
    "deux": 2, "trois": 3, "quatre": 4, "一": 1, "两": 2, "二": 2, "三": 3,
}  # fmt: skip
_ADVERBS = {
    "daily": "day", "hourly": "hour", "weekly": "week", "monthly": "month", "yearly": "year", "annual": "year",
    "annually": "year", "täglich": "day", "monatlich": "month", "jährlich": "year", "mensuel": "month",
    "annuel": "year",
}  # fmt: skip
_TIMES = sorted(
    (n for n, u in UNITS.items() if (u.dimension in ("time", "calendar") and len(n) > 1) or n in "天日月年周週"),
    key=len,
    reverse=True,
)
TIME = "|".join(_TIMES)
_NUMBER = rf"(?P<n>\d+(?:\.\d+)?|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_SPAN = re.compile(
    rf"(?:\b(?:for|per|a|an|each|every|pro|je|par|por|pour|für)\b|/"
    rf"|每)\s*(?:{_NUMBER}[\s-]*)?(?P<u>{TIME})(?![^\W\d_])"
    rf"|(?:(?<=\W)|^){_NUMBER.replace('?P<n>', '?P<n2>')}[\s-]*(?P<u2>{TIME})(?![^\W\d_])"
    rf"|\b(?P<u3>{TIME})[\s-](?:pass|ticket|card|karte)\b"
    rf"|\b(?P<adverb>{'|'.join(_ADVERBS)})\b",
    re.IGNORECASE,
)
_INCLUDED = re.compile(
    r"\b(?P<sign>incl\w*|with|excl\w*|without|plus|before|after|inkl\w*|zzgl\w*|ohne|hors|ttc"
    r"|net of)\.?\s+(?:of\s+|the\s+|any\s+|all\s+)?"
    r"(?P<what>tax(?:es)?|vat|mwst|shipping|delivery|fees?|deposit|insurance|tva"
    r"|duty|duties|tips?|service|breakfast|bonus(?:es)?|acquisitions?"
    r"|disposals|depreciation|(?:discontinued|continuing) operations|(?:exceptional|one-off) items"
    r"|steuern?|versand|frühstück|taxes)\b",
    re.IGNORECASE,
)
_WITHOUT = ("excl", "without", "plus", "before", "zzgl", "ohne", "hors", "net of")


class Cover(msgspec.Struct, frozen=True):
    """What a value covers: ``count`` of ``unit`` of time (None when not said), and what is included or not."""

    count: Decimal | None = None
    unit: str | None = None
    included: tuple[tuple[str, bool], ...] = ()

    @property
    def text(self) -> str:
        """In words: "for 3 days"."""
        if self.count is None or self.unit is None:
            return ""
        plural = "" if self.count == 1 or not self.unit.isascii() or self.unit.endswith("s") else "s"
        return f"for {format(self.count, 'f')} {self.unit}{plural}"


def cover_of(*texts: str | None) -> Cover:
    """What the first of ``texts`` that says a span covers; what is included is read from all of them."""
    included = tuple(
        (m["what"].casefold().rstrip("es"), not m["sign"].casefold().startswith(_WITHOUT))
        for text in texts
        for m in _INCLUDED.finditer(text or "")
    )
    for text in texts:
        for cover in covers_of(text or ""):
            return msgspec.structs.replace(cover, included=included)
    return Cover(included=included)


def covers_of(text: str) -> Iterator[Cover]:
    """Every span that ``text`` says, in order."""
    for match in _SPAN.finditer(text):
        adverb = match["adverb"]
        unit = _ADVERBS[adverb.casefold()] if adverb else (match["u"] or match["u2"] or match["u3"]).casefold()
        number = (match["n"] or match["n2"] or "1").casefold()
        yield Cover(Decimal(_COUNTS[number]) if number in _COUNTS else Decimal(number), unit)


def times(first: Cover, second: Cover) -> Decimal | None:
    """How many of what ``first`` covers make up what ``second`` covers; None when spans are unknown or of two kinds."""
    if None in (first.count, second.count, first.unit, second.unit) or not first.count or not second.count:
        return None
    if dimension(first.unit) != dimension(second.unit):
        return None
    if first.unit == second.unit:
        return second.count / first.count
    spans = converted(second.count, second.unit, first.unit)
    return spans / first.count if spans is not None else None


def cost_for(value: Decimal, cover: Cover, need: Cover) -> Decimal | None:
    """What ``need`` costs in whole units of what ``value`` covers; None when spans are unknown or of two kinds."""
    count = times(cover, need)
    return None if count is None else value * count.to_integral_value(ROUND_CEILING)


def apart(first: Cover, second: Cover) -> bool:
    """Whether two values cover unlike things; what is not said is no difference."""
    a, b = dict(first.included), dict(second.included)
    if any(a[what] != b[what] for what in a.keys() & b.keys()):
        return True
    if first.count is None or second.count is None:
        return False
    return times(first, second) != 1
