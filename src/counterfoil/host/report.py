"""Owns the object that every surface prints: DESIGN section 12, built from a state and nothing else.

Never: a sentence that the ledger does not hold, or a number that the budget did not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from counterfoil.core.answer.conflicts import CellView, Conflict, cell_states, conflicts
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.amounts import header_fits
from counterfoil.core.evidence.facts import Calculation, Fact
from counterfoil.core.evidence.passages import Cell, Span
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.exchange import Json
from counterfoil.core.law.budget import MODEL_REQUESTS
from counterfoil.core.record.metered_report import metered_report, unknown_usage
from counterfoil.core.record.outcome import Review, StopReason
from counterfoil.core.record.state import RunState
from counterfoil.core.text.marks import find_marks
from counterfoil.host.answered import author_of, by_model, model_warnings
from counterfoil.host.reviewed import review_notes, review_warnings

SCHEMA = 1
CONTEXT_CHARS = 350  # page text shown on either side of a quote in reports


class Citation(msgspec.Struct, frozen=True):
    """A quote and where it stands. ``table`` stands beside a table row."""

    id: str
    handle: str
    url: str
    title: str
    page: int | None
    quote: str
    segment: int
    start: int
    end: int
    table: Json | None


class PublishedAnswer(msgspec.Struct, frozen=True):
    """The answer that was delivered."""

    id: str
    assembled_by: str
    body: str
    citations: tuple[Citation, ...]
    calculations: tuple[Calculation, ...] = ()


class RunReport(msgspec.Struct, frozen=True):
    """A Run as an outside reader sees it; encodes to the JSON object of the command line."""

    schema: int
    run_id: str
    question: str
    status: str
    stop_reason: StopReason | None
    policy: str | None
    delivered: bool
    finished: bool
    review: Review
    head: str
    error: Json | None
    model: str
    model_label: str
    admitted_at: str
    phase: str
    contract: Json
    publication: PublishedAnswer | None
    evidence_table: tuple[Json, ...]
    conflicts: tuple[Json, ...]
    gaps: tuple[Json, ...]
    needs: tuple[Json, ...]
    time_anchor: Json
    usage: dict[str, Json]
    cost_usd: float | None
    rejections: tuple[Json, ...]
    warnings: tuple[Json, ...]
    sources: tuple[Json, ...]
    plan: Json | msgspec.UnsetType = msgspec.UNSET  # absent where the model made none
    review_notes: Json | msgspec.UnsetType = msgspec.UNSET  # absent where nobody reviewed the answer

    def to_json(self) -> str:
        """The JSON object that the command line prints with ``--json``, on one line."""
        return msgspec.json.encode(self).decode()


def build_report(state: RunState, head: str) -> RunReport:
    """The report of ``state``; ``head`` is the hash of its last event."""
    accepted = state.accepted
    gaps = accepted.candidate.gaps if accepted else ()
    cells = cell_states(state.contract, state.facts, gaps)
    settled = state.settled
    model, model_label = author_of(state)
    return RunReport(
        schema=SCHEMA,
        run_id=state.run_id,
        question=state.contract.question,
        status=settled.status if settled else "paused" if state.paused else "running",
        stop_reason=settled.stop_reason if settled else None,
        policy=settled.policy if settled else None,
        delivered=state.delivered is not None,
        finished=state.finish_accepted,
        review=settled.review if settled else "not_run",
        head=head,
        error=settled.error if settled else None,
        model=model,
        model_label=model_label,
        admitted_at=datetime.fromtimestamp(state.admitted_at / 1000, UTC).isoformat(timespec="seconds"),
        phase=state.phase.value,
        contract=msgspec.to_builtins(state.contract),
        publication=_publication(state),
        evidence_table=tuple(_table_rows(state, cells)),
        conflicts=tuple(_conflict(found) for found in conflicts(state.contract, state.facts)),
        gaps=tuple(_gaps(state, cells)),
        needs=tuple(msgspec.to_builtins(need) for need in state.needs),
        time_anchor=_time_anchor(state),
        usage=_usage(state),
        cost_usd=state.cost_usd,
        rejections=tuple(
            {"publication": p.candidate.id, "findings": [_finding(finding) for finding in p.findings]}
            for p in state.publications
            if p.status == "rejected"
        ),
        warnings=tuple(_warnings(state)),
        sources=tuple(_sources(state)),
        plan=msgspec.to_builtins(state.plan) if state.plan else msgspec.UNSET,
        review_notes=review_notes(state) or msgspec.UNSET,
    )


def _time_anchor(state: RunState) -> Json:
    anchor: Json = msgspec.to_builtins(state.snapshot.anchor)
    windows = state.snapshot.windows
    if windows:
        anchor["windows"] = [{"text": span.text, "first": span.first, "last": span.last} for span in windows]
    return anchor


def _publication(state: RunState) -> PublishedAnswer | None:
    accepted = state.accepted
    if accepted:
        candidate = accepted.candidate
        shown, maker, publication_id = candidate.body, "model", candidate.id
        calculations = candidate.calculations
    elif state.host_report is not None:
        shown, maker, publication_id, calculations = state.host_report, "host", "H1", ()
    elif state.proxied is not None:
        shown, maker, publication_id, calculations = metered_report(state), "host", "H1", ()
    else:
        return None
    cited = dict.fromkeys(_evidence_marked(shown, state))
    for calculation in calculations:
        cited.update(dict.fromkeys(operand.evidence_id for operand in calculation.inputs))
    for fact in state.facts:
        cited.update(dict.fromkeys(fact.evidence))
    headers = _headers(state.facts, calculations)
    found = [evidence for cited_id in cited if (evidence := state.evidence(cited_id))]
    citations = tuple(citation_of(evidence, headers.get(evidence.id)) for evidence in found)
    return PublishedAnswer(publication_id, maker, shown, citations, calculations)


def _evidence_marked(body: str, state: RunState) -> Iterable[str]:
    """Evidence that the body's marks name, itself or through a fact."""
    facts = {fact.id: fact.evidence for fact in state.facts}
    for mark in find_marks(body):
        for cited in mark.ids:
            yield from facts.get(cited, (cited,))


