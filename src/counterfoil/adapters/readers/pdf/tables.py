"""Owns reading a page's tables whole: rows with label, section, headers, title and scale as words.

Never: positions in the text; those come when the text is composed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from counterfoil.adapters.readers.pdf import headers
from counterfoil.adapters.readers.pdf.captions import Caption, find_caption
from counterfoil.adapters.readers.pdf.counting import Context, says_nothing
from counterfoil.adapters.readers.pdf.glyphs import Rule, Word
from counterfoil.adapters.readers.pdf.grid import Table, find_tables
from counterfoil.adapters.readers.pdf.headers import Header
from counterfoil.adapters.readers.pdf.labels import Labelled, label_rows
from counterfoil.adapters.readers.pdf.lines import Line

_NOTE_COLUMN = re.compile(r"^(?:foot)?notes?$|^ref(?:erence)?\.?$|^page(?: no\.?| number)?$|^item$", re.IGNORECASE)
_CONTINUES_LINES_MAX = 4  # lines between two tables under one title
_CONTINUES_GAP_MAX = 7.0  # line heights between them


@dataclass(slots=True)
class ReadCell:
    """A value with the words that explain it."""

    words: list[Word]
    headers: list[list[Word]]
    scale: list[Word]
    multiplier: str | None
    unit: str | None


@dataclass(slots=True)
class ReadRow:
    """A table row: ``lines`` are all lines its words stand on, the row's own first."""

    lines: list[Line]
    label: list[Word]
    section: list[Word] | None
    cells: list[ReadCell]
    behind: list[Word] = field(default_factory=list)  # words of text cells behind the values


@dataclass(slots=True)
class ReadTable:
    """A table with its rows; ``header_lines`` and ``title_lines`` are line numbers."""

    title: list[Word]
    rows: list[ReadRow]
    header_lines: list[int] = field(default_factory=list)
    title_lines: list[int] = field(default_factory=list)


def read_tables(lines: list[Line], rules: Callable[[], list[Rule]], is_bold: Callable[[Line], bool]) -> list[ReadTable]:
    """Find and read the tables of a page."""
    tables, sheet = find_tables(lines)
    if not tables:
        return []
    drawn = rules()
    out: list[ReadTable] = []
    floor = -1
    previous: Caption | None = None
    last: tuple[Table, list[Header]] | None = None
    for table in tables:
        bound, stubs = headers.bind(table, sheet, drawn)
        if not bound and last is not None and table.first - floor <= _CONTINUES_LINES_MAX:
            bound = _carried(table, *last)
        caption = find_caption(table, stubs, bound, lines, floor, is_bold)
        if previous is not None and table.first - floor <= _CONTINUES_LINES_MAX:
            _inherit(caption, previous, lines[floor], lines[table.first])
        labelled = label_rows(table, sheet, is_bold)
        context = Context(table, bound, caption, labelled)
        rows = [_row(item, context) for item in labelled]
        header_lines = [line.n for line in table.header]
        out.append(ReadTable(caption.title, [r for r in rows if r.cells], header_lines, caption.lines))
        floor = max([table.last, *(line.n for item in labelled for line in item.extra)])
        previous = caption
        last = (table, bound)
    return out


def _carried(table: Table, above: Table, bound: list[Header]) -> list[Header]:
    """A table without a header, set in the very columns of the one above it, goes on under its header."""
    same: dict[int, int] = {}
    for n, column in enumerate(table.columns):
        near = [k for k, c in enumerate(above.columns) if c.x0 < column.x1 and c.x1 > column.x0]
        if len(near) != 1 or near[0] in same:
            return []
        same[near[0]] = n
    out = []
    for header in bound:
        covered = [same[k] for k in range(header.first, header.last + 1) if k in same]
        if covered:
            out.append(Header(header.words, min(covered), max(covered), header.level))
    return out


def _inherit(caption: Caption, previous: Caption, above: Line, below: Line) -> None:
    """A new header inside one table keeps the table's title and scale."""
    if above.y - below.y > _CONTINUES_GAP_MAX * above.h:
        return
    if not caption.title:
        caption.title = previous.title
    if caption.phrase is None:
        caption.phrase, caption.phrase_words = previous.phrase, previous.phrase_words


def _row(item: Labelled, context: Context) -> ReadRow:
    row = item.row
    cells: list[ReadCell] = []
    for value, column in zip(row.values, row.columns, strict=True):
        over = context.over(column)
        if over and _NOTE_COLUMN.match(over[-1].text):
            continue
        verdict, scale = context.counted(item, value, column)
        named = [h.words for h in over if not says_nothing(h.text)]
        cells.append(ReadCell(value.words, named, scale, verdict.multiplier, verdict.unit))
    edge = max(v.x1 for v in row.values)
    behind = [w for p in row.others if p.x0 > edge for w in p.words]
    return ReadRow([row.line, *item.extra], item.label, item.section, cells, behind)
