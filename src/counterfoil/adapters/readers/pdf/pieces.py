"""Owns turning a read page into segments: one, or several where a page is longer than a read may be.

Spans move with their segment; context that lies in another segment is left out. Never: page analysis.
"""

from __future__ import annotations

from counterfoil.adapters.readers.pdf.page import ReadPage
from counterfoil.core.evidence.passages import Cell, Passage, Span, TableRow
from counterfoil.ports.reader import ParsedSegment, ReadLimits


def segments_of(
    page: ReadPage, number: int, heading: str | None, limits: ReadLimits
) -> tuple[list[ParsedSegment], str | None]:
    """Return the page's segments and the heading that is open at its end."""
    titled, last = _with_headings(page.passages, heading)
    out: list[ParsedSegment] = []
    for start, end in _cuts(page.text, titled, limits.segment_chars_max):
        inside = [p for p in titled if start <= p.start and p.end <= end]
        moved = tuple(_moved(p, start, end) for p in inside)
        first = next((p.text for p in inside if p.kind == "heading"), None)
        out.append(ParsedSegment(page.text[start:end], moved, number, _flat(first) if first else heading))
    return out, last


def _flat(text: str) -> str:
    return " ".join(text.split())


def _with_headings(passages: list[Passage], heading: str | None) -> tuple[list[Passage], str | None]:
    out: list[Passage] = []
    for p in passages:
        out.append(Passage(p.start, p.end, p.text, p.kind, heading, p.table))
        if p.kind == "heading":
            heading = _flat(p.text)
    return out, heading


def _cuts(text: str, passages: list[Passage], chars_max: int) -> list[tuple[int, int]]:
    """Cut between passages so that no part is longer than allowed."""
    if len(text) <= chars_max:
        return [(0, len(text))]
    out: list[tuple[int, int]] = []
    start = 0
    for p in passages:
        if p.end - start > chars_max and p.start > start:
            out.append((start, p.start))
            start = p.start
    out.append((start, len(text)))
    return [(a, a + len(text[a:b].rstrip())) for a, b in out]


def _moved(p: Passage, start: int, end: int) -> Passage:
    if start == 0 and p.table is None:
        return p
    table = None if p.table is None else _moved_row(p.table, start, end)
    return Passage(p.start - start, p.end - start, p.text, p.kind, p.heading, table)


def _moved_row(row: TableRow, start: int, end: int) -> TableRow:
    cells = tuple(_moved_cell(cell, start, end) for cell in row.cells)
    return TableRow(
        _inside(row.label, start, end), cells, _inside(row.title, start, end), _inside(row.section, start, end)
    )


def _moved_cell(cell: Cell, start: int, end: int) -> Cell:
    value = Span(cell.value.text, cell.value.start - start, cell.value.end - start)
    header = tuple(span for h in cell.header if (span := _inside(h, start, end)) is not None)
    return Cell(value, header, _inside(cell.scale, start, end), cell.multiplier, cell.unit)


def _inside(span: Span | None, start: int, end: int) -> Span | None:
    if span is None or span.start < start or span.end > end:
        return None
    return span if start == 0 else Span(span.text, span.start - start, span.end - start)
