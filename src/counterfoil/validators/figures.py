"""Owns FIGURE_UNSOURCED and FIGURE_MISMATCH: every figure of an answer is one that its citation holds.

Never: how a figure binds (see ``core.answer.figures``).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.figures import Base, Figure, judge_figures
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.facts import CalculationInput
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import loosely_folded, space_folded, words_stand_in
from counterfoil.core.text.vocabulary import NO_WORDS, Vocabulary

NEAREST_PASSAGES_MAX = 2000  # how many passages are walked to name a better citation


class Figures(msgspec.Struct, frozen=True):
    """Figures against passages, calculations and facts cited in their scope, and against the task."""

    name: str = "figures@1"
    passages_max: int = NEAREST_PASSAGES_MAX
    vocabulary: Vocabulary = NO_WORDS

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each figure that is neither bound nor free."""
        texts: list[str] = []

        def occurs(name: str) -> bool:
            if not texts:
                texts.extend(loosely_folded(reading.segment.text) for reading in state.readings)
            return any(name in text and words_stand_in(name, text) for text in texts)

        base = Base(
            state.contract,
            state.evidence,
            state.facts,
            candidate.calculations,
            state.snapshot.anchor.as_of,
            occurs,
            lambda: _shown(state, self.passages_max),
            self.vocabulary,
        )
        judged = judge_figures(candidate.body, base)
        wrong = tuple(_finding(figure) for figure in judged if figure.state in ("unsourced", "mismatch"))
        return wrong + tuple(_calculated(figure) for figure in judged if figure.calculation is not None)


def _shown(state: RunState, passages_max: int) -> Iterator[Evidence]:
    for number in range(1, min(state.evidence_count, passages_max) + 1):
        evidence = state.evidence(f"E{number}")
        if evidence is not None and state.shown(evidence.id):
            yield evidence


def _finding(figure: Figure) -> Finding:
    code = "FIGURE_UNSOURCED" if figure.state == "unsourced" else "FIGURE_MISMATCH"
    return Finding(code, f"{figure.quantity.text} in: {space_folded(figure.scope.text)[:200]}", figure.nearest)


def _calculated(figure: Figure) -> Finding:
    """The record of a calculation that the answer did not send: formula, operands, value."""
    calc = figure.calculation
    operands = "; ".join(_operand(given) for given in calc.inputs) if calc else ""
    formula = calc.formula if calc else ""
    where = f"{figure.quantity.text} = {formula} ({operands})"
    return Finding(figure.warning or "FIGURE_CALCULATED", where, warning=True)


def _operand(given: CalculationInput) -> str:
    column = f' in column "{given.header}"' if given.header else ""
    scale = f" x{given.multiplier}" if given.multiplier != "1" else ""
    return f"{given.name}: [{given.evidence_id}] {given.value}{scale}{column}"
