"""Owns what is counted of a candidate: every countable ask of the task, and the passages that its body cites.

Never: a judgement; the publication checks and the review make theirs of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.counting import Count, counts
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.record.state import RunState
from counterfoil.core.text.marks import find_marks


def measured(candidate: Candidate, state: RunState) -> tuple[Count, ...]:
    """Every countable ask of the contract with what the candidate has of it."""
    documents = {evidence.source.document.id for evidence in cited_evidence(candidate, state)}
    return counts(state.contract, candidate.body, len(documents))


def cited_evidence(candidate: Candidate, state: RunState) -> Iterator[Evidence]:
    """The passages that the body's marks name, itself or through a fact, each once, in order."""
    facts = {fact.id: fact.evidence for fact in state.facts}
    marked = (cited for mark in find_marks(candidate.body) for cited in mark.ids)
    for evidence_id in dict.fromkeys(e for cited in marked for e in facts.get(cited, (cited,))):
        if (evidence := state.evidence(evidence_id)) is not None:
            yield evidence