def _headers(facts: tuple[Fact, ...], calculations: tuple[Calculation, ...]) -> dict[str, tuple[str, str | None]]:
    """Which cell of a row a citation is about: evidence id → (value, column header)."""
    wanted: dict[str, tuple[str, str | None]] = {}
    for fact in facts:
        for operand in fact.inputs:
            wanted.setdefault(operand.evidence_id, (operand.value, operand.header))
        if len(fact.evidence) == 1 and fact.value:
            wanted.setdefault(fact.evidence[0], (fact.value, fact.header))
    for calculation in calculations:
        for operand in calculation.inputs:
            wanted.setdefault(operand.evidence_id, (operand.value, operand.header))
    return wanted


def citation_of(evidence: Evidence, wanted: tuple[str, str | None] | None) -> Citation:
    """A passage as reports cite it; ``wanted`` is (value, column header) of the cell meant, if it is a table row."""
    passage, document = evidence.passage, evidence.source.document
    return Citation(
        id=evidence.id,
        handle=evidence.source.handle,
        url=document.url + (f"#page={evidence.page}" if evidence.page else ""),
        title=document.title,
        page=evidence.page,
        quote=" ".join(passage.text.split()),
        segment=evidence.segment,
        start=passage.start,
        end=passage.end,
        table=_table_beside(evidence, wanted),
    )


def _table_beside(evidence: Evidence, wanted: tuple[str, str | None] | None) -> Json | None:
    table = evidence.passage.table
    if table is None:
        return None
    cell = _cell(table.cells, wanted)
    return {
        "title": _span(table.title),
        "section": _span(table.section),
        "scale": _span(cell.scale if cell else None),
        "column_header": _joined(cell.header) if cell else None,
        "row_label": _span(table.label),
        "value": _span(cell.value) if cell else None,
    }


def _cell(cells: tuple[Cell, ...], wanted: tuple[str, str | None] | None) -> Cell | None:
    """The cell that a fact or operand means: by its column header, else by its value if only one cell has it."""
    if wanted is None:
        return cells[0] if len(cells) == 1 else None
    value, header = wanted
    named = [cell for cell in cells if header and header_fits(cell, header)]
    valued = [cell for cell in named or cells if cell.value.text == value]
    chosen = valued or named
    return chosen[0] if len(chosen) == 1 or (chosen and named) else None


def _span(span: Span | None) -> Json | None:
    return {"text": span.text, "start": span.start, "end": span.end} if span else None


def _joined(levels: tuple[Span, ...]) -> Json | None:
    """Header levels as one text; start and end are those of the innermost, each level keeps its own."""
    if not levels:
        return None
    return {
        "text": " ".join(level.text for level in levels),
        "start": levels[-1].start,
        "end": levels[-1].end,
        "levels": [_span(level) for level in levels],
    }


