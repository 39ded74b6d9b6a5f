"""Owns what must hold of facts and answers: they stand on what was read and shown, and what was accepted stays.

Never: judging prose; these are the least that any accepted answer owes its reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.record import events as e
from counterfoil.core.text.marks import find_marks
from counterfoil.sim.history import History
from counterfoil.sim.tally import Tally

_DOLLARS = re.compile(r"\$(\d+)")


def facts_stand_in_what_was_shown(history: History) -> Iterator[str]:
    """A stated fact quotes a passage that was read and shown (TSK-03)."""
    for record, event in history.of(e.FactRecorded):
        fact = event.fact
        for evidence_id in fact.evidence:
            read = record.before.evidence(evidence_id)
            if read is None or not record.before.shown(read):
                yield f"{fact.id} rests on {evidence_id}, which was never shown"
            elif fact.kind == "stated" and _plain(fact.quote or "") not in _plain(read.text):
                yield f"{fact.id} quotes {fact.quote!r}, which does not stand in {evidence_id}"
        if fact.kind == "stated" and not fact.evidence:
            yield f"{fact.id} is stated by nothing"


def accepted_citations_were_shown(history: History) -> Iterator[str]:
    """Every mark of an accepted answer names something that exists, and passages that were shown (TSK-07)."""
    for record, event in history.of(e.PublicationAccepted):
        judged = record.before.candidates.get(event.publication)
        if judged is None:
            yield f"{event.publication} was accepted and never proposed"
            continue
        for cited in {name for mark in find_marks(judged.candidate.body) for name in mark.ids}:
            flaw = _flaw(cited, judged.candidate, record.before)
            if flaw:
                yield f"{event.publication} cites {cited}, which {flaw}"


def accepted_figures_were_read(history: History) -> Iterator[str]:
    """No amount of money in an accepted answer is one that nothing read or asked holds (TSK-07)."""
    for record, event in history.of(e.PublicationAccepted):
        judged = record.before.candidates.get(event.publication)
        if judged is not None and not judged.candidate.calculations:
            texts = [record.before.contract.question, *(read.text for read in record.before.reads)]
            known = {amount for text in texts for amount in _DOLLARS.findall(text)}
            invented = set(_DOLLARS.findall(judged.candidate.body)) - known
            if invented:
                yield f"{event.publication} says ${min(invented)}, which nothing that was read says"


def accepted_answers_miss_nothing(history: History) -> Iterator[str]:
    """Every cell asked for has a fact or a declared gap in an accepted answer (TSK-07)."""
    for record, event in history.of(e.PublicationAccepted):
        judged = record.before.candidates.get(event.publication)
        gaps = judged.candidate.gaps if judged else ()
        for row, field in record.before.contract.cells():
            if not filled(record.before, row, field) and not any(
                gap.row.casefold() in ("", row.casefold()) and gap.field.casefold() in ("", field.casefold())
                for gap in gaps
            ):
                yield f"{event.publication} was accepted and says nothing of {row} / {field}"
        calls = record.before.calls.values()
        searched = any(call.tool == "search_public_sources" and call.status == "settled" for call in calls)
        if not searched and any(gap.state == "not_found" for gap in gaps):
            yield f"{event.publication} was accepted and calls not found what nothing looked for"


def accepted_answers_stay(history: History) -> Iterator[str]:
    """What is accepted is delivered in the same commit and never taken back (TSK-09)."""
    accepted = [event.publication for _record, event in history.of(e.PublicationAccepted)]
    for publication in accepted:
        if (publication, "model") not in history.tally.delivered:
            yield f"{publication} was accepted and not delivered with it"
    for record, event in history.of(e.PublicationRejected):
        judged = record.before.candidates.get(event.publication)
        if judged is None or judged.status != "proposed":
            yield f"{event.publication} was rejected, and it is {judged.status if judged else 'unknown'}"
    held = history.known.accepted
    if history.tally.accepted is not None and (held is None or held.status != "accepted"):
        yield f"{history.tally.accepted} was accepted and is not the answer any more"


def a_finish_ends_something(history: History) -> Iterator[str]:
    """A finish is accepted with an accepted answer, or with limitations as "no answer" (TSK-14)."""
    limits: tuple[str, ...] = ()
    for record in history.fresh:
        if isinstance(record.event, e.FinishProposed):
            limits = record.event.limitations
        if isinstance(record.event, e.FinishAccepted):
            answered = record.before.accepted is not None
            if record.event.no_answer == answered or not (answered or any(text.strip() for text in limits)):
                yield f"a finish was accepted with answer {record.before.accepted} and limitations {limits}"


def filled(tally: Tally, row: str, field: str) -> bool:
    """Whether a fact says something of a cell, "looked for and not found" included."""
    cell = (row.casefold(), field.casefold())
    facts = (fact for fact in tally.facts if (fact.row.casefold(), fact.field.casefold()) == cell)
    return any(fact.kind == "not_found" or grounded(fact) for fact in facts)


def grounded(fact: Fact) -> bool:
    """Whether a fact rests on something that was read; an estimate may rest on nothing."""
    return fact.kind != "not_found" and (fact.kind != "estimate" or bool(fact.evidence))


def _flaw(cited: str, candidate: Candidate, tally: Tally) -> str | None:
    if cited[0] == "E":
        read = tally.evidence(cited)
        if read is None:
            return "was never read"
        return None if tally.shown(read) else "was never shown"
    if cited[0] == "F":
        return None if any(fact.id == cited for fact in tally.facts) else "is no fact"
    return None if any(made.id == cited for made in candidate.calculations) else "is nothing of this Run"


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


INVARIANTS = (
    facts_stand_in_what_was_shown,
    accepted_citations_were_shown,
    accepted_figures_were_read,
    accepted_answers_miss_nothing,
    accepted_answers_stay,
    a_finish_ends_something,
)
