"""Owns whether a calculation is bound: every operand stands in evidence and the value is the formula's result.

Never: searching for operands that happen to fit, or choosing among several that do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.amounts import Amount, amounts, decimal_mark, header_fits, header_text
from counterfoil.core.evidence.calculations import UNBOUND, CalculationError, evaluate, multiplier_of, names_in
from counterfoil.core.evidence.facts import Calculation, CalculationInput
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.quantities import amount_in, format_amount, parse_amount, parse_cell, same_amount


def check_calculation(calc: Calculation, evidence: Callable[[str], Evidence | None]) -> tuple[Finding, ...]:
    """Everything that keeps ``calc`` from being bound, as CALCULATION_UNBOUND findings; () when it holds.

    Every input's number must stand, sign included, in its passage (in a cell under ``header`` when one is given)
    and be scaled as that passage scales it; a cell of unknown scale accepts any multiplier. The formula's result
    must equal the value at its written precision. The formula says everything: a percentage needs "* 100" in it.
    """
    found: list[Finding] = []
    values: dict[str, Decimal] = {}
    for given in calc.inputs:
        value, problem = _bound(given, evidence)
        if problem:
            found.append(Finding(UNBOUND, f"[{calc.id}] input {given.name} = {given.value}", problem))
        elif given.name in values and values[given.name] != value:
            found.append(Finding(UNBOUND, f"[{calc.id}] input {given.name}", "one number for one name"))
        if value is not None:
            values[given.name] = value
    if not calc.inputs:
        found.append(Finding(UNBOUND, f"[{calc.id}] {calc.formula}", "at least one input that is bound to evidence"))
    if not found:
        found.extend(_result_findings(calc, values))
    return tuple(found)


def _bound(given: CalculationInput, evidence: Callable[[str], Evidence | None]) -> tuple[Decimal | None, str]:
    """(the operand's amount, what is missing); the amount is None when the value cannot be read at all."""
    read = evidence(given.evidence_id)
    if read is None:
        return None, f"an evidence ID of this Run; {given.evidence_id!r} is none"
    multiplier = multiplier_of(given)
    if multiplier is None:
        return None, f"a positive number as multiplier, such as 1000000; {given.multiplier!r} is none"
    held = amounts(read)
    columns = [a for a in held if given.header is None or (a.cell is not None and header_fits(a.cell, given.header))]
    if not held:
        return None, f"a passage with numbers; {given.evidence_id} has none"
    if not columns:
        return None, f"a column of {given.evidence_id}: {_headers(held)}"
    best = ""
    for reading in (None, decimal_mark(read)):
        written = parse_amount(given.value, reading)
        own = written.multiplier if written else Decimal(1)
        # "(64)" is a note in running text and -64 in a cell, so an operand that no sentence reads is read as a cell
        value = written.value / own if written else parse_cell(given.value, reading)
        for amount in columns:
            if value is None or value != amount.value:
                continue
            scale = own * multiplier
            if amount.multiplier in (None, scale):
                return amount.value * scale, ""
            right = format(amount.multiplier.normalize(), "f")
            best = f"multiplier {right}: that is how {given.evidence_id} scales {amount.text!r}"
    return None, best or f"a number that {given.evidence_id} holds: {_offers(columns)}"


def _headers(held: Sequence[Amount]) -> str:
    names = dict.fromkeys(header_text(a.cell) for a in held if a.cell is not None and a.cell.header)
    return ", ".join(repr(n) for n in list(names)[:6]) or "it has no column headers; leave header out"


def _offers(columns: Sequence[Amount]) -> str:
    return ", ".join(dict.fromkeys(a.text for a in columns[:8])) or "it holds none"


def _result_findings(calc: Calculation, values: Mapping[str, Decimal]) -> list[Finding]:
    try:
        result = evaluate(calc.formula, values)
    except CalculationError as error:
        return [Finding(UNBOUND, f"[{calc.id}] {calc.formula}", error.message)]
    if not names_in(calc.formula):
        return [Finding(UNBOUND, f"[{calc.id}] {calc.formula}", "a formula that names its inputs")]
    written = amount_in(calc.value, calc.unit)
    if written is None:
        return [Finding(UNBOUND, f"[{calc.id}] value {calc.value!r}", "one number, such as 45.2 with unit percent")]
    if same_amount(written, result):
        return []
    right = format_amount(result / written.multiplier, max(written.decimals, 2))
    hint = ""
    if written.unit in ("percent", "points") and same_amount(written, result * 100):
        hint = "; for a percentage write '* 100' in the formula"
    where = f"[{calc.id}] value {calc.value} {calc.unit or ''}".rstrip()
    return [Finding(UNBOUND, where, f"the formula gives {right}{hint}")]
