"""Owns CITATION_UNKNOWN and CITATION_NOT_SHOWN: every mark names something that exists and that the model saw.

Never: whether what is cited supports the sentence.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.record.state import RunState
from counterfoil.core.text.marks import find_marks

UNKNOWN = "CITATION_UNKNOWN"
NOT_SHOWN = "CITATION_NOT_SHOWN"


class Citations(msgspec.Struct, frozen=True):
    """Marks in the body, and evidence that the candidate's calculations name."""

    name: str = "citations@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each id that is unknown or was never shown."""
        found: list[Finding] = []
        ids = dict.fromkeys(i for mark in find_marks(candidate.body) for i in mark.ids)
        for cited in ids:
            finding = _finding(cited, f"[{cited}]", candidate, state)
            if finding:
                found.append(finding)
        for calc in candidate.calculations:
            for evidence_id in dict.fromkeys(given.evidence_id for given in calc.inputs):
                if evidence_id not in ids and state.evidence(evidence_id) is not None and not state.shown(evidence_id):
                    where = f"[{calc.id}] input from {evidence_id}"
                    found.append(Finding(NOT_SHOWN, where, "evidence that a view has shown"))
        return tuple(found)


def _finding(cited: str, where: str, candidate: Candidate, state: RunState) -> Finding | None:
    kind = cited[0]
    if kind == "E":
        if state.evidence(cited) is None:
            last = state.evidence_count
            needed = f"an evidence ID between E1 and E{last}" if last else "evidence; nothing has been read yet"
            return Finding(UNKNOWN, where, needed)
        return None if state.shown(cited) else Finding(NOT_SHOWN, where, "evidence that a view has shown")
    if kind == "C":
        names = [calc.id for calc in candidate.calculations]
        return None if cited in names else Finding(UNKNOWN, where, _one_of("calculations of this candidate", names))
    if kind == "F":
        names = [fact.id for fact in state.facts]
        return None if cited in names else Finding(UNKNOWN, where, _one_of("recorded facts", names))
    if kind == "S" and cited in state.sources:
        return Finding(UNKNOWN, where, f"a passage of {cited}, by its E number; a handle is no citation")
    return Finding(UNKNOWN, where, "a passage [E...], calculation [C...] or fact [F...] of this Run")


def _one_of(what: str, names: list[str]) -> str:
    return f"one of the {what}: {', '.join(names)}" if names else f"one of the {what}; there are none"
