"""Owns the readings of a figure: as written, and with the scale that its table, sentence or task states.

Never: which reading is right; the cited numbers decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

import msgspec

from counterfoil.core.answer.asked import SCALE_PHRASE, Asked
from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.scopes import Scope
from counterfoil.core.text.limits import about_before
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.periods import Period, find_periods
from counterfoil.core.text.quantities import Quantity, parse_amount
from counterfoil.core.text.rates import rate_in
from counterfoil.core.text.scales import scale_of
from counterfoil.core.text.stems import stems

_ABOUT_MAX = Decimal("0.05")  # how far off a round number may be, of the number
_MINUS = re.compile(r"[-−–]")
_LANGUAGE = re.compile(
    r"\b(?:the|of|was|were|is|and|with|had|has|its|thousand|billion|trillion)\b|\d(?:bn|mn)\b"
    r"|\b(?:der|die|das|und|war|ist|bei|auf|les|des|une|est|dans|los|las|una|del|fue|gli|della|nel)\b"
    r"|\b(?:millionen|milliarden|milliards?|mil millones|millones|miliardi|milioni)\b",
    re.IGNORECASE,
)
_NEAR = 8  # characters in which a bracket is looked for


def readings_of(quantity: Quantity, scope: Scope, asked: Asked) -> Iterator[Quantity]:
    """The figure as written, then with the scale that its table, its sentence or the task states."""
    written = [quantity]
    both = (parse_amount(quantity.text, "."), parse_amount(quantity.text, ","))
    for other in () if _told(quantity, scope) else both:
        if other is not None and other.value != quantity.value:
            written.append(other)
    bracketed = quantity.text.startswith("(") and not _MINUS.search(quantity.text)
    if quantity.value < 0 and bracketed and scope.kind != "row":
        written += [msgspec.structs.replace(one, value=-one.value) for one in written]  # an aside: "(a record $1.8 bn)"
    elif quantity.value > 0 and _in_brackets(quantity, scope):
        written += [msgspec.structs.replace(one, value=-one.value) for one in written]
    yield from written
    if about_before(scope.text, quantity.start):
        yield from (rounded for one in written if (rounded := _rounded(one)) is not None)
    if quantity.multiplier != 1 or quantity.kind == "percent":
        return
    phrases = [scope.caption, scope.text] if scope.kind != "row" else [scope.caption, *_column(quantity, scope)]
    scales = [scale_of(p) for p in phrases[1:]] if scope.kind == "row" else []
    scales += [scale for phrase in phrases if (scale := _stated_scale(phrase))]
    for scale in dict.fromkeys(s for s in (*scales, asked.scale) if s is not None):
        for one in written:
            yield msgspec.structs.replace(one, value=one.value * scale, multiplier=scale)


def _told(quantity: Quantity, scope: Scope) -> bool:
    """Whether the words of a figure with a scale say how to read it: in English, "2,018bn" is no 2.018 billion."""
    return quantity.multiplier != 1 and _LANGUAGE.search(scope.text) is not None


def _rounded(quantity: Quantity) -> Quantity | None:
    """A round number that is said to be about right, with its zeros as rounding: "about 5,400" may be 5,398."""
    if quantity.decimals or quantity.value != quantity.value.to_integral_value():
        return None
    zeros, plain = 0, abs(quantity.value / quantity.multiplier)
    while plain and not plain % Decimal(10) ** (zeros + 1) and Decimal(10) ** (zeros + 1) <= 2 * _ABOUT_MAX * plain:
        zeros += 1
    return msgspec.structs.replace(quantity, decimals=-zeros) if zeros else None


@lru_cache(maxsize=64)  # every figure of a scope asks for the same text
def _stated_scale(text: str) -> Decimal | None:
    found = SCALE_PHRASE.search(text)
    return scale_of(found[0]) if found else None


def _in_brackets(quantity: Quantity, scope: Scope) -> bool:
    """Whether the figure stands alone in brackets, as a table shows a negative amount: "(45)"."""
    before = scope.text[max(0, quantity.start - _NEAR) : quantity.start].rstrip()
    after = scope.text[quantity.end : quantity.end + _NEAR].lstrip()
    return before.endswith("(") and after.startswith(")")


def beside_cells(scope: Scope, quantities: Sequence[Quantity]) -> tuple[Beside, ...]:
    """What stands beside the figures of a Markdown row: the label of the row and the header of the column."""
    out = []
    for quantity in quantities:
        header, label = _column(quantity, scope)
        label = "" if quantity.text in label else without_marks(label)
        periods: Sequence[Period] = find_periods(header) or find_periods(label) or find_periods(scope.caption)
        words = f"{label} {header}"
        for period in periods:
            words = words.replace(period.text, " ")
        own = periods[0] if len(periods) == 1 else None
        out.append(Beside(words, stems(words), own, per=rate_in(header), lead=words))
    return tuple(out)


def _column(quantity: Quantity, scope: Scope) -> tuple[str, str]:
    """The header of the figure's column and the label of its row."""
    at = scope.start + quantity.start
    header = next((cell.header for cell in scope.cells if cell.start <= at < cell.end), "")
    first = scope.cells[0] if scope.cells else None
    return header, scope.text[first.start - scope.start : first.end - scope.start] if first else ""
