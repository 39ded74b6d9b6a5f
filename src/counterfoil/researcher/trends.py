"""Owns answers to "did it rise?": the same quantity at two or three periods, and what code can say of them.

Never: a judgement ("healthy", "intensive") that no rule in the question states.
"""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise

from counterfoil.researcher import compose
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.compute import Answer, Missing, Wish, answer
from counterfoil.researcher.draft import Cell, Draft, binder, reported
from counterfoil.researcher.memory import Memory
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period
from counterfoil.researcher.targets import Target
from counterfoil.researcher.words import fold

_STEADY = re.compile(r"consistent|fluctuat|stable|steady|\btrends?\b")
_TOLERANCE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent)")


def draft_trend(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft | None:
    """Compare the quantity over the periods asked for; None when it is not bound at two of them."""
    last = reported(ask, memory)
    if last is None:
        return None
    steady = _STEADY.search(fold(ask.plain)) is not None
    periods = _periods(ask, last, three=steady)
    for target in ask.targets:
        found = _at_all(target, periods, ask, memory, lexicon)
        if steady and len(found) < len(periods):
            found = _at_all(target, periods[1:], ask, memory, lexicon)
        if len(found) >= 2:
            return _compared(ask, found, cell, steady=steady)
    return None


def missing(ask: Ask, memory: Memory, lexicon: Lexicon) -> Draft:
    """Return what a comparison still lacks."""
    last = reported(ask, memory)
    gate = binder(ask, memory, lexicon)
    lacking = []
    for period in _periods(ask, last, three=False) if last else ():
        found = answer(ask.targets[0], period, gate, lexicon, Wish(), "C1")
        if isinstance(found, Missing):
            lacking += [operand for operand, binding in found.operands if not binding.near]
    return Draft("", missing=list(dict.fromkeys(lacking)))


def _periods(ask: Ask, last: Period, *, three: bool) -> list[Period]:
    named = sorted(set(ask.periods), key=lambda p: (p.year, p.quarter or 0))
    if len(named) > 1:
        return sorted(named, key=lambda p: (p.year, p.quarter or 0))[-3:] if three else [named[0], named[-1]]
    return [last.before(2), last.before(), last] if three else [last.before(), last]


def _at_all(target: Target, periods: list[Period], ask: Ask, memory: Memory, lexicon: Lexicon) -> list[Answer]:
    gate = binder(ask, memory, lexicon)
    wish = Wish(ask.unit, ask.scale, ask.places)
    found: list[Answer] = []
    for period in periods:
        value = answer(target, period, gate, lexicon, wish, f"C{len(found) + 1}")
        if isinstance(value, Answer):
            found.append(value)
    return found if len(found) == len(periods) else []


def _compared(ask: Ask, found: list[Answer], cell: Cell, *, steady: bool) -> Draft:
    first, last = found[0], found[-1]
    change = last.exact - first.exact
    label = first.target.label
    if steady:
        sentence = _steadiness(ask, found)
    else:
        verb = "rose" if change > 0 else "fell" if change < 0 else "did not change"
        answer_word = _yes_no(ask, change)
        ends = (
            f"from {_value(first)} ({first.period.text}) to {_value(last)} ({last.period.text})"
            if first.period and last.period
            else ""
        )
        sentence = f"{answer_word}{label} {verb} {ends}" if change else f"{answer_word}{label} {verb}: {_value(last)}"
    lines = [f"**{sentence}**{f' — {ask.subject}' if ask.subject else ''} {compose.marks(found)}", ""]
    for item in found:
        lines += compose.calculation(item)
    lines += compose.rows([c for item in found for _, c in item.cells])
    made = [a.calculation for a in found if a.calculation]
    return Draft("\n".join(lines).strip(), [compose.fact(cell.row, cell.field, last)], made)


def _value(item: Answer) -> str:
    return compose.quantity(item.text, item.unit)


def _yes_no(ask: Ask, change: Decimal) -> str:
    if not ask.polar or re.search(
        r"\bincrease or decrease\b|\brise or fall\b|\bup or down\b|\bhigher or lower\b"
        r"|\bimproved? or declined?\b|\b\w+ed or \w+ed\b",
        fold(ask.plain),
    ):
        return ""
    if ask.direction == 0:
        return "Yes: " if change else "No: "
    return "Yes: " if change * ask.direction > 0 else "No: "


def _steadiness(ask: Ask, found: list[Answer]) -> str:
    values = ", ".join(f"{_value(a)} ({a.period.text})" for a in found if a.period)
    limit = _TOLERANCE.search(fold(ask.question))
    label = found[0].target.label
    if limit is None or found[0].unit != "percent":
        return f"{label}: {values}"
    most = max(abs(b.exact - a.exact) for a, b in pairwise(found))
    return f"{'Yes' if most <= Decimal(limit.group(1)) else 'No'}: {label} was {values}"


def draft_assessment(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft | None:
    """Give the figures that a judgement would rest on, without judging; None when none is bound."""
    period = reported(ask, memory)
    gate = binder(ask, memory, lexicon)
    found: list[Answer] = []
    for target in ask.targets:
        value = answer(target, period, gate, lexicon, Wish(ask.unit, ask.scale, ask.places), f"C{len(found) + 1}")
        if isinstance(value, Answer) and value.target.formula:
            found.append(value)
    if not found:
        return None
    when = f" ({period.text})" if period else ""
    sign = re.search(r"\b(positive|negative)\b", fold(ask.plain))
    word = ""
    if sign and ask.polar:
        word = "Yes: " if (found[0].exact > 0) == (sign.group(1) == "positive") else "No: "
    heads = "; ".join(f"{a.target.label} {_value(a)}" for a in found)
    lines = [f"**{word}{heads}{when}**{f' — {ask.subject}' if ask.subject else ''} {compose.marks(found)}", ""]
    lines += ["These are the figures the question turns on; whether they are high or low is left to the reader.", ""]
    for item in found:
        lines += compose.calculation(item)
    lines += compose.rows([c for item in found for _, c in item.cells])
    return Draft(
        "\n".join(lines).strip(),
        [compose.fact(cell.row, cell.field, found[0])],
        [a.calculation for a in found if a.calculation],
    )


def draft_paid(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft | None:
    """Answer "has it paid x?" with the amount paid; None when no row states it."""
    period = reported(ask, memory)
    found = answer(
        ask.targets[0], period, binder(ask, memory, lexicon), lexicon, Wish(ask.unit, ask.scale, ask.places), "C1"
    )
    if not isinstance(found, Answer):
        return None
    word = "Yes" if found.exact else "No"
    about = compose.about(ask.subject, found.target.label, found.period)
    head = f"**{word}: {_value(found)}** — {about} {compose.mark(found)}"
    lines = [head, "", *compose.rows([c for _, c in found.cells])]
    return Draft("\n".join(lines).strip(), [compose.fact(cell.row, cell.field, found)])
