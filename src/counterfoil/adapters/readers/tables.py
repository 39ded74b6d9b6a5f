"""Owns a table as a grid: which rows are headers, how a row reads as a line, what scales its cells.

Never: where the table came from. Every value, label and header is verbatim in the line built here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from counterfoil.adapters.readers.phrases import Phrase, find_phrase
from counterfoil.adapters.readers.scales import Surroundings, judge, money_sign
from counterfoil.core.evidence.passages import Cell, Span

_BAR = " | "
_NUMBER = re.compile(
    r"^[\s(]*[-+–−~≈]?\s*(?:[$€£¥₹]|[A-Z]{2,3}\$?)?\s*[-+–−]?\(?\d[\d.,'’\u00a0\u202f ]*\)?"
    r"\s*(?:%|‰|[€$£¥₹]|[xX]|pp|pts|bps)?\)?$"
)
_YEAR = re.compile(r"^(?:FY|Q[1-4] ?|H[12] ?)?'?(?:19|20)\d\d[A-Za-z*]?$")
_OPENERS = frozenset(["$", "€", "£", "¥", "₹", "(", "$(", "($", "€(", "-"])
_CLOSERS = frozenset([")", "%", ")%", "%)", "€", "x", "pts", "bps"])
_DASHES = frozenset(["-", "–", "—", "−"])
_HEADER_ROWS_MAX = 4
_TITLE_ROWS_MAX = 4
_PART = re.compile(r"\s+")


class Place(msgspec.Struct, frozen=True):
    """A cell's place in its line, and its column."""

    column: int
    start: int
    end: int


class RowText(msgspec.Struct, frozen=True):
    """A row as one line, with the places of its label and cells."""

    line: str
    label: Place | None
    cells: tuple[Place, ...]
    label_text: str = ""
    is_section: bool = False
    prose: bool = False

    def label_span(self, offset: int) -> Span | None:
        """Return the label's span when the line starts at ``offset``; None when it stands elsewhere."""
        if self.label is None:
            return None
        text = self.line[self.label.start : self.label.end]
        return Span(text, offset + self.label.start, offset + self.label.end)


class Grid(msgspec.Struct, frozen=True, dict=True):
    """A rectangular table. ``header`` rows come before ``body``; ``title`` is its caption, ``note`` what it adds."""

    header: tuple[tuple[str, ...], ...]
    body: tuple[tuple[str, ...], ...]
    title: str | None = None

    def header_lines(self) -> list[RowText]:
        """Return the header rows as lines; a text that spans columns stands once."""
        return [_line(_spanned_once(row), label_column=None) for row in self.header]

    def header_spans(self, level: int, line: RowText, offset: int) -> list[Span | None]:
        """Return for every column the span of its header at ``level``."""
        spans: list[Span | None] = [None] * self.width
        by_column = {p.column: Span(line.line[p.start : p.end], offset + p.start, offset + p.end) for p in line.cells}
        current: Span | None = None
        row = self.header[level]
        for column in range(self.width):
            text = row[column] if column < len(row) else ""
            if column in by_column:
                current = by_column[column]
            spans[column] = current if text and current is not None and current.text == text else None
        return spans

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return max((len(r) for r in (*self.header, *self.body)), default=0)

    @cached_property
    def scale(self) -> Phrase | None:
        """Return the scale phrase of the title, else of the first header cell, if any."""
        for text in (self.title or "", *(row[0] for row in self.header if row)):
            phrase = find_phrase(text)
            if phrase is not None:
                return phrase
        return None

    @cached_property
    def column_money(self) -> tuple[str | None, ...]:
        """The currency sign shown in each column, found once for the whole table."""
        found: list[str | None] = [None] * self.width
        for row in self.body:
            for column, text in enumerate(row):
                found[column] = found[column] or money_sign(text)
        return tuple(found)


def grid_of(rows: Sequence[Sequence[str]], *, title: str | None = None, header_rows: int | None = None) -> Grid | None:
    """Build a grid from raw rows: tidy cells, drop empty rows and columns, find title and header rows."""
    table = _without_empty([_joined([_fold(c) for c in row]) for row in rows])
    if not table:
        return None
    if header_rows is None:
        title, table = _title_rows(table, title)
        count = _header_count(table)
    else:
        count = min(header_rows, len(table))
    if count >= len(table) and header_rows is None:
        count = 0
    return Grid(tuple(table[:count]), tuple(table[count:]), title or None)


def is_figure(text: str) -> bool:
    """Tell whether a cell holds a figure (not a bare year)."""
    return bool(_NUMBER.match(text)) and not _YEAR.match(text)


def row_texts(grid: Grid, chars_max: int) -> Iterator[RowText]:
    """Yield body rows as lines; a row too long for a passage comes in several, huge cells as prose."""
    for row in grid.body:
        filled = [i for i, c in enumerate(row) if c]
        if not filled:
            continue
        if any(len(row[i]) > chars_max for i in filled):
            yield RowText(_BAR.join(row[i] for i in filled), None, (), prose=True)
            continue
        label_column = 0 if row[0] and not is_figure(row[0]) else None
        whole = _line(row, label_column)
        if len(whole.line) <= chars_max:
            section = label_column is not None and filled == [0] and grid.width > 1
            yield msgspec.structs.replace(whole, is_section=section)
        else:
            yield from _in_parts(row, filled, label_column, chars_max)


