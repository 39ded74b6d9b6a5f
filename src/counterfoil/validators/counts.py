"""Owns COUNT_NOT_MET: what was asked in numbers is counted, and there.

Never: a count that nothing in the body settles; such an ask is left to other checks.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate, Gap
from counterfoil.core.answer.counting import Count
from counterfoil.core.answer.findings import Finding
from counterfoil.core.record.measured import measured
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import words_stand_in


class Counts(msgspec.Struct, frozen=True):
    """Asks of the question and the definition of done; what cannot be met may be declared as a gap."""

    name: str = "counts@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each ask that is not met."""
        found: list[Finding] = []
        for count in measured(candidate, state):
            if count.met is not False or any(_declared(gap, count) for gap in candidate.gaps):
                continue
            needed = (
                f'{count.asked}; counted {count.measured}; if that cannot be, declare a gap with field "{count.noun}" '
                "and why"
            )
            found.append(Finding("COUNT_NOT_MET", count.text, needed))
        return tuple(found)


def _declared(gap: Gap, count: Count) -> bool:
    return words_stand_in(count.noun, f"{gap.field} {gap.why}")
