"""Checks that every span of what a reader returns is verbatim, in order and within limits."""

from __future__ import annotations

from counterfoil.core.evidence.passages import Passage, Span
from counterfoil.ports.reader import ParsedDocument, ParsedSegment, ReadLimits

LIMITS = ReadLimits(file_bytes_max=5_000_000, segment_chars_max=1500, passage_chars_max=300)


def checked(document: ParsedDocument, limits: ReadLimits = LIMITS) -> ParsedDocument:
    for segment in document.segments:
        assert len(segment.text) <= limits.segment_chars_max
        last = 0
        for passage in segment.passages:
            assert segment.text[passage.start : passage.end] == passage.text
            assert passage.start >= last
            assert 0 < len(passage.text) <= limits.passage_chars_max
            last = passage.end
            for span in spans_of(passage):
                assert segment.text[span.start : span.end] == span.text
    return document


def spans_of(passage: Passage) -> list[Span]:
    table = passage.table
    if table is None:
        return []
    spans = [table.label, table.title, table.section]
    for cell in table.cells:
        spans += [cell.value, cell.scale, *cell.header]
    return [s for s in spans if s is not None]


def rows(document: ParsedDocument) -> list[Passage]:
    return [p for s in document.segments for p in s.passages if p.kind == "row"]


def row(document: ParsedDocument, label: str) -> Passage:
    return next(p for p in rows(document) if p.table and p.table.label and p.table.label.text == label)


def whole(document: ParsedDocument) -> str:
    return "\n".join(s.text for s in document.segments)


def headings(segments: tuple[ParsedSegment, ...]) -> list[str]:
    return [p.text for s in segments for p in s.passages if p.kind == "heading"]
