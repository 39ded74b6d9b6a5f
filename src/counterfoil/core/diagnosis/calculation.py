"""Owns what can go wrong in computing: an operand that no source states, or operands that do not belong together.

Never: recomputing; the checks of publication did.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.diagnosis.account import Account, Cause
from counterfoil.core.evidence.facts import CalculationInput
from counterfoil.core.record import events as e
from counterfoil.core.text.periods import find_periods

_UNBOUND = "CALCULATION_UNBOUND"


def causes(run: Account) -> Iterator[Cause]:
    """Causes in calculations."""
    refused = [(seq, event.why) for seq, event in run.of(e.FactRefused) if event.code == _UNBOUND]
    rejected = [
        (seq, finding.needed or finding.where)
        for seq, event in run.of(e.PublicationRejected)
        for finding in event.findings
        if finding.code == _UNBOUND
    ]
    bad = (*refused, *rejected)
    if bad:
        yield Cause(
            "calculation",
            _UNBOUND,
            f"a calculation did not follow from what it names: {bad[0][1]}",
            tuple(dict.fromkeys(seq for seq, _why in bad)),
            "name every operand with the passage that states it",
            2 if run.complete() else 3,
        )
    accepted = run.state.accepted
    used = [(fact.id, fact.inputs) for fact in run.state.facts if fact.kind == "calculation"]
    used += [(made.id, made.inputs) for made in (accepted.candidate.calculations if accepted else ())]
    for name, inputs in used:
        yield from _unlike(run, name, inputs)
    if run.expected and used and not run.says(run.answer()):
        yield Cause(
            "calculation",
            "CALCULATED_OTHERWISE",
            f"the answer computes {used[0][0]} and is not {run.expected!r}",
            run.where(e.FactRecorded, lambda event: event.fact.kind == "calculation") or run.ending(),
            "compare its formula and operands with the definition asked for",
            2,
        )


def _unlike(run: Account, name: str, inputs: tuple[CalculationInput, ...]) -> Iterator[Cause]:
    """Operands of a sum or ratio over one period that come from columns of several years under one name."""
    years: dict[str, set[int]] = {}
    for given in inputs:
        found = find_periods(given.header or "")
        if len(found) == 1 and found[0].year:
            years.setdefault(_bare(given.name), set()).add(found[0].year)
    single = [next(iter(values)) for values in years.values() if len(values) == 1]
    if len(years) > 1 and len(single) == len(years) and len(set(single)) > 1:
        yield Cause(
            "calculation",
            "PERIODS_MIXED",
            f"{name} joins figures of different years: " + ", ".join(f"{key} {min(at)}" for key, at in years.items()),
            run.recorded(name) or run.ending(),
            "take every operand from the column of the period asked",
            3,
        )


def _bare(name: str) -> str:
    """An operand's name without a year: "revenue_2022" and "revenue_2021" are one series."""
    return name.rstrip("0123456789_ ").casefold()
