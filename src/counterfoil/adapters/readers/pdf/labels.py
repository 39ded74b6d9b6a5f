"""Owns the words left of the values: labels that wrap over lines, and the section a row stands in.

Indentation is a stack that totals pop. Never: values, headers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

from counterfoil.adapters.readers.pdf.cells import Piece, is_footnote_mark
from counterfoil.adapters.readers.pdf.columns import Row
from counterfoil.adapters.readers.pdf.glyphs import Word
from counterfoil.adapters.readers.pdf.grid import Sheet, Table, crosses
from counterfoil.adapters.readers.pdf.lines import Line

_TOO_CLOSE = 0.92  # line heights: a line nearer than this to a row belongs to its label
_WRAP_GAP_MAX = 1.5  # line heights between the lines of one label
_INDENT = 0.35  # of the line height that counts as deeper
_TIGHT = 0.87  # of the usual distance between rows: lines nearer than this are one label
_LABEL_LINES_MAX = 6
_AS_USUAL = 0.95
_DRAWN = re.compile(r"_+")  # a line drawn with letters
_SPACE = 0.3  # of the line height: the width of a space
_GAPS_MIN = 3  # fewer gaps say nothing of what is usual
_TIGHTER = 0.85  # a gap this much smaller than the other one decides to which row a line belongs
_CONNECTS = re.compile(
    r"(?:,|—|–|-|&|/|\b(?:and|or|of|in|for|to|the|on|from|by|with|a|an|at|as|its|per|than|net|before|after|"
    r"attributable|including|excluding|other|total))$",
    re.IGNORECASE,
)
_MARK = re.compile(r"(?:\((?:\d{1,2}|[a-z])\))+,?|[*†‡]+")
_TOTAL = re.compile(r"(?:sub)?total|net cash|gross (?:profit|margin)|net (?:income|earnings|sales|revenue|loss)", re.I)


@dataclass(slots=True)
class Labelled:
    """A row with its whole label and its section, both as words in reading order."""

    row: Row
    label: list[Word] = field(default_factory=list)
    extra: list[Line] = field(default_factory=list)  # label lines above or below the row's own line
    section: list[Word] | None = None


def label_rows(table: Table, sheet: Sheet, is_bold: Callable[[Line], bool]) -> list[Labelled]:
    """Bind label lines and sections to the rows of a table."""
    by_line = {row.line.n: Labelled(row) for row in table.rows}
    first = table.rows[0].line.n
    top = table.header[-1].n + 1 if table.header else _reach_up(sheet, table, first)
    usual = _usual_distance(table, sheet)
    loose = [n for n in range(top, table.last + 2) if n < len(sheet.lines) and n not in sheet.rows]
    sections: dict[int, list[int]] = {}
    for n in loose:
        target = _owner(n, by_line, sheet, table, is_bold, usual)
        if target is None:
            if n <= table.last and not all(_DRAWN.fullmatch(w.text) for w in sheet.lines[n].words):
                sections[n] = [n]
        elif target >= 0:
            by_line[target].extra.append(sheet.lines[n])
    _stack(table, by_line, sections, sheet, usual)
    return [by_line[row.line.n] for row in table.rows]


def _reach_up(sheet: Sheet, table: Table, first: int) -> int:
    """Without a header only lines that wrap into the first row are its table's."""
    top = first
    while top > 0 and top - 1 not in sheet.rows and first - top < 2:
        line, below = sheet.lines[top - 1], sheet.lines[top]
        if line.y - below.y > _WRAP_GAP_MAX * below.h or line.x1 > table.value_x0:
            break
        top -= 1
    return top


