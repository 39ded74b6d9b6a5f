"""Owns operands: bound numbers with the formula that leads to them, and results that a sentence names.

Never: which operation a sentence names (see ``derived``), or searching for operands that fit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import msgspec

from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.held import Held
from counterfoil.core.answer.nouns import unit_class
from counterfoil.core.evidence.amounts import header_text
from counterfoil.core.evidence.calculations import CalculationError, evaluate
from counterfoil.core.evidence.facts import Calculation, CalculationInput
from counterfoil.core.text.quantities import Quantity, same_amount
from counterfoil.core.text.units import hundredths


class Operand(msgspec.Struct, frozen=True):
    """A number that may be reckoned with: ``formula`` over ``inputs`` gives ``value``; ``year`` is its period's.

    ``written`` is the figure as the answer rounds it, where it stands in the answer.
    """

    value: Decimal
    unit: str | None
    formula: str
    inputs: tuple[CalculationInput, ...]
    start: int = 0
    said: Beside = Beside()
    year: int | None = None
    held: Held | None = None
    written: Decimal | None = None

    @property
    def kind(self) -> str | None:
        """What it counts, as ``unit_class`` says."""
        return unit_class(self.unit)


class Result(msgspec.Struct, frozen=True):
    """What a named operation gives. ``change`` says that its sign is a direction; ``points`` that % means points."""

    value: Decimal
    unit: str | None
    formula: str
    inputs: tuple[CalculationInput, ...]
    change: bool = False
    points: bool = False
    rounded: Decimal | None = None  # what the operands give as they are written: 36.8 - 34.6 is 2.2

    def calculation(self, written: Quantity) -> Calculation:
        """The record of it, with the value as the answer writes it."""
        return Calculation("", self.formula, self.inputs, written.text, self.unit)


def operand_of(name: str, held: Held, *, sign: int = 0, start: int = 0, said: Beside = Beside()) -> Operand:  # noqa: B008
    """``held`` under a name; ``sign`` is that of the written figure, 0 for the document's own."""
    cell = held.amount.cell
    header = header_text(cell) or None if cell else None
    multiplier = held.amount.multiplier
    given = CalculationInput(
        name, held.citation, held.amount.text, header, format(multiplier, "f") if multiplier is not None else "1"
    )
    flipped = sign and (held.amount.scaled < 0) != (sign < 0)
    value = -held.amount.scaled if flipped else held.amount.scaled
    year = next((p.year for p in (said.period, *held.periods) if p is not None and p.year), None)
    return Operand(value, held.amount.unit, f"-{name}" if flipped else name, (given,), start, said, year, held)


def result_of(
    formula: str, operands: Sequence[Operand], unit: str | None, *, change: bool = False, points: bool = False
) -> Result | None:
    """The result of ``formula``, whose {0}, {1} stand for the operands; None when it has none (division by zero)."""
    names = formula.format(*(f"v{i}" for i in range(len(operands))))
    try:
        value = evaluate(names, {f"v{i}": o.value for i, o in enumerate(operands)})
        written = {f"v{i}": o.value if o.written is None else o.written for i, o in enumerate(operands)}
        rounded = evaluate(names, written)
    except CalculationError:
        return None
    known: dict[str, CalculationInput] = {}
    parts = [_renamed(operand, known) for operand in operands]
    spelled = formula.format(*(part if part.isidentifier() else f"({part})" for part in parts))
    return Result(value, unit, spelled, tuple(known.values()), change, points, rounded)


def _renamed(operand: Operand, known: dict[str, CalculationInput]) -> str:
    """The operand's formula with names that no other number has; its inputs are added to ``known``."""
    formula = operand.formula
    for given in operand.inputs:
        name, number = given.name, 1
        while name in known and known[name] != msgspec.structs.replace(given, name=name):
            number += 1
            name = f"{given.name}_{number}"
        known[name] = msgspec.structs.replace(given, name=name)
        formula = re.sub(rf"\b{re.escape(given.name)}\b", name, formula)
    return formula


def gives(result: Result, written: Quantity, said: Beside) -> bool | None:
    """Whether a result is the written figure; None when only the direction that is said contradicts it."""
    unit = written.unit
    values = [result.value] if result.rounded is None else [result.value, result.rounded]
    if hundredths(unit, result.unit):
        values = [value * 100 for value in values]
    elif unit is not None and result.unit is not None and unit_class(unit) != unit_class(result.unit):
        return False
    if not any(same_amount(written, value, ignore_sign=result.change) for value in values):
        return False
    if result.change and result.value:
        sign = 1 if result.value > 0 else -1
        way = -1 if written.value < 0 else said.direction
        if way and way != sign:
            return None
    return True


def ordered(first: Operand, second: Operand) -> tuple[Operand, Operand]:
    """(earlier, later) of two: a "from" is earlier, else the years say, else the order in the sentence."""
    a, b = sorted((first, second), key=lambda o: o.start)
    if b.said.role == "base" and a.said.role != "base":
        return b, a
    if a.year and b.year and a.year != b.year:
        return (a, b) if a.year < b.year else (b, a)
    return a, b
