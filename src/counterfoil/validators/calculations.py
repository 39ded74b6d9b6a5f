"""Owns CALCULATION_UNBOUND: every calculation of a candidate has bound operands and the value it gives.

Never: finding operands itself.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.calculation_check import check_calculation
from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.calculations import UNBOUND
from counterfoil.core.record.state import RunState


class Calculations(msgspec.Struct, frozen=True):
    """The calculations that came with the candidate, cited or not."""

    name: str = "calculations@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """Every operand, formula or value that does not hold; an id may be used once."""
        found: list[Finding] = []
        seen: set[str] = set()
        for calc in candidate.calculations:
            if calc.id in seen:
                found.append(Finding(UNBOUND, f"[{calc.id}]", "an id of its own for each calculation"))
            seen.add(calc.id)
            found.extend(check_calculation(calc, state.evidence))
        return tuple(found)
