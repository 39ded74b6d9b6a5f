"""Owns what a number is counted per: "per month", "a day", "/kWh".

Never: nouns that name no measure ("per page"), which have too many synonyms to be told apart.
"""

from __future__ import annotations

import re

from counterfoil.core.text.alternatives import one_of
from counterfoil.core.text.measures import UNITS, dimension, same_unit

_NAMES = [n for n in UNITS if n[0].isalpha()]
_TIMES = one_of(n for n in _NAMES if len(n) > 1 and dimension(n) in ("time", "calendar"))
_UNIT = one_of(_NAMES)
_COUNTS = {
    "hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000", "1m": "1000000", "1k": "1000",
    "hundert": "100", "tausend": "1000", "milliarde": "1000000000", "mille": "1000",
    "mil": "1000", "millón": "1000000", "100": "100", "1,000": "1000", "1000": "1000", "1,000,000": "1000000",
}  # fmt: skip
_MANY = one_of(_COUNTS)
_RATE = re.compile(
    rf"(?:(?:\b(?:per|pro|je|par|por|al|each|every|am|im|in der)\s|/\s?)(?P<unit>{_UNIT})"
    rf"|\b(?:an?|le|la)\s(?P<time>{_TIMES})"
    rf"|\b(?:per|pro|je|par|por|al)\s(?P<many>{_MANY})"
    rf"|每(?P<each>{_UNIT}))(?![^\W\d_])",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"[/每]|\b(?:per|pro|je|par|por|al|each|every|am|im|in der|an?|le|la)\s", re.IGNORECASE
)  # cheap first look
_LEADS = (re.compile(r"\s?"), re.compile(r"\s?[^\W\d_]{3,}\s"))  # "1,200 a day", "1,200 passengers a day"


def rate_behind(text: str, position: int) -> str | None:
    """The measure that the number ending at ``position`` is counted per, None when the text names none there."""
    leads = (lead.match(text, position) for lead in _LEADS)
    return next((found for lead in leads if lead and (found := _measure(_RATE.match(text, lead.end())))), None)


_ADJECTIVES = {
    "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year",
    "annual": "year", "stündlich": "hour", "täglich": "day", "wöchentlich": "week", "monatlich": "month",
    "jährlich": "year", "mensuel": "month", "annuel": "year", "mensual": "month", "anual": "year",
}  # fmt: skip
_PRICE = (
    r"(?:prices?|fees?|rates?|costs?|charges?|rents?|payments?|salar(?:y|ies)|preis|gebühr|tarif|prix"
    r"|precio|cuota|tarifa)"
)
_ADJECTIVE = re.compile(
    rf"\b({'|'.join(_ADJECTIVES)})e?[rsn]?\s{_PRICE}\b|\b{_PRICE}\s({'|'.join(_ADJECTIVES)})e?\b", re.IGNORECASE
)


def rate_in(heading: str) -> str | None:
    """The measure that a column header or label counts per: "Price per month (GBP)"."""
    if _HINT.search(heading) and (found := _measure(_RATE.search(heading))):
        return found
    named = _ADJECTIVE.search(heading)
    return _ADJECTIVES[(named[1] or named[2]).casefold()] if named else None


def rates_differ(first: str | None, second: str | None) -> bool:
    """Whether two rates are of different measures; an unknown one may be any."""
    return first is not None and second is not None and not same_unit(first, second)


def _measure(match: re.Match[str] | None) -> str | None:
    if match is not None and match["many"]:
        return _COUNTS[match["many"].casefold()]
    return (match["unit"] or match["time"] or match["each"]).casefold() if match else None
