"""Owns finding tables on a page: which lines are rows, where a table ends, where its columns stand.

Never: what headers, labels or scales say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from counterfoil.adapters.readers.pdf.cells import Piece, cut, is_footnote_mark
from counterfoil.adapters.readers.pdf.columns import Column, Row, Zone, detach, find_columns, zone_of
from counterfoil.adapters.readers.pdf.lines import Line

_CROSSING_WORDS_MIN = 7  # a line this long that runs into the value columns is prose or a caption
_TRAILING_WORDS_MAX = 8  # words behind a single value: more is a note or prose
_GAP_HEIGHTS_MAX = 5.0  # line heights of nothing that end a table without a new header
_INTO_LABELS = 3.0  # line heights left of the first value column where labels certainly begin
_HEADER_LINES_MAX = 12
_HEADER_SHARE = 0.4  # of the columns, or of their width, that a new header covers
_RUNNING_HEADS = frozenset({"table of contents", "unaudited", "(unaudited)"})
_WORDY = 3
_BOXES = re.compile(r"[¨þ☐☒☑✓✔o]")  # ticks of forms, in their fonts' own letters
_EDGE_LINES = 2
_STUB_LINES_MAX = 1
_SECTION_LINES_MAX = 3
_CENTRED = 1.2  # line heights from the middle of the page
_HEADER_WORDS_MAX = 14
_HEADER_GAP_MAX = 3.2  # line heights between header lines
_HEADER_MARK = re.compile(r"\((?:[a-z]|\d)\)")
_ORDINAL = re.compile(r"\d{1,3}(?:\.\d{1,3})*\.?[*†‡]*")
_STUB = re.compile(
    r"million|thousand|ended|fiscal|month|year|quarter|percent|dollar|unaudited|as of|\bshares?\b|week|"
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Table:
    """Rows that share columns, and the header lines above them."""

    rows: list[Row]
    columns: list[Column]
    zone: Zone
    header: list[Line]
    first: int  # line numbers, header included
    last: int

    @property
    def value_x0(self) -> float:
        """Where the values begin and the labels end."""
        return self.columns[0].x0


class Sheet:
    """A page's lines with their cells, cut once."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.pieces = [cut(line) for line in lines]
        self.rows: dict[int, Row] = {}
        self.years: set[int] = set()
        self.centre = (min(line.x0 for line in lines) + max(line.x1 for line in lines)) / 2 if lines else 0.0
        for n, pieces in enumerate(self.pieces):
            if self._is_page_number(n, pieces):
                continue
            if any(p.is_value for p in pieces):
                self._classify(n, pieces)

    def _is_page_number(self, n: int, pieces: list[Piece]) -> bool:
        """A lone small number at the page's foot or head."""
        at_edge = n < _EDGE_LINES or n >= len(self.lines) - _EDGE_LINES
        return at_edge and len(pieces) == 1 and _is_plain(pieces[0])

    def _classify(self, n: int, pieces: list[Piece]) -> None:
        if len(pieces) > 1 and pieces[0].is_value and not pieces[1].is_value and _only_numbers(pieces[0], pieces[1]):
            pieces[0].is_value = False
        first = next((k for k, p in enumerate(pieces) if p.is_value), None)
        if first is None:
            return
        values = [p for p in pieces if p.is_value]
        labels = pieces[:first]
        others = [p for p in pieces[first:] if not p.is_value]
        marks = [p for p in values if _HEADER_MARK.fullmatch(p.text)]
        if others and len(marks) == len(values) and not _adjacent(pieces, marks):
            return  # marks under a header, not figures
        if sum(len(p.words) for p in others) > _TRAILING_WORDS_MAX * len(values):
            return
        dated = [p for p in values if p.is_year or p.is_day]
        only_dates = all(p.is_year or p.is_day or (others and p in marks) for p in values)
        if dated and only_dates and _reads_as_header(labels, dated, others):
            self.years.add(n)
            return
        self.rows[n] = Row(self.lines[n], labels, values, others)


def _adjacent(pieces: list[Piece], marks: list[Piece]) -> bool:
    return any(a in marks and b in marks for a, b in pairwise(pieces))


