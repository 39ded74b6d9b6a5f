"""Builds small Run states for tests by constructing the Structs directly.

Never: folding events (the tests of ``evolve`` do that) or reading files.
"""

from __future__ import annotations

from collections.abc import Sequence

from counterfoil.core.answer.candidate import Candidate, Gap
from counterfoil.core.answer.contract import Contract, Field, Row, TimeAnchor
from counterfoil.core.evidence.facts import Calculation, CalculationInput, Fact
from counterfoil.core.evidence.passages import Cell, Document, Passage, Segment, Span, TableRow
from counterfoil.core.evidence.sources import Evidence, Reading, Source
from counterfoil.core.exchange import ProposedCall
from counterfoil.core.law.budget import Budget
from counterfoil.core.record.register import Register
from counterfoil.core.record.snapshot import Admitted
from counterfoil.core.record.state import READ_TOOL, SEARCH_TOOL, Call, RunState, Turn

URL = "https://citynorth.gov/passes"


def row_passage(
    label: str,
    cells: Sequence[tuple[str, str]],
    *,
    multiplier: str | None = None,
    unit: str | None = None,
    title: str | None = None,
    section: str | None = None,
) -> Passage:
    """A table row: ``cells`` are (value, column header), all scaled alike. Header spans are not in the text."""
    text, built = label, []
    for value, header in cells:
        start = len(text) + 1
        text = f"{text} {value}"
        levels = tuple(Span(level, 0, len(level)) for level in header.split(" | ")) if header else ()
        built.append(Cell(Span(value, start, len(text)), levels, None, multiplier, unit))
    named = Span(title, 0, len(title)) if title else None
    under = Span(section, 0, len(section)) if section else None
    table = TableRow(Span(label, 0, len(label)), tuple(built), named, under)
    return Passage(0, len(text), text, "row", None, table)


def make_document(url: str = URL, **fields: str | None) -> Document:
    """A document of one segment; ``fields`` override what a Document knows."""
    given = {"title": "Passes", "language": "en", **fields}
    return Document(
        id=url, url=url, title=given["title"] or "", media_type="text/html", segments=1, content_hash="0" * 64,
        language=given["language"], published=given.get("published"), period=given.get("period"),
    )  # fmt: skip


def make_evidence(passage: str | Passage, *, url: str = URL, **fields: str | None) -> Evidence:
    """One passage as evidence E1."""
    held = passage if isinstance(passage, Passage) else Passage(0, len(passage), passage)
    return Evidence("E1", held, Source("S1", make_document(url, **fields), "c1", 0), 0, None, "c2")


def make_state(
    question: str = "What does it cost?",
    passages: Sequence[str | Passage] = (),
    *,
    unseen: Sequence[str | Passage] = (),
    rows: Sequence[str | Row] = (),
    fields: Sequence[str | Field] = (),
    domains: Sequence[str] = (),
    period: str | None = None,
    facts: Sequence[Fact] = (),
    url: str = URL,
    document: Document | None = None,
    as_of: str = "2026-06-30",
) -> RunState:
    """A Run that searched (call c1), read ``passages`` as E1, E2, ... and has a later request under way.

    ``unseen`` passages follow them with the next numbers and were in no view yet.
    """
    contract = Contract(
        question,
        rows=tuple(row if isinstance(row, Row) else Row(row) for row in rows),
        fields=tuple(field if isinstance(field, Field) else Field(field) for field in fields),
        domains=tuple(domains),
        period=period,
    )
    document = document or make_document(url)
    source = Source("S1", document, "c1", 0)
    readings, first = [], 1
    for index, (call_id, group) in enumerate((("c2", passages), ("c3", unseen))):
        held = tuple(p if isinstance(p, Passage) else Passage(0, len(p), p) for p in group)
        if held:
            text = "\n".join(p.text for p in held)
            readings.append(Reading("S1", Segment(document.id, index, 2, text, held), first, call_id, 0))
        first += len(held)
    calls = {
        "c1": Call(ProposedCall("c1", SEARCH_TOOL, {"query": "cost"}), "m1", "settled"),
        "c2": Call(ProposedCall("c2", READ_TOOL, {"handle": "S1"}), "m2", "settled"),
        "c3": Call(ProposedCall("c3", READ_TOOL, {"handle": "S1"}), "m3", "settled"),
    }
    return RunState(
        run_id="r1",
        snapshot=Admitted(1, contract, TimeAnchor(as_of), (), "offline", "offline", {}, (), (), {}, False),
        contract=contract,
        admitted_at=0,
        budget=Budget({}),
        calls=Register(calls),
        turns=tuple(Turn(request, "research", ()) for request in ("m1", "m2", "m3")),
        sources=Register({"S1": source}),
        handles=Register({document.id: "S1"}),
        readings=tuple(readings),
        read_index=Register({("S1", reading.segment.index): i for i, reading in enumerate(readings)}),
        evidence_count=first - 1,
        facts=tuple(facts),
    )


def make_fact(
    value: str | None,
    unit: str | None = None,
    *,
    id: str = "F1",
    row: str = "",
    field: str = "",
    kind: str = "stated",
    evidence: Sequence[str] = ("E1",),
    period: str | None = None,
    conditions: str | None = None,
) -> Fact:
    """A recorded fact."""
    return Fact(id, row, field, kind, value, unit, period, conditions, None, tuple(evidence))  # type: ignore[arg-type]


def make_candidate(
    body: str, *, calculations: Sequence[Calculation] = (), gaps: Sequence[Gap] = (), finish: bool = False
) -> Candidate:
    """A candidate P1."""
    return Candidate("P1", body, tuple(calculations), tuple(gaps), finish)


def make_calculation(
    formula: str, value: str, unit: str | None = None, *, id: str = "C1", **inputs: tuple[str, ...]
) -> Calculation:
    """A calculation; each input is name=(evidence_id, value[, multiplier[, header]])."""
    operands = tuple(
        CalculationInput(
            name, given[0], given[1], given[3] if len(given) > 3 else None, given[2] if len(given) > 2 else "1"
        )
        for name, given in inputs.items()
    )
    return Calculation(id, formula, operands, value, unit)
