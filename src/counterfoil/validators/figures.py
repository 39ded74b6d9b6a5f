"""Owns FIGURE_UNSOURCED and FIGURE_MISMATCH: every figure of an answer is one that its citation holds.

Never: how a figure binds (see ``core.answer.figures``).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.figures import Base, Figure, judge_figures
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import loosely_folded, space_folded

NEAREST_PASSAGES_MAX = 2000  # how many passages are walked to name a better citation


class Figures(msgspec.Struct, frozen=True):
    """Figures against passages, calculations and facts cited in their scope, and against the task."""

    name: str = "figures@1"
    passages_max: int = NEAREST_PASSAGES_MAX

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each figure that is neither bound nor free."""
        texts: list[str] = []

        def occurs(name: str) -> bool:
            if not texts:
                texts.extend(loosely_folded(reading.segment.text) for reading in state.readings)
            return any(name in text for text in texts)

        base = Base(
            state.contract,
            state.evidence,
            state.facts,
            candidate.calculations,
            state.snapshot.anchor.as_of,
            occurs,
            lambda: _shown(state, self.passages_max),
        )
        judged = judge_figures(candidate.body, base)
        return tuple(_finding(figure) for figure in judged if figure.state in ("unsourced", "mismatch"))


def _shown(state: RunState, passages_max: int) -> Iterator[Evidence]:
    for number in range(1, min(state.evidence_count, passages_max) + 1):
        evidence = state.evidence(f"E{number}")
        if evidence is not None and state.shown(evidence.id):
            yield evidence


def _finding(figure: Figure) -> Finding:
    code = "FIGURE_UNSOURCED" if figure.state == "unsourced" else "FIGURE_MISMATCH"
    return Finding(code, f"{figure.quantity.text} in: {space_folded(figure.scope.text)[:200]}", figure.nearest)
