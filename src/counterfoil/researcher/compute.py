"""Owns a bound calculation: every operand a cell, the formula in the grammar of calculations, the value rounded.

Never: a formula with an operand that is not bound.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from counterfoil.core.evidence.calculations import CalculationError, evaluate
from counterfoil.core.evidence.facts import Calculation, CalculationInput
from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.binding import Binder, Binding, Candidate
from counterfoil.researcher.expressions import Name, Node, Operand, operands, parse, render, replace
from counterfoil.researcher.grammar import fixed, grouped, operand_text
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period
from counterfoil.researcher.targets import Target

_SCALE = {"thousands": Decimal(1000), "millions": Decimal(10**6), "billions": Decimal(10**9)}


class Answer(msgspec.Struct, frozen=True):
    """A value found: either one cell or a calculation over cells. ``text`` is the value as it is to be written."""

    target: Target
    period: Period | None
    text: str
    unit: str
    exact: Decimal  # in plain units; a percentage as its number of percents
    cells: tuple[tuple[Operand, Candidate], ...]
    calculation: Calculation | None = None


class Missing(msgspec.Struct, frozen=True):
    """Why a target could not be answered: the operands without a cell."""

    target: Target
    period: Period | None
    operands: tuple[tuple[Operand, Binding], ...]
    why: str = ""


class Wish(msgspec.Struct, frozen=True):
    """How the value is to be written: currency, scale, decimals, as far as the question says."""

    unit: str | None = None
    scale: str | None = None
    places: int | None = None


def answer(
    target: Target, period: Period | None, binder: Binder, lexicon: Lexicon, wish: Wish, id: str
) -> Answer | Missing:
    """Bind and compute ``target`` at ``period``. ``id`` names the calculation ("C1") where one is needed."""
    node = target.node
    bound: dict[Operand, Candidate] = {}
    missing: list[tuple[Operand, Binding]] = []
    for _ in range(3):
        bound, missing, node, changed = _bind_all(node, period, binder, lexicon)
        if not changed:
            break
    if missing:
        return _stated(target, period, binder, lexicon, wish) or Missing(target, period, tuple(missing))
    if isinstance(node, Name):
        return _lookup(target, period, next(iter(bound.items())), wish)
    return _calculated(target, node, period, bound, wish, id, lexicon)


def _stated(target: Target, period: Period | None, binder: Binder, lexicon: Lexicon, wish: Wish) -> Answer | None:
    """Look up a quantity that has a formula in the document's own row for it ("Net debt"), when it has one."""
    name = target.sources[0] if len(target.sources) == 1 else ""
    formula = lexicon.formulas.get(name)
    if formula is None or target.defined or target.node != parse(formula.expression):
        return None
    term = Term(formula.name, formula.phrases, labels=(formula.name, *formula.phrases), kind=formula.kind)
    binding = binder.bind(term, period)
    if binding.found is None:
        return None
    plain = msgspec.structs.replace(target, node=Name(name), formula=False)
    return _lookup(plain, period, (Operand(name, period), binding.found), wish)


def _bind_all(
    node: Node, period: Period | None, binder: Binder, lexicon: Lexicon
) -> tuple[dict[Operand, Candidate], list[tuple[Operand, Binding]], Node, bool]:
    """Bind every operand; one that no row states is replaced by its formula, which asks for another round."""
    bound: dict[Operand, Candidate] = {}
    missing: list[tuple[Operand, Binding]] = []
    for operand in operands(node, period):
        term = lexicon.terms.get(operand.name)
        binding = (
            binder.bind(term, operand.period) if term is not None else Binding(why="not a quantity of the vocabulary")
        )
        if binding.found is not None:
            bound[operand] = binding.found
            continue
        formula = lexicon.formulas.get(operand.name)
        if formula is not None and not binding.near:
            return {}, [(operand, binding)], replace(node, operand.name, parse(formula.expression)), True
        missing.append((operand, binding))
    return bound, missing, node, False


def _lookup(target: Target, period: Period | None, item: tuple[Operand, Candidate], wish: Wish) -> Answer:
    operand, candidate = item
    value = abs(candidate.value) if target.cash else candidate.value
    amount = value * candidate.multiplier
    text, unit = written(amount, target.kind, candidate, wish, as_is=value)
    return Answer(target, period, text, unit, amount, ((operand, candidate),))


def written(
    amount: Decimal, kind: str, candidate: Candidate, wish: Wish, as_is: Decimal | None = None
) -> tuple[str, str]:
    """Return (value, unit) of an amount in the scale asked for, else in the document's own."""
    if kind == "percent":
        return (fixed(amount, wish.places) if wish.places is not None else grouped(amount)), "percent"
    currency = (
        wish.unit or (candidate.cell.unit if candidate.cell.unit not in (None, "money", "per share") else None) or ""
    )
    if kind == "count" and wish.scale:
        value = amount / _SCALE[wish.scale]
        return (fixed(value, wish.places) if wish.places is not None else grouped(value)), wish.scale
    if kind in ("per_share", "count", "days", "ratio"):
        unit = {"per_share": f"{currency} per share".strip(), "count": "", "days": "days", "ratio": ""}[kind]
        scaled = as_is if as_is is not None and kind != "count" else amount
        return (fixed(scaled, wish.places) if wish.places is not None else grouped(scaled)), unit
    scale = wish.scale or _own_scale(candidate.multiplier)
    value = amount / _SCALE.get(scale, Decimal(1))
    if wish.places is not None:
        return fixed(value, wish.places), f"{currency} {scale}".strip()
    return grouped(value), f"{currency} {scale}".strip()


def _own_scale(multiplier: Decimal) -> str:
    return next((name for name, size in _SCALE.items() if size == multiplier), "")


def _calculated(
    target: Target,
    node: Node,
    period: Period | None,
    bound: dict[Operand, Candidate],
    wish: Wish,
    id: str,
    lexicon: Lexicon,
) -> Answer | Missing:
    formula = render(node, period, lambda operand: _written_operand(operand, bound[operand], lexicon))
    if _hundredfold(target, bound, lexicon):
        formula = f"100 * ({formula})"
    try:
        exact = evaluate(formula, {operand.id: found.amount for operand, found in bound.items()})
    except CalculationError:
        return Missing(target, period, (), why="the formula cannot be computed from these values")
    sample = next(iter(bound.values()))
    places = wish.places if wish.places is not None else {"percent": 1, "ratio": 2, "days": 2}.get(target.kind)
    text, unit = written(exact, target.kind, sample, msgspec.structs.replace(wish, places=places))
    unit = "percentage points" if target.points else unit
    used = tuple(
        CalculationInput(
            name=operand.id,
            evidence_id=found.passage.id,
            value=operand_text(found.cell.value, found.value),
            header=found.cell.header or None,
            multiplier=format(found.multiplier, "f"),
        )
        for operand, found in bound.items()
    )
    calculation = Calculation(id=id, formula=formula, inputs=used, value=text, unit=unit or None)
    return Answer(target, period, text, unit, exact, tuple(bound.items()), calculation)


def _written_operand(operand: Operand, found: Candidate, lexicon: Lexicon) -> str:
    """Write an operand; a payment shown in brackets counts as its size."""
    term = lexicon.terms.get(operand.name)
    return f"abs({operand.id})" if term is not None and term.outflow and found.value < 0 else operand.id


def _hundredfold(target: Target, bound: dict[Operand, Candidate], lexicon: Lexicon) -> bool:
    """Say whether a plain ratio is to be shown in percents; cells in percents are so already."""
    return target.percent and not any(lexicon.kind_of(operand.name) == "percent" for operand in bound)