def _owner(
    n: int, by_line: dict[int, Labelled], sheet: Sheet, table: Table, is_bold: Callable[[Line], bool], usual: float
) -> int | None:
    """Return the row line whose label the line ``n`` continues; -1 for no row's; None when it is a section."""
    line = sheet.lines[n]
    labelled = any(row.labels for row in table.rows)
    if line.x0 > (table.value_x0 if labelled else table.zone.right) or crosses(line, table.value_x0):
        return -1
    up = _nearest(n, -1, by_line, sheet)
    down = _nearest(n, 1, by_line, sheet)
    close = [k for k in (up, down) if k is not None and abs(sheet.lines[k].y - line.y) < _TOO_CLOSE * line.h]
    if close:
        return min(close, key=lambda k: abs(sheet.lines[k].y - line.y))
    limit = max((r.labels[-1].x1 for r in table.rows if r.labels), default=0.0)
    chained = [_chained(n, step, by_line, sheet, usual, limit) for step in (-1, 1)]
    if n > table.last and is_footnote_mark(sheet.pieces[n][0]):
        return -1
    if chained.count(None) == 1:
        return chained[0] if chained[0] is not None else chained[1]
    if n > table.last:
        return up if up is not None and _continues_up(line, by_line[up], None, sheet) else -1
    if down is not None and _continues_down(line, by_line[down], sheet, table, is_bold, usual):
        return down
    if up is not None and _continues_up(line, by_line[up], down, sheet):
        return up
    return None


def _chained(n: int, step: int, by_line: dict[int, Labelled], sheet: Sheet, usual: float, limit: float) -> int | None:
    """The row that lines set closer than rows usually are lead to."""
    for _ in range(_LABEL_LINES_MAX):
        k = n + step
        if not 0 <= k < len(sheet.lines) or abs(sheet.lines[n].y - sheet.lines[k].y) > _TIGHT * usual:
            return None
        if not _flows(sheet.lines[min(n, k)], sheet.lines[max(n, k)], limit):
            return None
        if k in by_line:
            return k if by_line[k].row.labels else None
        if k in sheet.rows:
            return None
        n = k
    return None


def _flows(above: Line, below: Line, limit: float) -> bool:
    """Tell whether text may run on: no colon ends it, and a capital only follows a line that is full."""
    if above.text.endswith(":"):
        return False
    word = below.words[0]
    return not word.text[:1].isupper() or above.x1 + word.x1 - word.x0 + _SPACE * above.h > limit


def _usual_distance(table: Table, sheet: Sheet) -> float:
    """The usual distance from a row to whatever stands under it."""
    gaps = [row.line.y - sheet.lines[row.line.n + 1].y for row in table.rows if row.line.n < table.last]
    return median(gaps) if len(gaps) >= _GAPS_MIN else 0.0


def _nearest(n: int, step: int, by_line: dict[int, Labelled], sheet: Sheet) -> int | None:
    """The next row up or down with at most one other loose line in between."""
    for k in (n + step, n + 2 * step):
        if k in by_line:
            gap = abs(sheet.lines[k].y - sheet.lines[n].y)
            return k if gap < _WRAP_GAP_MAX * abs(k - n) * sheet.lines[n].h else None
        if not 0 <= k < len(sheet.lines) or k in sheet.rows:
            return None
    return None


def _continues_down(
    line: Line, below: Labelled, sheet: Sheet, table: Table, is_bold: Callable[[Line], bool], usual: float
) -> bool:
    """Tell whether the line is the beginning of the label of the row below."""
    text = line.text
    row = below.row
    between = [sheet.lines[k] for k in range(line.n + 1, row.line.n)]
    if any(b.text.endswith(":") for b in between):
        return False
    following = between[0].text if between else (row.labels[0].text if row.labels else "")
    if following[:1].islower():
        return not text.endswith(":") and not text[:1].islower()
    if text.endswith(":") or not following or text.endswith("."):
        return False
    if _CONNECTS.search(text):
        return True
    if is_bold(line) or line.h > 1.05 * row.line.h:
        return False
    deeper = row.line.x0 > line.x0 + _INDENT * line.h
    if deeper and line.y - row.line.y > _AS_USUAL * usual:
        return False
    return _is_full(line, row, table) and line.x0 <= row.line.x0 + _INDENT * line.h


