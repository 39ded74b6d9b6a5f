"""Owns what can go wrong in writing: unlike things ranked, a conflict hidden, a figure that its source does not state.

Never: an objection of its own; the checks of publication made them, this says which stood to the end.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.answer.conflicts import conflicts
from counterfoil.core.diagnosis.account import Account, Cause
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.record import events as e
from counterfoil.core.text.periods import Period, find_periods

_TOLD = {
    "UNLIKE_RANKED": "things were ranked that are not alike (period, unit or what is included)",
    "CONFLICT_HIDDEN": "sources disagree, and the answer shows one side",
    "FIGURE_MISMATCH": "a figure is not the one that its source states",
    "FIGURE_UNSOURCED": "a figure has no source",
    "QUOTE_NOT_FOUND": "a quotation does not stand where it is said to",
    "CITATION_UNKNOWN": "a citation names evidence that this Run does not have",
    "CITATION_NOT_SHOWN": "a citation names evidence that the model was never shown",
    "WINDOW_CHANGED": "the answer speaks of another period than was asked",
    "PLACEHOLDER_TEXT": "the answer holds placeholder text",
    "COUNT_NOT_MET": "a countable ask was not met",
    "ACTION_CLAIMED": "the answer claims to have done what it may not do",
    "ROW_MISSING": "a row is missing and not declared so",
    "FIELD_MISSING": "a field is missing and not declared so",
}


def causes(run: Account) -> Iterator[Cause]:
    """Causes in what was written."""
    by_code: dict[str, list[tuple[int, str]]] = {}
    for seq, event in run.of(e.PublicationRejected):
        for finding in event.findings:
            by_code.setdefault(finding.code, []).append((seq, finding.where))
    for code, found in by_code.items():
        if code == "CALCULATION_UNBOUND":
            continue
        told = _TOLD.get(code, code.replace("_", " ").lower())
        where = f": “{found[-1][1]}”" if found[-1][1] else ""
        yield Cause(
            "synthesis",
            code,
            f"{told}{where}",
            tuple(dict.fromkeys(seq for seq, _ in found)),
            "the findings say what would satisfy them; a gap may be declared instead",
            3 if run.state.accepted is None else 1,
        )
    yield from _ignored(run)
    yield from _unlike(run)
    if run.expected and not run.says(run.answer()):
        yield from _left_out(run)


def _ignored(run: Account) -> Iterator[Cause]:
    """A conflict that was recorded and is not in the answer."""
    if run.state.accepted is None:
        return
    answer = run.answer()
    for found in conflicts(run.state.contract, run.state.facts):
        shown = [
            group
            for group in found.groups
            if any(mark in answer for fact in group for mark in _marks(fact.id, fact.evidence))
        ]
        if len(shown) < len(found.groups):
            ids = {fact.id for group in found.groups for fact in group}
            values = " against ".join(str(group[0].value) for group in found.groups)
            yield Cause(
                "synthesis",
                "CONFLICT_IGNORED",
                f"on {found.row} / {found.field} sources disagree ({values}), and the answer cites one",
                run.recorded(*ids),
                "present both with their sources",
                3,
            )


def _unlike(run: Account) -> Iterator[Cause]:
    """Rows set side by side in the answer whose values of one field are of different periods, unsaid in the task."""
    if run.state.accepted is None:
        return
    answer, asked = run.answer(), find_periods(run.state.contract.question)
    if len({_span(period) for period in asked}) > 1:
        return
    for field in run.state.contract.fields:
        spans: dict[tuple[object, ...], Fact] = {}
        for fact in run.state.facts:
            periods = find_periods(fact.period or "")
            cited = any(mark in answer for mark in _marks(fact.id, fact.evidence))
            if fact.field == field.name and fact.kind == "stated" and len(periods) == 1 and cited:
                spans.setdefault(_span(periods[0]), fact)
        unlike = list(spans.values())
        if len({fact.row for fact in unlike}) > 1:
            yield Cause(
                "synthesis",
                "UNLIKE_COMPARED",
                f"on {field.name} the answer sets unlike periods side by side: "
                + ", ".join(f"{fact.row} {fact.period}" for fact in unlike),
                run.recorded(*(fact.id for fact in unlike)),
                "name one period in the task, so that a value of another one is refused",
                2,
            )


def _span(period: Period) -> tuple[object, ...]:
    return period.year, period.quarter, period.half, period.months if period.year is None else None


def _marks(fact: str, evidence: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"[{mark}" for mark in (fact, *evidence))


def _left_out(run: Account) -> Iterator[Cause]:
    """The right answer was recorded, and the answer says something else."""
    right = [fact for fact in run.state.facts if run.says(f"{fact.value or ''} {fact.unit or ''}")]
    if right:
        yield Cause(
            "synthesis",
            "FACT_NOT_USED",
            f"{right[0].id} holds {run.expected!r}, and the answer does not",
            run.recorded(right[0].id),
            "see what the answer cites in its place",
            3,
        )
