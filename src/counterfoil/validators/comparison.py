"""Owns UNLIKE_RANKED: a ranking compares like with like, and is the one that the values bear out.

Never: how values are read (see ``core.answer.comparison``).
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.comparison import check_comparisons
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.answer.findings import Finding
from counterfoil.core.record.state import RunState
from counterfoil.core.text.vocabulary import NO_WORDS, Vocabulary


class Comparison(msgspec.Struct, frozen=True):
    """Claims such as "cheaper" or "twice as much" against bound figures and recorded facts."""

    name: str = "comparison@1"
    vocabulary: Vocabulary = NO_WORDS

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each claim that ranks unlike values, or against its values."""
        base = Base(
            state.contract, state.evidence, state.facts, candidate.calculations, state.snapshot.anchor.as_of,
            vocabulary=self.vocabulary,
        )  # fmt: skip
        figures = judge_figures(candidate.body, base)
        return check_comparisons(candidate.body, figures, base)
