"""Owns what can go wrong between reading and recording: a value read and not kept, kept in another cell, out of date.

Never: comparing answers with facts (``synthesis`` does).
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.answer.conflicts import CellView
from counterfoil.core.diagnosis.account import Account, Cause, belongs
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.evidence.passages import Document
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.record import events as e
from counterfoil.core.record.state import FACTS_TOOL
from counterfoil.core.text.folding import loosely_folded
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import find_quantities


def causes(run: Account) -> Iterator[Cause]:
    """Causes in what was recorded."""
    yield from _read_not_recorded(run)
    yield from _refused(run)
    yield from _unusable(run)
    yield from _gap_though_read(run)
    for fact in run.state.facts:
        if fact.kind != "stated" or not fact.evidence:
            continue
        evidence = run.state.evidence(fact.evidence[0])
        if evidence is not None:
            yield from _wrong_cell(run, fact, evidence)
            yield from _stale(run, fact, evidence)


def _read_not_recorded(run: Account) -> Iterator[Cause]:
    """The right answer was read, and neither a fact nor the answer holds it."""
    if not run.expected or run.says(run.answer()):
        return
    if any(run.says(f"{fact.value or ''} {fact.unit or ''}") for fact in run.state.facts):
        return
    for reading in run.state.readings:
        place = next((n for n, p in enumerate(reading.segment.passages) if run.says(p.text)), None)
        if place is not None:
            yield Cause(
                "state",
                "READ_NOT_RECORDED",
                f"E{reading.first + place} holds {run.expected!r}, and nothing was made of it",
                tuple(seq for seq, read in run.of(e.EvidenceRead) if read.first == reading.first),
                "the passage was shown: see what the model recorded in its place",
                3,
            )
            return


def _refused(run: Account) -> Iterator[Cause]:
    """Facts that were refused for a cell that never got a value."""
    open_cells = {(cell.row.casefold(), cell.field.casefold()) for cell in run.unanswered()}
    for seq, event in run.of(e.FactRefused):
        draft = event.draft
        single = len(open_cells) == 1 and not draft.row and not draft.field
        if single or (draft.row.casefold(), draft.field.casefold()) in open_cells:
            yield Cause(
                "state",
                "FACT_REFUSED",
                f"the fact for {draft.row} / {draft.field} was refused: {event.why}",
                (seq,),
                "the reason says what would have been accepted",
                2,
            )


def _unusable(run: Account) -> Iterator[Cause]:
    """Calls to record facts that were refused whole, where none was recorded in the end."""
    refused = [call for call in run.calls(FACTS_TOOL) if call.status == "refused"]
    if refused and run.unanswered() and not run.state.facts:
        yield Cause(
            "state",
            "FACTS_CALL_REFUSED",
            f"{len(refused)} calls of {FACTS_TOOL} were refused and no fact was recorded: "
            f"{refused[-1].content.get('why', '')}",
            tuple(seq for call in refused for seq in run.closing(call.call.id)),
            "see which arguments the model gave, and what its instructions say of them",
            3,
        )


def _gap_though_read(run: Account) -> Iterator[Cause]:
    """A cell without a value, where a passage was read that speaks of its row and field and has a figure."""
    if run.expected:  # then what to look for is known (``_read_not_recorded``)
        return
    for cell in run.unanswered():
        evidence = next((read for read in _read(run) if _speaks_of(run, read, cell)), None)
        if evidence is not None:
            yield Cause(
                "state",
                "GAP_THOUGH_READ",
                f"{cell.row or 'the task'} / {cell.field} has no value, and {evidence.id} "
                f"({evidence.source.document.title}) was read: “{evidence.passage.text}”",
                tuple(seq for seq, read in run.of(e.EvidenceRead) if read.call_id == evidence.call_id),
                "see whether that passage answers the cell, and why no fact was made of it",
                2,
            )


def _read(run: Account) -> Iterator[Evidence]:
    known = (run.state.evidence(f"E{number}") for number in range(1, run.state.evidence_count + 1))
    return (evidence for evidence in known if evidence is not None)


def _speaks_of(run: Account, evidence: Evidence, cell: CellView) -> bool:
    """Whether a passage has every word of a cell's field and a figure, and is about the cell's row."""
    said, words = loosely_folded(evidence.passage.text), loosely_folded(cell.field).split()
    about_row = not cell.row or loosely_folded(cell.row) in said or belongs(run, evidence.source, cell.row)
    return bool(words) and about_row and all(word in said for word in words) and bool(find_quantities(said))


def _wrong_cell(run: Account, fact: Fact, evidence: Evidence) -> Iterator[Cause]:
    """A fact whose own passage speaks of another row, or whose column is of another period."""
    seqs = run.recorded(fact.id)
    about = _about(evidence)
    others = [row.name for row in run.state.contract.rows if row.name.casefold() != fact.row.casefold()]
    if fact.row and loosely_folded(fact.row) not in about:
        named = next((other for other in others if loosely_folded(other) in about), None)
        if named is not None:
            yield Cause(
                "state",
                "WRONG_ROW",
                f"{fact.id} says {fact.value} of {fact.row}; its source {fact.evidence[0]} "
                f"({evidence.source.document.title}) speaks of {named}",
                seqs,
                "bind the rows to their documents (docs) or domains, so that a fact from elsewhere is refused",
                3,
            )
    asked = next((field.period for field in run.state.contract.fields if field.name == fact.field), None)
    wanted, header = find_periods(asked or fact.period or ""), find_periods(fact.header or "")
    if len(wanted) == 1 and len(header) == 1 and wanted[0].year and header[0].year not in (None, wanted[0].year):
        yield Cause(
            "state",
            "WRONG_PERIOD",
            f"{fact.id} says {fact.value} for {wanted[0].text}; its column is {fact.header!r}",
            seqs,
            "see which column the model quoted",
            3,
        )


def _about(evidence: Evidence) -> str:
    document, passage = evidence.source.document, evidence.passage
    table = passage.table
    titles = (table.title.text if table and table.title else "", table.label.text if table and table.label else "")
    words = (document.title, document.subject or "", document.url, passage.heading or "", passage.text, *titles)
    return loosely_folded(" ".join(words))


def _stale(run: Account, fact: Fact, evidence: Evidence) -> Iterator[Cause]:
    """A value of the answer from an older source than one that was found for the same row and stayed closed."""
    mine = _dated(evidence.source.document)
    if mine is None or not _cited(run, fact):
        return
    for source in run.state.sources.values():
        theirs = _dated(source.document)
        if theirs is None or theirs <= mine or run.read(source) or not belongs(run, source, fact.row):
            continue
        yield Cause(
            "state",
            "STALE_OBSERVATION",
            f"the answer rests on {fact.evidence[0]} of {mine}; {source.handle} ({source.document.title}) of {theirs} "
            "was found and not read",
            (*run.recorded(fact.id), *run.registered(source.handle)),
            "read the newest source of a row before answering from an older one",
            2,
        )


def _dated(document: Document) -> str | None:
    return None if document.dates_guessed else document.updated or document.published


def _cited(run: Account, fact: Fact) -> bool:
    answer = run.answer()
    return any(f"[{mark}]" in answer or f"{mark}," in answer for mark in (fact.id, *fact.evidence))
