"""Owns CONFLICT_HIDDEN: where sources disagree on a cell, the answer shows every value.

Never: which of them is right.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.conflicts import conflicts
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import words_stand_in
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.quantities import Quantity, amount_in, find_quantities, same_amount
from counterfoil.core.text.units import units_agree


class ConflictHidden(msgspec.Struct, frozen=True):
    """Values of conflicting stated facts against the numbers and words of the body."""

    name: str = "conflict_hidden@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each cell whose conflict the body does not show in full."""
        body = without_marks(candidate.body)
        figures = find_quantities(body)
        found: list[Finding] = []
        for conflict in conflicts(state.contract, state.facts):
            hidden = [g[0] for g in conflict.groups if not any(_shown(fact, body, figures) for fact in g)]
            if hidden:
                values = " and ".join(_value(group[0]) for group in conflict.groups)
                where = f"{conflict.row} / {conflict.field}".strip(" /")
                needed = f"sources disagree: show {values}; missing is {', '.join(_value(f) for f in hidden)}"
                found.append(Finding("CONFLICT_HIDDEN", where, needed))
        return tuple(found)


def _shown(fact: Fact, body: str, figures: tuple[Quantity, ...]) -> bool:
    amount = amount_in(fact.value or "", fact.unit)
    if amount is None:
        return words_stand_in(fact.value or "", body)
    plain = amount.value / amount.multiplier  # a table may carry the scale in its header
    for figure in figures:
        agree = units_agree(figure.unit, amount.unit)
        if agree and (same_amount(figure, amount.value) or (figure.multiplier == 1 and figure.value == plain)):
            return True
    return False


def _value(fact: Fact) -> str:
    cited = ", ".join(f"[{e}]" for e in fact.evidence)
    return " ".join(part for part in (fact.value, fact.unit, cited) if part)