def _table_rows(state: RunState, cells: Iterable[CellView]) -> Iterable[Json]:
    for cell in cells:
        for fact in cell.facts or (None,):
            source = state.evidence(fact.evidence[0]) if fact and fact.evidence else None
            yield {
                "row": cell.row,
                "field": cell.field,
                "state": cell.state,
                "value": fact.value if fact else None,
                "unit": fact.unit if fact else None,
                "period": fact.period if fact else None,
                "conditions": fact.conditions if fact else None,
                "kind": fact.kind if fact else None,
                "evidence": list(fact.evidence) if fact else [],
                "formula": fact.formula if fact else None,
                "fact": fact.id if fact else None,
                "source_url": source.source.document.url if source else None,
            }


def _conflict(found: Conflict) -> Json:
    values = [
        {"value": group[0].value, "evidence": list(dict.fromkeys(e for fact in group for e in fact.evidence))}
        for group in found.groups
    ]
    return {"row": found.row, "field": found.field, "values": values}


def _gaps(state: RunState, cells: Iterable[CellView]) -> Iterable[Json]:
    declared = state.accepted.candidate.gaps if state.accepted else ()
    named = set()
    for gap in declared:
        named.add((gap.row.casefold(), gap.field.casefold()))
        tried = _tried(state, gap.search_calls, gap.row)
        yield {"row": gap.row, "field": gap.field, "state": gap.state, "why": gap.why, "tried": tried}
    for cell in cells:
        if cell.state in ("found", "conflict") or (cell.row.casefold(), cell.field.casefold()) in named:
            continue
        calls = tuple(call for fact in cell.facts for call in fact.search_calls)
        missing = "not_found" if cell.state == "not_found" else "unresolved"
        yield {
            "row": cell.row,
            "field": cell.field,
            "state": missing,
            "why": "",
            "tried": _tried(state, calls, cell.row),
        }


def _tried(state: RunState, named: tuple[str, ...], row: str) -> list[str]:
    """The searches named, or those made for that row."""
    searches = state.searches()
    chosen = [call for call in searches if call.call.id in named]
    if not chosen:
        chosen = [call for call in searches if not row or call.call.args.get("row") in (None, row)]
    return [str(call.call.args.get("query", "")) for call in chosen]


def _usage(state: RunState) -> dict[str, Json]:
    usage: dict[str, Json] = {}
    for policy, value in state.budget.limits.items():
        if value.metered:
            usage[policy] = {"used": state.budget.used.get(policy, 0), "limit": value.value, "unit": value.unit}
    usage[MODEL_REQUESTS]["by_purpose"] = dict(state.budget.requests)
    if state.snapshot.fallbacks:
        usage[MODEL_REQUESTS]["by_model"] = by_model(state)
    return usage


def _finding(finding: Finding) -> Json:
    return {"code": finding.code, "where": finding.where, "needed": finding.needed}


def _warnings(state: RunState) -> Iterable[Json]:
    for notice in state.snapshot.notices:
        yield {"code": notice.code, "handle": None, "excerpt": notice.text}
    for flag in state.flags:
        where = "PAGE" if flag.handle else "TOOL_RESULT" if flag.call_id else "QUESTION"
        code = f"INSTRUCTION_IN_{where}"
        yield {"code": code, "handle": flag.handle, "segment": flag.segment, "excerpt": flag.excerpt}
    yield from model_warnings(state)
    if state.proxied and (unknown := unknown_usage(state)):
        yield {"code": "USAGE_UNKNOWN", "handle": None, "excerpt": unknown}
    if state.registration_failures:
        count = state.registration_failures
        yield {"code": "COVERAGE_INCOMPLETE", "handle": None, "excerpt": f"{count} result(s) got no handle"}
    for asked in {request.app.casefold(): request for request in state.connectors}.values():
        yield {"code": "CONNECTOR_MISSING", "handle": None, "excerpt": f"{asked.app} is not connected: {asked.why}"}
    yield from review_warnings(state)
    for finding in state.accepted.findings if state.accepted else ():
        yield {"code": finding.code, "handle": None, "excerpt": finding.where}


def _sources(state: RunState) -> Iterable[Json]:
    for handle, source in state.sources.items():
        read = [reading.segment.page or reading.segment.index for reading in state.readings if reading.handle == handle]
        if read:
            yield {"handle": handle, "title": source.document.title, "url": source.document.url, "read": read}


def contexts_of(state: RunState, report: RunReport) -> dict[str, Json]:
    """The page text around each citation: evidence id → {"before", "quote", "after"}."""
    contexts: dict[str, Json] = {}
    for citation in report.publication.citations if report.publication else ():
        reading = state.reading(citation.handle, citation.segment)
        if reading:
            text = reading.segment.text
            contexts[citation.id] = {
                "before": text[max(0, citation.start - CONTEXT_CHARS) : citation.start],
                "quote": text[citation.start : citation.end],
                "after": text[citation.end : citation.end + CONTEXT_CHARS],
            }
    return contexts
