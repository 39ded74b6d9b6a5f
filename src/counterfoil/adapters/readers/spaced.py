"""Owns finding tables in plain text whose columns are parted by two or more spaces, a tab, or bars.

Never: a table of one row, or one without figures: those lines are prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from counterfoil.adapters.readers.tables import Grid, grid_of, is_figure

_GAP = re.compile(r" {2,}|\t+")
_BAR_LINE = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^[\s|+:=_-]{3,}$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DASHES = frozenset({"-", "–", "—", "−"})
_ROWS_MIN = 2
_HEADERS_MAX = 2
_SECTION_CHARS_MAX = 60
_CAPTION_CHARS_MAX = 120
_CAPTION_LINES = 3  # of prose above a table that are looked at for its caption


class _Part(NamedTuple):
    """A cell of a line with the columns of characters it stands over."""

    text: str
    start: int
    end: int


def blocks(text: str) -> Iterator[str | Grid]:
    """The prose and the tables of a plain text, in order; every line is in one of them."""
    prose: list[str] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        end = _run(lines, at)
        caption = _caption(prose)
        grid = _grid(lines[at:end], caption) if end > at else None
        if grid is None:
            prose += lines[at : max(end, at + 1)]
            at = max(end, at + 1)
            continue
        if caption:
            while prose.pop() != caption:
                pass
        if any(line.strip() for line in prose):
            yield "\n".join(prose)
        prose = []
        yield grid
        at = end
    if any(line.strip() for line in prose):
        yield "\n".join(prose)


def _caption(prose: Sequence[str]) -> str:
    """The line that stands by itself right above a table, at most one blank line away; "" when none does."""
    above = [*prose[-_CAPTION_LINES:]]
    if above and not above[-1].strip():
        above.pop()
    if not above or not above[-1].strip() or (len(above) > 1 and above[-2].strip()):
        return ""
    line = above[-1]
    return line if len(line.strip()) <= _CAPTION_CHARS_MAX and line.strip()[-1] not in ".!?;," else ""


def _run(lines: Sequence[str], start: int) -> int:
    """Where the lines that could be of one table end; ``start`` itself when none is."""
    end = start
    while end < len(lines):
        parted = len(_parts(lines[end])) > 1
        inside = end > start and (_RULE.match(lines[end]) or _is_section(lines, end))
        if not (parted or inside):
            break
        end += 1
    return end


def _is_section(lines: Sequence[str], at: int) -> bool:
    """Whether a line names the rows under it."""
    line = lines[at].strip()
    named = 0 < len(line) <= _SECTION_CHARS_MAX and line[-1] not in ".!?;,"
    return named and at + 1 < len(lines) and _is_row(_parts(lines[at + 1]))


def _parts(line: str) -> list[_Part]:
    """The cells of a line; one only when the line is prose."""
    if _BAR_LINE.match(line):
        inner = line.strip().strip("|").split("|")
        return [_Part(cell.strip(), i, i + 1) for i, cell in enumerate(inner)]
    out: list[_Part] = []
    start = 0
    for gap in [*_GAP.finditer(line), None]:
        end = gap.start() if gap else len(line)
        if line[start:end].strip():
            out.append(_Part(line[start:end].strip(), start, end))
        start = gap.end() if gap else end
    return out


def _grid(lines: Sequence[str], caption: str) -> Grid | None:
    """The table that lines make up, None when they do not: its rows begin with words and go on with figures."""
    rows = [_parts(line) for line in lines if not _RULE.match(line)]
    body = [i for i, row in enumerate(rows) if _is_row(row)]
    if len(body) < _ROWS_MIN or body[0] > _HEADERS_MAX or not all(_belongs(row) for row in rows[body[0] :]):
        return None
    width = max(len(rows[i]) for i in body)
    ends = _columns([rows[i] for i in body], width)
    if ends is None:
        return None
    placed = [_placed(row, ends) for row in rows]
    if any(row is None for row in placed):
        return None
    return grid_of([row for row in placed if row is not None], title=caption.strip() or None, header_rows=body[0])


def _belongs(row: Sequence[_Part]) -> bool:
    return _is_row(row) or all(part.text in _DASHES for part in row[1:])


def _is_row(row: Sequence[_Part]) -> bool:
    cells = [part.text for part in row[1:]]
    worded = bool(row) and any(c.isalpha() for c in row[0].text)
    return worded and any(is_figure(c) for c in cells) and not all(_YEAR.fullmatch(c) for c in cells)


def _columns(rows: Sequence[Sequence[_Part]], width: int) -> list[tuple[int, int]] | None:
    """The span of characters of each column, from the rows that fill all; None when columns overlap."""
    full = [row for row in rows if len(row) == width]
    spans = [(min(row[i].start for row in full), max(row[i].end for row in full)) for i in range(width)]
    overlapping = any(a[1] > b[0] for a, b in pairwise(spans))
    return None if overlapping else spans


def _placed(row: Sequence[_Part], columns: Sequence[tuple[int, int]]) -> list[str] | None:
    """A row's cells each in its column, by where they stand; None when two fall into one."""
    if len(row) == len(columns):
        return [part.text for part in row]
    out = [""] * len(columns)
    for part in row:
        nearest = min(range(len(columns)), key=lambda i: _distance(part, columns[i]))
        if out[nearest]:
            return None
        out[nearest] = part.text
    return out


def _distance(part: _Part, column: tuple[int, int]) -> float:
    """How far a cell stands from a column; 0 when one is over the other."""
    gap = max(column[0] - part.end, part.start - column[1], 0)
    return gap + abs((part.start + part.end) - sum(column)) / 1e6
