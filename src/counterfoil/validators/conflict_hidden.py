"""Owns CONFLICT_HIDDEN: where sources disagree on a cell, the answer shows every value.

Never: which of them is right.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.conflicts import conflicts
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.answer.findings import Finding
from counterfoil.core.answer.offers import passage_of, row_of
from counterfoil.core.answer.rivals import rivals, statements
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import words_stand_in
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.quantities import Quantity, amount_in, find_quantities, same_amount
from counterfoil.core.text.units import is_currency, units_agree
from counterfoil.core.text.vocabulary import NO_WORDS, Vocabulary


class ConflictHidden(msgspec.Struct, frozen=True):
    """Values of conflicting stated facts, and prices that other read pages contradict, against the body."""

    name: str = "conflict_hidden@1"
    vocabulary: Vocabulary = NO_WORDS

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
        return (*found, *self._unrecorded(candidate, state, {finding.where for finding in found}, figures))

    def _unrecorded(
        self, candidate: Candidate, state: RunState, known: set[str], shown: tuple[Quantity, ...]
    ) -> Iterator[Finding]:
        """A price of the answer that another page read for its row contradicts, whether or not it was recorded."""
        field = next((f.name for f in state.contract.fields if f.type == "money"), None)
        if field is None or not state.contract.rows:
            return
        base = Base(
            state.contract, state.evidence, state.facts, candidate.calculations, state.snapshot.anchor.as_of,
            vocabulary=self.vocabulary,
        )  # fmt: skip
        figures = [f for f in judge_figures(candidate.body, base) if f.state == "bound" and f.calculation is None]
        names = tuple(row.name for row in state.contract.rows)
        said = [(row_of(read, state.contract, names), list(statements(read))) for read in _read(state)]
        for figure in figures:
            read = state.evidence(passage_of(figure, state.facts))
            row = row_of(read, state.contract, names) if read and is_currency(figure.quantity.unit) else ""
            where = f"{row} / {field}"
            if read is None or not row or where in known:
                continue
            of_row = (one for name, several in said if name == row for one in several)
            for rival in rivals(figure.quantity, read, of_row):
                if not any(
                    units_agree(q.unit, rival.amount.unit) and same_amount(q, rival.amount.value) for q in shown
                ):
                    known.add(where)
                    values = f"{figure.quantity.text} [{read.id}] and {rival.amount.text} [{rival.read.id}]"
                    needed = f"sources disagree: show {values}; missing is {rival.amount.text} [{rival.read.id}]"
                    yield Finding("CONFLICT_HIDDEN", where, needed)
                    break


def _read(state: RunState) -> Iterator[Evidence]:
    for number in range(1, state.evidence_count + 1):
        read = state.evidence(f"E{number}")
        if read is not None:
            yield read


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
