"""Owns one number as it is written: its value, unit, scale and place in a text.

Never: finding or reading it (see ``quantities``).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec

QuantityKind = Literal["money", "percent", "number", "year", "date", "ordinal", "identifier", "version"]


class Quantity(msgspec.Struct, frozen=True):
    """A number as written: ``source[start:end] == text``, currency, scale and unit included.

    ``value`` is signed and already multiplied by ``multiplier`` ("$1.6 billion" is 1600000000, "12%" is 12).
    ``decimals`` counts the digits written behind the decimal mark. ``unit`` is a currency code, "percent",
    "points", "bps", a measure, or None. A date or period is one quantity whose value is its year (0 if unknown).
    ``signed`` says that a minus or accounting brackets were written.
    """

    text: str
    start: int
    end: int
    value: Decimal
    decimals: int
    unit: str | None
    multiplier: Decimal
    kind: QuantityKind
    signed: bool = False

    @property
    def step(self) -> Decimal:
        """One unit of the last written digit, scale included. ".00" on money is format, not precision."""
        decimals = self.decimals
        if self.kind == "money" and decimals == 2 and (self.value / self.multiplier) % 1 == 0:
            decimals = 0
        return self.multiplier.scaleb(-decimals)