def cell_of(
    grid: Grid,
    row: RowText,
    place: Place,
    offset: int,
    headers: Sequence[Sequence[Span | None]],
    title: Span | None,
    section: Span | None,
) -> Cell:
    """Return a cell with its header, scale and unit; ``offset`` is where the row's line starts."""
    value = Span(row.line[place.start : place.end], offset + place.start, offset + place.end)
    levels = [level[place.column] for level in headers if place.column < len(level)]
    header = tuple(dict.fromkeys(h for h in levels if h is not None))
    if not is_figure(value.text):
        return Cell(value=value, header=header)
    verdict = judge(
        Surroundings(
            value=value.text,
            label=row.label_text,
            section=section.text if section else "",
            headers=tuple(h.text for h in header),
            table=grid.scale,
            column_money=grid.column_money[place.column],
        )
    )
    first = [level[0] for level in headers if level and level[0] is not None]
    places = [*header, row.label_span(offset), section, title, *first]
    scale = _phrase_span(verdict.phrase, places) if verdict.phrase else None
    if scale is None and verdict.unit == "percent" and value.text.endswith("%"):
        scale = Span("%", value.end - 1, value.end)
    return Cell(value=value, header=header, scale=scale, multiplier=verdict.multiplier, unit=verdict.unit)


def _phrase_span(phrase: Phrase, places: Sequence[Span | None]) -> Span | None:
    for place in places:
        if place is None:
            continue
        at = place.text.find(phrase.text)
        if at >= 0:
            return Span(phrase.text, place.start + at, place.start + at + len(phrase.text))
    return None


def _fold(text: str) -> str:
    return _PART.sub(" ", text).strip()


def _joined(row: list[str]) -> list[str]:
    """Glue currency signs, brackets and percent signs that stand in cells of their own to their figure."""
    out = list(row)
    for i, cell in enumerate(out):
        if cell in _OPENERS:
            following = next((j for j in range(i + 1, min(i + 3, len(out))) if out[j]), None)
            if following is not None and (is_figure(out[following]) or _YEAR.match(out[following])):
                separator = "" if cell.endswith(("(", "-")) else " "
                out[following] = cell + separator + out[following]
                out[i] = ""
        elif cell in _CLOSERS:
            before = next((j for j in range(i - 1, max(i - 3, -1), -1) if out[j]), None)
            if before is not None and re.search(r"\d", out[before]) and before > 0:
                out[before] += cell
                out[i] = ""
    return out


def _without_empty(rows: list[list[str]]) -> list[tuple[str, ...]]:
    width = max((len(r) for r in rows), default=0)
    padded = [r + [""] * (width - len(r)) for r in rows if any(r)]
    columns = [c for c in range(width) if any(r[c] for r in padded)]
    return [tuple(r[c] for c in columns) for r in padded]


def _title_rows(table: list[tuple[str, ...]], title: str | None) -> tuple[str | None, list[tuple[str, ...]]]:
    """Take leading rows with one filled cell (or one text across) as the title."""
    lines = [title] if title else []
    taken = 0
    for row in table[:_TITLE_ROWS_MAX]:
        texts = {c for c in row if c}
        alone = len(texts) == 1 and (len(row) > 1) and not is_figure(next(iter(texts)))
        if not alone or taken + 1 >= len(table):
            break
        lines.append(next(iter(texts)))
        taken += 1
    return " ".join(lines) or None, table[taken:]


def _header_count(table: list[tuple[str, ...]]) -> int:
    count = 0
    for row in table[:_HEADER_ROWS_MAX]:
        filled = [c for c in row[1:] if c]
        if not filled or any(is_figure(c) or c in _DASHES for c in filled):
            break
        if count and row[0] and not all(_YEAR.match(c) for c in filled) and not _has_figures(table, count):
            break
        count += 1
        if row[0]:
            break
    return count


def _has_figures(table: list[tuple[str, ...]], start: int) -> bool:
    return any(is_figure(c) for row in table[start:] for c in row[1:])


def _spanned_once(row: Sequence[str]) -> list[str]:
    return [c if i == 0 or c != row[i - 1] else "" for i, c in enumerate(row)]


def _line(row: Sequence[str], label_column: int | None) -> RowText:
    parts: list[str] = []
    places: list[Place] = []
    length = 0
    for column, text in enumerate(row):
        if not text:
            continue
        if parts:
            parts.append(_BAR)
            length += len(_BAR)
        places.append(Place(column, length, length + len(text)))
        parts.append(text)
        length += len(text)
    label = places[0] if label_column is not None and places else None
    return RowText(
        line="".join(parts),
        label=label,
        cells=tuple(p for p in places if p is not label),
        label_text=row[label_column] if label_column is not None else "",
    )


def _in_parts(row: Sequence[str], filled: list[int], label_column: int | None, chars_max: int) -> Iterator[RowText]:
    group: list[int] = []
    first = True
    for column in [*filled, -1]:
        size = sum(len(row[i]) + len(_BAR) for i in group) + (len(row[column]) if column >= 0 else chars_max + 1)
        if group and size > chars_max:
            kept = [c if i in group else "" for i, c in enumerate(row)]
            part = _line(kept, label_column if first else None)
            yield part if first else msgspec.structs.replace(part, label_text=row[0] if label_column == 0 else "")
            group, first = [], False
        if column >= 0:
            group.append(column)