def _only_numbers(first: Piece, second: Piece) -> bool:
    """Tell whether the first cell numbers the text behind it: "(1)", "10.2", "4."."""
    return is_footnote_mark(first) or (len(second.words) >= 2 and bool(_ORDINAL.fullmatch(first.text)))


def _reads_as_header(labels: list[Piece], values: list[Piece], others: list[Piece]) -> bool:
    years = [p.text for p in values]
    if all(p.is_day for p in values):
        return len(values) > 1 or not labels
    if len(years) >= 2 and (len(set(years)) == len(years) or not labels):
        return True
    if len(years) >= 2 and len(set(years)) * 2 <= len(years) + 1:
        return True  # "2018 2017 2018 2017": two groups
    if others:
        return True
    return not labels or any(_STUB.search(p.text) for p in labels)


def find_tables(lines: list[Line]) -> tuple[list[Table], Sheet]:
    """Return the tables of a page from top to bottom."""
    sheet = Sheet(lines)
    out: list[Table] = []
    for group in _groups(sheet):
        for part in _parts(sheet, group):
            table = _table(sheet, part, out[-1].last if out else -1)
            if table is not None:
                out.append(table)
    return out, sheet


def _groups(sheet: Sheet) -> list[list[int]]:
    """Group row lines that no prose and no wide gap parts."""
    out: list[list[int]] = []
    edge = 0.0
    for n in sorted(sheet.rows):
        start = _first_value(sheet.rows[n])
        if out and not _parted(sheet, out[-1][-1], n, min(edge, start)):
            out[-1].append(n)
            edge = min(edge, start)
        else:
            out.append([n])
            edge = start
    return out


def _first_value(row: Row) -> float:
    if not row.labels and len(row.values) > 1 and row.values[0].digits_x1 < row.values[1].x0 - 2 * row.line.h:
        return row.values[1].x0
    return row.values[0].x0


def _parted(sheet: Sheet, above: int, below: int, edge: float) -> bool:
    last = sheet.lines[above]
    for n in range(above + 1, below):
        line = sheet.lines[n]
        if n not in sheet.years and crosses(line, edge):
            return True
        if last.y - line.y > _GAP_HEIGHTS_MAX * line.h:
            return True
        last = line
    return last.y - sheet.lines[below].y > _GAP_HEIGHTS_MAX * last.h


def crosses(line: Line, edge: float) -> bool:
    """Tell whether the line is prose or a caption that runs into the value columns."""
    return (
        len(line.words) >= _CROSSING_WORDS_MIN
        and line.x0 < edge - _INTO_LABELS * line.h
        and line.x1 > edge + line.h
        and _is_dense(line)
    )


def _is_dense(line: Line) -> bool:
    """Prose leaves no gap wide enough for a column."""
    return all(b.x0 - a.x1 < 1.2 * line.h for a, b in pairwise(line.words))


def _parts(sheet: Sheet, group: list[int]) -> list[list[int]]:
    """Cut a group where a new header begins."""
    out: list[list[int]] = [[group[0]]]
    edge = min(_first_value(sheet.rows[n]) for n in group)
    zone = zone_of([sheet.rows[n] for n in group], edge)
    for above, below in pairwise(group):
        if any(n in sheet.years or _opens(sheet, n, zone, below) for n in range(above + 1, below)):
            out.append([])
        out[-1].append(below)
    return out


def is_header_line(sheet: Sheet, n: int, zone: Zone) -> bool:
    """Tell whether a line without values has cells above the value columns."""
    if n in sheet.rows or sheet.lines[n].text.lower() in _RUNNING_HEADS:
        return False
    h = sheet.lines[n].h
    if any(_BOXES.fullmatch(w.text) for w in sheet.lines[n].words):
        return False
    return any(zone.covers(p, h) and len(p.words) <= _HEADER_WORDS_MAX for p in sheet.pieces[n])