def _is_full(line: Line, row: Row, table: Table) -> bool:
    """Tell whether the next word would not have fitted into the label column."""
    if not row.labels:
        return False
    word = row.labels[0].words[0]
    limit = max((r.labels[-1].x1 for r in table.rows if r.labels), default=line.x1)
    return line.x1 + (word.x1 - word.x0) + 0.3 * line.h > max(limit, line.x1) and line.x1 >= limit - 1


def _continues_up(line: Line, above: Labelled, down: int | None, sheet: Sheet) -> bool:
    """Tell whether the line ends the label of the row above."""
    row = above.row
    if not row.labels or line.x0 < row.labels[0].x0 - _INDENT * line.h:
        return False
    text = line.text
    gap = row.line.y - line.y
    if gap > _WRAP_GAP_MAX * line.h * (1 + len(above.extra)):
        return False
    if text[:1].islower() or _CONNECTS.search(row.labels[-1].text):
        return not text.endswith(":") or text[:1].islower()
    if down is None or text.endswith(":"):
        return False
    return gap < _TIGHTER * (line.y - sheet.lines[down].y) and text[:1] in "("


def _stack(
    table: Table, by_line: dict[int, Labelled], sections: dict[int, list[int]], sheet: Sheet, usual: float
) -> None:
    """Walk the table from the top, keeping the open sections by indentation."""
    stack: list[tuple[float, list[Word]]] = []
    deeper = False  # a row stood deeper than the innermost section
    last_section = -2
    start = min([*sections, table.rows[0].line.n])
    for n in range(start, table.last + 1):
        line = sheet.lines[n]
        tolerance = _INDENT * line.h
        if n in sections:
            words = [w for p in sheet.pieces[n] for w in p.words]
            if last_section == n - 1 and stack and _same_section(sheet, n, usual):
                stack[-1][1].extend(words)
            else:
                while stack and stack[-1][0] >= line.x0 - tolerance:
                    stack.pop()
                stack.append((line.x0, words))
                deeper = False
            last_section = n
        elif n in by_line:
            item = by_line[n]
            _finish(item)
            if not item.label:
                item.section = stack[-1][1] if stack else None
                continue
            x0 = min(w.x0 for w in item.label)
            while stack and (stack[-1][0] > x0 + tolerance or (deeper and stack[-1][0] >= x0 - tolerance)):
                stack.pop()
                deeper = False
            closes = bool(stack) and _closes(item.label, stack[-1], x0 - tolerance)
            item.section = stack[-1][1] if stack else None
            deeper = deeper or (bool(stack) and x0 > stack[-1][0] + tolerance)
            if closes:
                stack.pop()


def _same_section(sheet: Sheet, n: int, usual: float) -> bool:
    """Tell whether a section's name goes on in this line."""
    above, line = sheet.lines[n - 1], sheet.lines[n]
    if above.text.endswith(":"):
        return False
    return line.text[:1].islower() or above.y - line.y < _TIGHT * usual


def _closes(label: list[Word], section: tuple[float, list[Word]], edge: float) -> bool:
    """Tell whether the row is the total that ends the section."""
    if not _TOTAL.match(" ".join(w.text for w in label)):
        return False
    named = section[1][-1].text.strip(":").lower()
    return section[0] >= edge or named in {w.text.lower() for w in label}


def _finish(item: Labelled) -> None:
    """Put the label's words in order: lines above, the row's own, lines below; footnote marks fall off."""
    pieces = label_pieces(item.row)
    own = [w for p in pieces for w in p.words]
    above = [w for line in sorted(item.extra, key=lambda x: x.n) if line.n < item.row.line.n for w in line.words]
    below = [w for line in sorted(item.extra, key=lambda x: x.n) if line.n > item.row.line.n for w in line.words]
    words = [w for w in above + own + below if not _DRAWN.fullmatch(w.text)]
    while len(words) > 1 and (words[-1].raised or _MARK.fullmatch(words[-1].text)):
        words.pop()
    item.label = words


def label_pieces(row: Row) -> list[Piece]:
    """The row's label cells without a mark that only numbers it."""
    pieces = row.labels
    if len(pieces) > 1 and is_footnote_mark(pieces[0]):
        return pieces[1:]
    return pieces
