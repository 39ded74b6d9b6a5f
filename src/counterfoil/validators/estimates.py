"""Owns ESTIMATE_UNLABELLED: a value recorded as an estimate is called one wherever the answer gives it.

Never: whether the estimate is good.
"""

from __future__ import annotations

import re

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding, line_of
from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.evidence.amounts import amount_fits, amounts
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import words_stand_in
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.quantities import amount_in, find_quantities, same_amount

_LABEL = re.compile(
    r"\bestimat\w*|\bapprox\w*|\bassum\w*|\bprojected\b|\bpresumabl\w*|\bextrapolat\w*|\brough guess"
    r"|\bgeschätzt\w*|\bschätz\w*|\bvermutlich\b|\bestim\w*|\b估计|估算|推定|見積",
    re.IGNORECASE,
)


class Estimates(msgspec.Struct, frozen=True):
    """Facts of kind estimate, cited by their id or by the evidence they rest on."""

    name: str = "estimates@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each sentence, bullet or row that gives an estimate as if it were stated."""
        estimates = [fact for fact in state.facts if fact.kind == "estimate"]
        found: list[Finding] = []
        for scope in split_scopes(candidate.body) if estimates else ():
            headers = " ".join(cell.header for cell in scope.cells)
            if _LABEL.search(f"{scope.text} {headers} {scope.caption}"):
                continue
            for fact in estimates:
                if _gives(scope, fact, state):
                    where = " ".join(scope.text.split())[:200]
                    needed = f'the word "estimate" beside {fact.value} [{fact.id}], or a source that states it'
                    found.append(
                        Finding("ESTIMATE_UNLABELLED", where, needed, line=line_of(candidate.body, scope.start))
                    )
        return tuple(found)


def _gives(scope: Scope, fact: Fact, state: RunState) -> bool:
    """Whether a scope gives the estimate's value and cites nothing that states it."""
    text = without_marks(scope.text)
    amount = amount_in(fact.value or "", fact.unit)
    said = [q for q in find_quantities(text) if amount is not None and same_amount(q, amount.value)]
    if not said and not (amount is None and words_stand_in(fact.value or "", text)):
        return False
    if fact.id in scope.cited:
        return True
    read = [e for i in scope.cited if (e := state.evidence(i)) is not None]
    rests = bool(fact.evidence) and set(fact.evidence) <= set(scope.cited)
    return rests and not any(amount_fits(q, held) for q in said for e in read for held in amounts(e))
