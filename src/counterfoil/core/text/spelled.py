"""Owns lengths of time whose number is written as a word: "two weeks", "a fortnight", "zwölf Jahre".

Never: "a day" or "one year", which seldom count, or spans that are periods ("three months ended June 30").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from counterfoil.core.text.alternatives import one_of
from counterfoil.core.text.measures import UNITS
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import Quantity

_NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fourteen": 14, "fifteen": 15, "eighteen": 18, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "ninety": 90, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
    "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "vierzehn": 14, "zwanzig": 20, "dreißig": 30, "deux": 2, "trois": 3,
    "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "douze": 12, "quinze": 15, "vingt": 20,
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "doce": 12,
}  # fmt: skip
_WHOLE = {
    "fortnight": (Decimal(2), "weeks"),
    "fortnightly": (Decimal(2), "weeks"),
    "half an hour": (Decimal(30), "minutes"),
}
_TIMES = one_of(n for n, u in UNITS.items() if u.dimension in ("time", "calendar") and len(n) > 2)
_SPELLED = re.compile(
    rf"(?<![\w-])(?:(?P<number>{one_of(_NUMBERS)})[\s-](?P<unit>{_TIMES})|(?P<whole>{one_of(_WHOLE)}))(?![^\W\d_])",
    re.IGNORECASE,
)


def find_spelled(text: str) -> tuple[Quantity, ...]:
    """Every length of time in ``text`` whose number is a word, in order, as a quantity in its unit."""
    matches = list(_SPELLED.finditer(text))
    periods: Sequence[tuple[int, int]] = [(p.start, p.end) for p in find_periods(text)] if matches else ()
    out = []
    for match in matches:
        if any(start < match.end() and match.start() < end for start, end in periods):
            continue
        if match["whole"]:
            value, unit = _WHOLE[match["whole"].casefold()]
        else:
            value, unit = Decimal(_NUMBERS[match["number"].casefold()]), match["unit"].casefold()
        out.append(Quantity(match[0], match.start(), match.end(), value, 0, unit, Decimal(1), "number"))
    return tuple(out)
