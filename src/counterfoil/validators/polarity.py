"""Owns POLARITY_DOUBTFUL, a warning: a sentence affirms what its citation denies, or drops its condition.

Never: rejecting; a person decides.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.answer.polarities import doubtful
from counterfoil.core.answer.scopes import split_scopes
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import space_folded
from counterfoil.core.text.marks import without_marks


class Polarity(msgspec.Struct, frozen=True):
    """Sentences against the passages they cite; one passage that agrees is enough."""

    name: str = "polarity@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One warning for each sentence that every passage it cites makes doubtful."""
        found: list[Finding] = []
        for scope in split_scopes(candidate.body):
            if scope.kind not in ("sentence", "bullet"):
                continue
            read = [e for i in scope.cited if (e := state.evidence(i)) is not None and e.passage.table is None]
            said = without_marks(scope.text)
            doubts = [doubtful(said, e.passage.text) for e in read]
            if doubts and all(doubts):
                where = f"{space_folded(scope.text)[:200]} ({doubts[0]} in [{read[0].id}])"
                found.append(Finding("POLARITY_DOUBTFUL", where, "the passage's own polarity", warning=True))
        return tuple(found)
