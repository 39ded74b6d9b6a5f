"""Owns building segments: takes headings, prose and tables in reading order, keeps every span verbatim.

Segments hold at most the limit's characters; a table that runs on repeats its title and headers.
Never: parsing a format.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from counterfoil.adapters.readers.phrases import ending_phrase, is_scale_line, scales_all
from counterfoil.adapters.readers.tables import Grid, RowText, cell_of, row_texts
from counterfoil.core.evidence.passages import Passage, PassageKind, Span, TableRow
from counterfoil.core.evidence.split import sentences, split_text
from counterfoil.core.text.units import unit_named
from counterfoil.ports.reader import ParsedSegment, ReadLimits

_FLUSH_AT_HEADING = 0.6  # of a segment's characters: from here on a heading starts a new one
_BLOCK = "\n\n"
_CAPTION_CHARS_MAX = 120
_EMPHASIS = " \t*_"


class Layout:
    """Collects blocks and cuts them into segments."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._parts: list[str] = []
        self._length = 0
        self._passages: list[Passage] = []
        self._heading: str | None = None
        self._segment_heading: str | None = None
        self._segments: list[ParsedSegment] = []
        self._held: tuple[str, str] | None = None  # a line that scales the table to come, and what parts it from above
        self._of_heading: str | None = None  # the scale that the heading above states
        self._of_document: str | None = None  # the scale that a sentence states for all tables
        self._headless = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was left out, in sentences."""
        if not self._headless:
            return ()
        return (f"title and column headers of {self._headless} tables are too long to stand above them: left out",)

    def heading(self, text: str) -> None:
        """Add a heading; a long segment ends before it."""
        text = " ".join(text.split())
        if not text:
            return
        if is_scale_line(text):
            self._release()
            self._held = text, _BLOCK
            return
        kept = self._held[0] if self._held is not None and is_scale_line(self._held[0]) else None
        self._release()
        phrase = ending_phrase(text)
        self._of_heading = phrase.text if phrase else kept
        if self._length > self._limits.segment_chars_max * _FLUSH_AT_HEADING:
            self.flush()
        for piece in split_text(text, self._limits.passage_chars_max):
            first = self._length == 0
            self._append(piece.text, "heading")
            self._segment_heading = text if first else self._segment_heading or text
        self._heading = text

    def prose(self, text: str, kind: PassageKind = "text") -> None:
        """Add running text; its own line structure is kept. A last line that scales a table waits for it."""
        self._release()
        if kind == "text":
            self._note(text)
        above, line_break, line = text.strip("\n").rpartition("\n")
        if kind == "text" and (is_scale_line(line) or (not above and _is_caption(line.strip(_EMPHASIS)))):
            if above.strip():
                self._prose(above, kind)
            self._held = line, line_break if above.strip() else _BLOCK
        else:
            self._prose(text, kind)

    def _release(self) -> None:
        """Add the line that waited for a table: none came."""
        if self._held is not None:
            text, separator = self._held
            self._held = None
            if is_scale_line(text):
                self._line(text, separator)
            else:
                self._prose(text, "text")

    def _note(self, text: str) -> None:
        """Keep the scale that a sentence states for every table of the document."""
        for start, end in sentences(text, 0, len(text)):
            phrase = scales_all(text[start:end].strip())
            if phrase is not None:
                self._of_document = phrase.text

    def _prose(self, text: str, kind: PassageKind) -> None:
        last = 0
        for index, piece in enumerate(split_text(text, self._limits.passage_chars_max)):
            between = text[last : piece.start] if index else _BLOCK
            last = piece.end
            if piece.kind == "heading" and kind == "text" and not is_scale_line(piece.text):
                if self._length > self._limits.segment_chars_max * _FLUSH_AT_HEADING:
                    self.flush()
                first = self._length == 0
                self._append(piece.text, "heading", between)
                self._heading = " ".join(piece.text.lstrip("# \t").split())
                self._segment_heading = self._heading if first else self._segment_heading or self._heading
            else:
                own: PassageKind = "text" if piece.kind == "heading" else piece.kind
                self._append(piece.text, own if kind == "text" else kind, between)

    def table(self, grid: Grid) -> None:
        """Add a table, one passage per row; a line right above it that scales tables becomes part of its title."""
        if self._held is not None and grid.scale is None:
            grid = msgspec.structs.replace(
                grid, title=" ".join(filter(None, (grid.title, self._held[0].strip(_EMPHASIS))))
            )
            self._held = None
        self._release()
        standing = self._of_heading or self._of_document
        if standing and grid.scale is None:
            grid = msgspec.structs.replace(grid, title=" ".join(filter(None, (grid.title, standing))))
        title, headers = self._table_head(grid)
        self._headless += title is None and not headers and bool(grid.title or grid.header)
        section: Span | None = None
        section_text: str | None = None
        for row in row_texts(grid, self._limits.passage_chars_max):
            if row.prose:
                self.prose(row.line)
                continue
            if self._length + len(row.line) + 2 > self._limits.segment_chars_max:
                self.flush()
                title, headers = self._table_head(grid)
                section = self._span_of_line(section_text) if section_text else None
            start = self._room(row.line, "\n")
            if row.is_section:
                section, section_text = Span(row.line, start, start + len(row.line)), row.line
            self._add_row(row, start, grid, title, headers, None if row.is_section else section)

    def flush(self) -> None:
        """End the current segment."""
        self._release()
        text = "".join(self._parts)
        if text.strip():
            self._segments.append(ParsedSegment(text, tuple(self._passages), None, self._segment_heading))
        self._parts, self._passages, self._length = [], [], 0
        self._segment_heading = self._heading

    def segments(self) -> tuple[ParsedSegment, ...]:
        """End and return all segments."""
        self.flush()
        return tuple(self._segments)

    def _append(self, text: str, kind: PassageKind, separator: str = _BLOCK) -> int:
        start = self._room(text, separator)
        self._passages.append(Passage(start, start + len(text), text, kind, self._heading))
        return start

    def _line(self, text: str, separator: str) -> int:
        """Add a line in one piece, quotable in as many passages as its length needs."""
        start = self._room(text, separator)
        pieces = split_text(text, self._limits.passage_chars_max, start)
        self._passages += [Passage(p.start, p.end, p.text, "text", self._heading) for p in pieces]
        return start

    def _room(self, text: str, separator: str) -> int:
        """Make room for ``text`` in this segment or the next, add it, return where it starts."""
        if self._length and self._length + len(separator) + len(text) > self._limits.segment_chars_max:
            self.flush()
        if self._length:
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start

    def _span_of_line(self, text: str) -> Span:
        start = self._line(text, "\n")
        return Span(text, start, start + len(text))

    def _table_head(self, grid: Grid) -> tuple[Span | None, list[list[Span | None]]]:
        """Write title and column headers; return their spans, headers by level and column."""
        lines = [row.line for row in grid.header_lines()]
        needed = len(grid.title or "") + sum(len(line) + 2 for line in lines)
        if needed > self._limits.segment_chars_max // 2:
            return None, []
        if self._length and self._length + needed > self._limits.segment_chars_max:
            self.flush()
        title: Span | None = None
        if grid.title:
            start = self._line(grid.title, _BLOCK)
            title = Span(grid.title, start, start + len(grid.title))
        levels: list[list[Span | None]] = []
        for number, header in enumerate(grid.header_lines()):
            start = self._line(header.line, _BLOCK if number == 0 and not grid.title else "\n")
            levels.append(grid.header_spans(number, header, start))
        if not levels and not grid.title and self._length:
            self._parts.append("\n")
            self._length += 1
        return title, levels

    def _add_row(
        self,
        row: RowText,
        start: int,
        grid: Grid,
        title: Span | None,
        headers: Sequence[Sequence[Span | None]],
        section: Span | None,
    ) -> None:
        label = row.label_span(start)
        cells = tuple(cell_of(grid, row, place, start, headers, title, section) for place in row.cells)
        table = TableRow(label=label, cells=cells, title=title, section=section)
        self._passages.append(Passage(start, start + len(row.line), row.line, "row", self._heading, table))


def _is_caption(line: str) -> bool:
    """Tell a short line that ends with the scale or, in brackets, the unit of the table below it."""
    named = line.endswith(")") and len(line) <= _CAPTION_CHARS_MAX and unit_named(line) is not None
    return named or ending_phrase(line) is not None
