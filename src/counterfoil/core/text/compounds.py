"""Owns amounts that are written in two steps and are one: "2 hours 45 minutes", "3億5000万".

Never: two amounts that only stand side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

import msgspec

from counterfoil.core.text.measures import converted, dimension
from counterfoil.core.text.quantity import Quantity

_BETWEEN = re.compile(r"\s*(?:and|und|et|y|e)?\s*")
_DIMENSIONS = ("time", "calendar", "length", "mass")


def joined(text: str, found: Iterable[Quantity]) -> list[Quantity]:
    """``found`` in ``text``, with those that are one amount in one."""
    out: list[Quantity] = []
    for quantity in found:
        last = out[-1] if out else None
        one = (_in_myriads(last, quantity) or _in_units(text, last, quantity)) if last is not None else None
        if one is None:
            out.append(quantity)
        else:
            out[-1] = one
    return out


def _in_myriads(first: Quantity, second: Quantity) -> Quantity | None:
    """ "3億" and "5000万", which stand together."""
    if first.end != second.start or first.text[-1] not in "万萬億亿兆" or first.multiplier <= second.multiplier:
        return None
    sign = -1 if first.signed else 1
    return msgspec.structs.replace(
        second, text=first.text + second.text, start=first.start, signed=first.signed,
        value=first.value + sign * second.value, unit=second.unit or first.unit,
        kind="money" if "money" in (first.kind, second.kind) else second.kind,
    )  # fmt: skip


def _in_units(text: str, first: Quantity, second: Quantity) -> Quantity | None:
    """ "2 hours" and "45 minutes": whole numbers of a larger unit and of fewer of a smaller one than make one."""
    dimensions = dimension(first.unit), dimension(second.unit)
    if dimensions[0] != dimensions[1] or dimensions[0] not in _DIMENSIONS or not first.value or first.decimals:
        return None
    one = converted(Decimal(1), first.unit, second.unit)
    if one is None or one <= 1 or not 0 < second.value < one or first.signed or second.signed:
        return None
    if _BETWEEN.fullmatch(text, first.end, second.start) is None:
        return None
    value = first.value * one + second.value
    return msgspec.structs.replace(second, text=text[first.start : second.end], start=first.start, value=value)
