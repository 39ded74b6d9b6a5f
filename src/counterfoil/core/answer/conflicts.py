"""Owns the state of every cell of a contract, and which recorded facts disagree on one.

Never: choosing between facts that disagree; an answer has to show both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.answer.contract import CellState, Contract
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.text.folding import loosely_folded
from counterfoil.core.text.measures import converted
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import amount_in, same_amount
from counterfoil.core.text.units import units_agree


class CellView(msgspec.Struct, frozen=True):
    """A cell with every fact recorded for it, in order."""

    row: str
    field: str
    state: CellState
    facts: tuple[Fact, ...] = ()


class Conflict(msgspec.Struct, frozen=True):
    """Stated facts on one cell that disagree: one group for each value, in order of first record."""

    row: str
    field: str
    groups: tuple[tuple[Fact, ...], ...]


def _key(row: str, field: str) -> tuple[str, str]:
    return row.casefold(), field.casefold()


def _same_said(first: str | None, second: str | None) -> bool:
    """Whether two periods or conditions may be the same; one that is not said may be any."""
    if not first or not second or loosely_folded(first) == loosely_folded(second):
        return True
    a, b = find_periods(first), find_periods(second)
    if len(a) == 1 and len(b) == 1 and a[0].text == first.strip() and b[0].text == second.strip():
        x, y = a[0], b[0]
        return (x.year, x.quarter, x.half, x.end_date) == (y.year, y.quarter, y.half, y.end_date)
    return False


def comparable(first: Fact, second: Fact) -> bool:
    """Whether two facts speak of the same period under the same conditions."""
    return _same_said(first.period, second.period) and _same_said(first.conditions, second.conditions)


def grounded(fact: Fact) -> bool:
    """Whether a fact rests on something that was read; a bare estimate does not fill a cell."""
    return fact.kind in ("stated", "calculation") or (fact.kind == "estimate" and bool(fact.evidence))


def values_agree(first: Fact, second: Fact) -> bool:
    """Whether two facts give one value: amounts at the coarser precision and in one unit, else the same words."""
    a, b = amount_in(first.value or "", first.unit), amount_in(second.value or "", second.unit)
    if a is None or b is None:
        return loosely_folded(first.value or "") == loosely_folded(second.value or "")
    in_first = converted(b.value, b.unit, a.unit)  # 90 minutes and 1.5 hours agree
    if in_first is not None and a.unit != b.unit:
        in_second = converted(a.value, a.unit, b.unit)
        return same_amount(a, in_first) or (in_second is not None and same_amount(b, in_second))
    return units_agree(a.unit, b.unit) and (same_amount(a, b.value) or same_amount(b, a.value))


def _groups(facts: Sequence[Fact]) -> tuple[tuple[Fact, ...], ...]:
    groups: list[list[Fact]] = []
    for fact in facts:
        home = next((g for g in groups if all(values_agree(fact, other) for other in g)), None)
        if home is None:
            groups.append([fact])
        else:
            home.append(fact)
    return tuple(tuple(g) for g in groups)


def _conflict(row: str, field: str, facts: Sequence[Fact]) -> Conflict | None:
    """The disagreement among stated facts; those of another period or condition do not take part.

    Facts without a field answer a plain question in parts: they are no cell.
    """
    if not field:
        return None
    stated = [f for f in facts if f.kind == "stated"]
    involved = [
        f
        for f in stated
        if any(comparable(f, other) and not values_agree(f, other) for other in stated if other is not f)
    ]
    return Conflict(row, field, _groups(involved)) if involved else None


def _cells(contract: Contract, facts: Iterable[Fact]) -> tuple[tuple[str, str], ...]:
    """The contract's cells, then others that facts speak of."""
    cells = {_key(*cell): cell for cell in contract.cells()}
    for fact in facts:
        cells.setdefault(_key(fact.row, fact.field), (fact.row, fact.field))
    return tuple(cells.values())


def conflicts(contract: Contract, facts: Sequence[Fact]) -> tuple[Conflict, ...]:
    """Every cell on which stated facts disagree after normalisation (18 USD and $18.00 agree)."""
    found = (
        _conflict(row, field, [f for f in facts if _key(f.row, f.field) == _key(row, field)])
        for row, field in _cells(contract, facts)
    )
    return tuple(c for c in found if c is not None)


def covers(gap: Gap, row: str, field: str) -> bool:
    """Whether a declared gap speaks of the cell; an empty row or field stands for all."""
    return (not gap.row or gap.row.casefold() == row.casefold()) and (
        not gap.field or gap.field.casefold() == field.casefold()
    )


def cell_states(contract: Contract, facts: Sequence[Fact], gaps: Sequence[Gap] = ()) -> tuple[CellView, ...]:
    """The state of every cell: conflict or found by its facts, else not_found, unresolved or open."""
    out: list[CellView] = []
    for row, field in _cells(contract, facts):
        own = tuple(f for f in facts if _key(f.row, f.field) == _key(row, field))
        out.append(CellView(row, field, _state(row, field, own, gaps), own))
    return tuple(out)


def _state(row: str, field: str, facts: Sequence[Fact], gaps: Sequence[Gap]) -> CellState:
    if _conflict(row, field, facts) is not None:
        return "conflict"
    if any(grounded(f) for f in facts):
        return "found"
    if any(f.kind == "not_found" for f in facts):
        return "not_found"
    return next((gap.state for gap in gaps if covers(gap, row, field)), "open")
