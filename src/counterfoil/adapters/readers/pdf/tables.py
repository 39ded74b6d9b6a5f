"""Owns reading a page's tables whole: rows with label, section, headers, title and scale as words.

Never: positions in the text; those come when the text is composed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from counterfoil.adapters.readers.pdf import captions, headers, scales
from counterfoil.adapters.readers.pdf.captions import Caption, find_caption, words_at
from counterfoil.adapters.readers.pdf.cells import Piece
from counterfoil.adapters.readers.pdf.glyphs import Rule, Word
from counterfoil.adapters.readers.pdf.grid import Sheet, Table, find_tables
from counterfoil.adapters.readers.pdf.headers import Header
from counterfoil.adapters.readers.pdf.labels import Labelled, label_rows
from counterfoil.adapters.readers.pdf.lines import Line

_NOTE_COLUMN = re.compile(r"^(?:foot)?notes?$|^ref(?:erence)?\.?$|^page(?: no\.?| number)?$|^item$", re.IGNORECASE)
_CONTINUES_LINES_MAX = 4  # lines between two tables under one title
_CONTINUES_GAP_MAX = 7.0  # line heights between them

__all__ = ["ReadCell", "ReadRow", "ReadTable", "captions", "read_tables"]


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
    for table in tables:
        bound, stubs = headers.bind(table, sheet, drawn)
        caption = find_caption(table, stubs, lines, floor, is_bold)
        if previous is not None and table.first - floor <= _CONTINUES_LINES_MAX:
            _inherit(caption, previous, lines[floor], lines[table.first])
        labelled = label_rows(table, sheet, is_bold)
        rows = [_row(item, table, bound, caption) for item in labelled]
        header_lines = [line.n for line in table.header]
        out.append(ReadTable(caption.title, [r for r in rows if r.cells], header_lines, caption.lines))
        floor = max([table.last, *(line.n for item in labelled for line in item.extra)])
        previous = caption
    return out


def _inherit(caption: Caption, previous: Caption, above: Line, below: Line) -> None:
    """A new header inside one table keeps the table's title and scale."""
    if above.y - below.y > _CONTINUES_GAP_MAX * above.h:
        return
    if not caption.title:
        caption.title = previous.title
    if caption.phrase is None:
        caption.phrase, caption.phrase_words = previous.phrase, previous.phrase_words


def _row(item: Labelled, table: Table, bound: list[Header], caption: Caption) -> ReadRow:
    row = item.row
    cells: list[ReadCell] = []
    for value, column in zip(row.values, row.columns, strict=True):
        over = [h for h in bound if h.first <= column <= h.last]
        if over and _NOTE_COLUMN.match(over[-1].text):
            continue
        cells.append(_cell(item, value, column, over, table, caption))
    edge = max(v.x1 for v in row.values)
    behind = [w for p in row.others if p.x0 > edge for w in p.words]
    return ReadRow([row.line, *item.extra], item.label, item.section, cells, behind)


def _cell(
    item: Labelled, value: Piece, column: int, over: list[Header], table: Table, caption: Caption
) -> ReadCell:
    label = _text(item.label)
    section = _text(item.section or [])
    verdict = scales.judge(
        scales.Surroundings(
            value=value.text,
            label=label,
            section=section,
            headers=tuple(h.text for h in over),
            table=caption.phrase,
            first_percent=_first_percent(table, column),
            column_money=_column_money(table, column, item),
        )
    )
    words = [w for w in value.words if w.text]
    return ReadCell(
        words, [h.words for h in over], _scale_words(verdict, item, value, over, caption, table, column),
        verdict.multiplier, verdict.unit,
    )


def _text(words: list[Word]) -> str:
    return " ".join(w.text for w in words)


def _column_values(table: Table, column: int) -> list[Piece]:
    return [v for r in table.rows for v, c in zip(r.values, r.columns, strict=True) if c == column]


def _first_percent(table: Table, column: int) -> bool:
    values = _column_values(table, column)
    if not values or "%" not in values[0].text:
        return False
    return not any("$" in v.text or ("," in v.text and "%" not in v.text) for v in values)


def _column_money(table: Table, column: int, item: Labelled) -> str | None:
    """The currency sign of the column: its first rows carry it for the rest."""
    for value in _column_values(table, column):
        sign = scales.money_sign(value.text)
        if sign is not None:
            return sign
    del item
    return None


def _scale_words(
    verdict: scales.Verdict,
    item: Labelled,
    value: Piece,
    over: list[Header],
    caption: Caption,
    table: Table,
    column: int,
) -> list[Word]:
    """The words that carry the scale, so that a reader can see them."""
    phrase = verdict.phrase
    if verdict.source == "table":
        return caption.phrase_words
    if verdict.source == "own":
        return [value.words[-1]]
    if verdict.source == "first":
        return [_column_values(table, column)[0].words[-1]]
    if verdict.source == "header":
        words = [w for h in over for w in h.words]
        if phrase is not None:
            return words_at(words, phrase.start, phrase.end)
        return over[-1].words if over else []
    if verdict.source in {"label", "section"}:
        words = item.label if verdict.source == "label" else (item.section or [])
        return words_at(words, phrase.start, phrase.end) if phrase is not None else words
    return []
