"""Owns what bound figures of one sentence say together: which way a number went, and in what order they stand.

Never: binding a figure; it only takes a binding back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from counterfoil.core.answer.binding import moved
from counterfoil.core.answer.cited import Cited
from counterfoil.core.answer.compared import pair_of
from counterfoil.core.answer.derived import COUNT, COUNTS
from counterfoil.core.answer.held import Held
from counterfoil.core.answer.operands import Operand, operand_of
from counterfoil.core.answer.order import swapped
from counterfoil.core.answer.verdict import Verdict
from counterfoil.core.text.polarity import names_loss, names_outflow

# A number right before the word is what the two differ by; one right behind "than" is a bound.
_RANKS = re.compile(
    r"(?<=[^\W\d_]\s)(?<!\bno\s)(?<!\bnot\s)(?<!\bnicht\s)"
    r"(?:(?P<more>more|higher|larger|greater|longer|dearer|warmer|hotter|heavier|taller|mehr|höher|größer|länger|teurer|wärmer"
    r"|schwerer|davantage|más)"
    r"|less|fewer|lower|smaller|shorter|cheaper|cooler|colder|lighter|weniger|niedriger|kleiner|kürzer|billiger|kälter"
    r"|leichter|moins|menos)\b",
    re.IGNORECASE,
)
_THAN = re.compile(r"\s(?:than|als|que|qu['’])\s*(?=[^\W\d_])", re.IGNORECASE)
_REACH = 80  # characters from the word to its "than"


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
        if held is None or verdict.said.role != "level" or not verdict.said.direction:
            continue
        if held.is_row:
            before = _column_before(held, next((cells for cells in cited.rows if held in cells), ()))
        else:
            pair = pair_of(held, cited.numbers)
            before = pair[0] if pair is not None and pair[1] == held else None
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


def check_ranks(verdicts: Sequence[Verdict], text: str) -> None:
    """ "It made less in 2024 (447) than in 2023 (412)" is no less: of two that are ranked, the words say which is."""
    bound = [v for v in verdicts if v.state == "bound" and v.operand is not None]
    for match in _RANKS.finditer(text):
        than = _THAN.search(text, match.end(), match.end() + _REACH)
        if than is None:
            continue
        low, high = text.rfind(";", 0, match.start()) + 1, text.find(";", than.end())
        own = [v for v in bound if low <= v.quantity.start < (high if high >= 0 else len(text))]
        first = [v for v in own if v.quantity.start < than.start()]
        second = [v for v in own if v.quantity.start > than.start()]
        if len(first) != 1 or len(second) != 1 or _kind(first[0]) != _kind(second[0]):
            continue
        values = [v.operand.value for v in (*first, *second) if v.operand]
        times = [COUNTS[m[0].casefold()] for m in COUNT.finditer(text, than.end(), second[0].quantity.start)]
        if len(times) > 1:
            continue
        values[1] *= times[0] if times else 1  # "cheaper than two singles at $38 each"
        went = moved(values[1], values[0], size=values[0] < 0 and values[1] < 0)
        if went and went != (1 if match["more"] else -1):
            first[0].state, first[0].calculation = "mismatch", None
            first[0].nearest = f"the other order: {first[0].quantity.text} is {'more' if went > 0 else 'less'}"


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