def _opens(sheet: Sheet, n: int, zone: Zone, below: int) -> bool:
    """Tell whether the line begins a new header: its cells stand over a good part of the values."""
    if not is_header_line(sheet, n, zone):
        return False
    over = [p for p in sheet.pieces[n] if zone.covers(p, sheet.lines[n].h)]
    values = sheet.rows[below].values
    if len(values) <= 2 or len(over) >= _HEADER_SHARE * len(values):
        return True
    return sum(p.x1 - p.x0 for p in over) >= _HEADER_SHARE * (zone.right - zone.edge)


def _table(sheet: Sheet, part: list[int], floor: int) -> Table | None:
    rows = [sheet.rows[n] for n in part]
    _numeric_labels(rows)
    rows = [row for row in rows if row.values]
    if not rows:
        return None
    columns = find_columns(rows)
    zone = zone_of(rows, columns[0].x0)
    header = _header_lines(sheet, part[0], floor, columns, zone)
    if _is_list(rows, columns):
        return None
    if len(rows) == 1 and (not rows[0].labels or (not header and len(rows[0].values) < 2)):
        return None
    first = header[0].n if header else part[0]
    detach(rows, columns)
    return Table(rows, columns, zone, header, first, part[-1])


def _is_list(rows: list[Row], columns: list[Column]) -> bool:
    """Tell a list of texts in which one number recurs (exhibits, people) from a table of figures."""
    wordy = sum(sum(len(p.words) for p in row.others) >= _WORDY for row in rows)
    return len(columns) <= 2 and 2 * wordy > len(rows)


def _numeric_labels(rows: list[Row]) -> None:
    """Move years and the like that stand in the label column ("2019   $ 12") to the labels."""
    labelled = [row.labels[0].x0 for row in rows if row.labels]
    bare = [row for row in rows if not row.labels and len(row.values) > 1]
    plain = all(row.values[0].is_year or _is_plain(row.values[0]) for row in bare)
    for row in bare:
        first = row.values[0]
        near = bool(labelled) and first.x1 < min(min(labelled) + 8 * row.line.h, row.values[1].x0)
        if (near if labelled else plain) and not first.text.startswith("$"):
            row.labels = [first]
            row.values = row.values[1:]
            first.is_value = False


def _is_plain(piece: Piece) -> bool:
    return len(piece.words) == 1 and piece.text.isdigit() and len(piece.text) <= 4


def _header_lines(sheet: Sheet, first_row: int, floor: int, columns: list[Column], zone: Zone) -> list[Line]:
    """Collect the lines above the first row that stand over the value columns."""
    edge = zone.edge
    out: list[Line] = []
    below = sheet.lines[first_row]
    waiting: list[Line] = []  # lines over the labels only: sections below the header, stubs within it
    for n in range(first_row - 1, max(floor, first_row - _HEADER_LINES_MAX), -1):
        line = sheet.lines[n]
        if below.y - line.y > _HEADER_GAP_MAX * max(line.h, below.h) or n in sheet.rows:
            break
        if n in sheet.years or (is_header_line(sheet, n, zone) and not _is_title(sheet, line, columns)):
            if out:
                out.extend(waiting)
            out.append(line)
            waiting = []
        elif crosses(line, edge) or len(waiting) >= (_STUB_LINES_MAX if out else _SECTION_LINES_MAX):
            break
        else:
            waiting.append(line)
        below = line
    return out[::-1]


def _is_title(sheet: Sheet, line: Line, columns: list[Column]) -> bool:
    """A title is centred on the table or runs across it; header cells stand over their columns."""
    pieces = sheet.pieces[line.n]
    if len(pieces) != 1 or len(columns) == 0:
        return False
    edge, right = columns[0].x0, columns[-1].x1
    if line.x0 < edge - 6 * line.h and len(line.words) >= 3:
        return True
    centre = (line.x0 + line.x1) / 2
    off_values = abs(centre - (edge + right) / 2)
    if len(columns) > 1 and abs(centre - sheet.centre) < _CENTRED * line.h and off_values > 2 * _CENTRED * line.h:
        return not any(abs(centre - c.centre) < line.h for c in columns) or line.text.isupper()
    return centre < edge and right - edge > 0 and line.x0 < edge - 4 * line.h
