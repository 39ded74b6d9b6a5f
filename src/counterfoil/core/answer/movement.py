"""Owns what bound figures of one sentence say together: which way a number went, and in what order they stand.

Never: binding a figure; it only takes a binding back.
"""

from __future__ import annotations

from collections.abc import Sequence

from counterfoil.core.answer.binding import moved
from counterfoil.core.answer.cited import Cited
from counterfoil.core.answer.held import Held
from counterfoil.core.answer.operands import Operand, operand_of
from counterfoil.core.answer.order import swapped
from counterfoil.core.answer.verdict import Verdict
from counterfoil.core.text.polarity import names_loss, names_outflow


def check_moves(verdicts: Sequence[Verdict], cited: Cited) -> None:
    """A level that is said to have risen did so from the base in its sentence, or from the column before."""
    levels = [v for v in verdicts if v.state == "bound" and v.operand is not None]
    bases = [v for v in levels if v.said.role == "base"]
    for base in bases:
        near = [v for v in levels if v.said.role in ("level", "plain") and _kind(v) == _kind(base)]
        near.sort(key=lambda v: (v.said.role != "level", abs(v.quantity.start - base.quantity.start)))
        if near:
            _moved(near[0], base.operand, near[0].said.direction or base.said.direction)
    if bases:
        return
    for verdict in levels:
        held = verdict.operand.held if verdict.operand else None
        if held is None or not held.is_row or verdict.said.role != "level" or not verdict.said.direction:
            continue
        row = next((cells for cells in cited.rows if held in cells), ())
        before = _column_before(held, row)
        if before is not None:
            _moved(verdict, operand_of("before", before), verdict.said.direction)


def _kind(verdict: Verdict) -> str | None:
    return verdict.operand.kind if verdict.operand else None


def _moved(level: Verdict, base: Operand | None, way: int) -> None:
    last = level.operand
    if last is None or base is None or not way:
        return
    named = f"{level.said.window} {last.held.label if last.held and last.held.is_row else ''}"
    costs = names_loss(named.replace("lower", "")) or names_outflow(named)
    if level.said.soft and costs:
        return  # an improved loss is a smaller one; the word does not say which way the number went
    first, now = base.value, last.value
    size = (first < 0 and now < 0) or (costs and (first < 0) != (now < 0))
    went = moved(first, now, size=size)
    if went and went != way:
        level.state, level.calculation = "mismatch", None
        level.nearest = f"the other direction: from {base.inputs[0].value} it went {'up' if went > 0 else 'down'}"


def check_order(verdicts: Sequence[Verdict], text: str) -> None:
    """Numbers that stand in another order than in the passage whose words the sentence repeats are swapped."""
    bound = [v for v in verdicts if v.state == "bound" and v.operand and v.operand.held and v.operand.held.quantity]
    pairs = [(v.quantity.start, v.operand.held) for v in bound if v.operand and v.operand.held]
    for place in swapped(text, pairs):
        bound[place].state, bound[place].calculation = "mismatch", None
        bound[place].nearest = f"the order of the passage: [{pairs[place][1].citation}]"


def _column_before(held: Held, row: Sequence[Held]) -> Held | None:
    """The cell of the same row, kind and span for the period before, None when there is not exactly one."""
    own = held.periods[0] if held.periods else None
    if own is None or own.year is None:
        return None
    earlier = [
        c
        for c in row
        if c.periods and 0 < (c.periods[0].year or 0) < own.year and c.periods[0].months == own.months
        and c.amount.unit == held.amount.unit
    ]  # fmt: skip
    latest = max((c.periods[0].year or 0 for c in earlier), default=0)
    cells = [c for c in earlier if c.periods[0].year == latest]
    return cells[0] if len(cells) == 1 else None
