"""Owns the numbers that a passage holds, each with what scales it: table cells first, else amounts in prose.

Never: choosing among several that fit, or inventing a scale the document does not state.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from counterfoil.core.evidence.passages import Cell, Passage
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.folding import loosely_folded
from counterfoil.core.text.measures import converted, dimension, same_unit
from counterfoil.core.text.polarity import names_loss, names_outflow
from counterfoil.core.text.quantities import (
    DecimalMark,
    Quantity,
    find_quantities,
    guess_decimal,
    parse_amount,
    parse_cell,
    same_amount,
)
from counterfoil.core.text.units import hundredths, is_currency, is_measure, unit_named, units_agree

# Languages whose documents write a decimal comma unless their own numbers say otherwise.
_COMMA_LANGUAGES = frozenset(
    {"de", "fr", "es", "it", "pt", "nl", "da", "sv", "nb", "no", "fi", "pl", "cs", "ru", "tr", "id"}
)


_PERCENT_UNITS = frozenset({"percent", "permille", "points", "bps"})


class Amount(msgspec.Struct, frozen=True):
    """A number in a passage. ``value`` is as written; times ``multiplier`` it is the amount meant.

    ``multiplier`` is None when a table cell's scale is unknown. ``cell`` is None for numbers in prose.
    """

    text: str
    value: Decimal
    multiplier: Decimal | None
    unit: str | None
    cell: Cell | None = None

    @property
    def scaled(self) -> Decimal:
        """The amount meant; as written when the scale is unknown."""
        return self.value if self.multiplier is None else self.value * self.multiplier


def decimal_mark(evidence: Evidence) -> DecimalMark | None:
    """The decimal mark of the passage: by its own numbers, else by the document's language."""
    shown = guess_decimal(evidence.passage.text)
    if shown is not None:
        return shown
    language = (evidence.source.document.language or "")[:2].casefold()
    return "," if language in _COMMA_LANGUAGES else None


def amounts(evidence: Evidence, decimal: DecimalMark | None = None) -> tuple[Amount, ...]:
    """Every number that the passage holds. A table row gives its cells and the numbers in its label."""
    mark = decimal or decimal_mark(evidence)
    return passage_amounts(evidence.passage, mark)


def passage_amounts(passage: Passage, mark: DecimalMark | None = None) -> tuple[Amount, ...]:
    """As ``amounts``, with the decimal mark already decided."""
    if passage.table is None:
        return _prose(passage.text, mark)
    label = passage.table.label
    captions = (passage.table.title.text if passage.table.title else "", passage.heading or "")
    read = [(cell, _cell(cell, mark, label.text if label else "", captions)) for cell in passage.table.cells]
    if not any(amount for _, amount in read):
        return _prose(passage.text, mark)
    held = tuple(amount for _, amount in read if amount)
    worded = [cell.value.text for cell, amount in read if amount is None]  # "45 minutes" beside a price
    if label:
        worded.append(label.text)
    return held + tuple(amount for text in worded for amount in _prose(text, mark))


def _prose(text: str, mark: DecimalMark | None) -> tuple[Amount, ...]:
    return tuple(
        Amount(q.text, q.value / q.multiplier, q.multiplier, q.unit)
        for q in find_quantities(text, mark)
        if q.kind in ("money", "percent", "number", "year")
    )


def _cell(cell: Cell, mark: DecimalMark | None, label: str, captions: tuple[str, str]) -> Amount | None:
    """The number of a cell; its unit is its own, else what its header, label, caption or heading names."""
    places = (*(h.text for h in reversed(cell.header)), label, *captions)
    named = cell.unit or next((unit for text in places if (unit := unit_named(text))), None)
    value = parse_cell(cell.value.text, mark)
    own = Decimal(cell.multiplier) if cell.multiplier is not None else None
    if value is not None and named is not None:
        return Amount(cell.value.text, value, own, named, cell)
    stated = parse_amount(cell.value.text, mark)
    if stated is not None and stated.multiplier != 1:  # "1.6 billion" inside a cell scales itself
        written = stated.value / stated.multiplier
        return Amount(cell.value.text, written, stated.multiplier, named or stated.unit, cell)
    if value is None:
        return None
    unit = named or (stated.unit if stated else None)
    return Amount(cell.value.text, value, own, unit, cell)


def header_text(cell: Cell) -> str:
    """The column header in one line, outermost level first."""
    return " ".join(" ".join(level.text.split()) for level in cell.header)


def header_fits(cell: Cell, header: str) -> bool:
    """Whether ``header`` names this cell's column: the whole header, or its innermost levels, case ignored."""
    asked = loosely_folded(header)
    levels = [loosely_folded(level.text) for level in cell.header]
    inner = (joint.join(levels[i:]) for i in range(len(levels)) for joint in (" ", " / ", " | "))
    return asked in levels or asked in inner


def units_fit(written: str | None, amount: Amount) -> bool:
    """Whether a figure written with a unit may stand for ``amount`` as it is: one currency, percent for percent.

    A cell without a known unit fits all; a bare number in prose is no percentage. Units that convert into each
    other do not fit (see ``in_unit``).
    """
    unit = amount.unit
    if written is None or (unit is None and (amount.cell is not None or written not in _PERCENT_UNITS)):
        return True
    if unit is None:
        return False
    if written in _PERCENT_UNITS or unit in _PERCENT_UNITS:
        return written == unit or (amount.cell is not None and {written, unit} == {"percent", "points"})
    if is_currency(written) or is_currency(unit):
        alike = is_currency(written) and amount.cell is not None and not is_measure(unit) and unit != "count"
        return units_agree(written, unit) if is_currency(written) and is_currency(unit) else alike
    if dimension(written) is None and dimension(unit) is None:
        return amount.cell is not None or same_unit(written, unit)
    return same_unit(written, unit)


def in_unit(amount: Amount, unit: str | None) -> Decimal | None:
    """``amount`` in another unit of its dimension by an exact factor; None when there is none or it is the same."""
    if unit is None or amount.unit is None or same_unit(unit, amount.unit):
        return None
    if {unit, amount.unit} == {"percent", "permille"}:
        return amount.scaled * 10 if unit == "permille" else amount.scaled / 10
    if {unit, amount.unit} == {"points", "bps"}:
        return amount.scaled * 100 if unit == "bps" else amount.scaled / 100
    if hundredths(unit, amount.unit):
        return amount.scaled * 100
    if hundredths(amount.unit, unit):
        return amount.scaled / 100
    return converted(amount.scaled, amount.unit, unit)


def amount_fits(written: Quantity, amount: Amount, *, signs_differ: bool = False) -> bool:
    """Whether a written figure stands for ``amount`` at its written precision, scale and unit included.

    An amount of unknown scale fits only a figure without scale, as written. ``signs_differ`` allows one to be
    negative and the other not (see ``honest_sign``).
    """
    if not units_fit(written.unit, amount):
        return False
    if amount.multiplier is None and written.multiplier != 1:
        return False
    return same_amount(written, amount.scaled, ignore_sign=signs_differ)


def honest_sign(written: Quantity, amount: Amount, said: str, label: str) -> bool:
    """Whether words make up for a difference in sign: ``said`` around the figure, ``label`` around the amount.

    "(206)" may be written as a loss of 206; 1,577 of purchases may be shown as (1,577).
    """
    if (written.value < 0) == (amount.value < 0):
        return True
    return names_outflow(label) or names_loss(said) or (written.value < 0 and names_loss(label))
