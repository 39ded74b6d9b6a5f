"""Owns putting words on lines: one line for everything that shares a baseline.

Pages set in two columns of prose keep the order of the file. Never: cells, tables.
"""

from __future__ import annotations

import re

from counterfoil.adapters.readers.pdf.glyphs import Word

_SAME_BASELINE = 0.32  # of the line height; wrapped lines stand at least one height apart
_RAISED_MAX = 0.65  # of the line height: higher is another line
_SMALL_SHARE = 0.9
_MARKS_MAX = 6
_MARK = re.compile(r"(?:\((?:[a-z]{1,2}|\d{1,2})\),?)+|[*†‡§]+|[a-z\d]")
_BACKWARD = 1.0  # line heights a word may start before the last one's end (kerning, overlapping boxes)
_PROSE_WORDS_MIN = 5  # words that make a run look like prose rather than a cell
_PROSE_PAIRS_MIN = 6  # rows with prose side by side that make a page two-columned


class Line:
    """Words on one baseline, left to right. ``n`` numbers the lines from the top."""

    __slots__ = ("h", "n", "words", "x0", "x1", "y")

    def __init__(self, words: list[Word], y: float, h: float) -> None:
        self.words = words
        self.y = y
        self.h = h
        self.x0 = min(w.x0 for w in words)
        self.x1 = max(w.x1 for w in words)
        self.n = 0

    @property
    def text(self) -> str:
        """The words joined by single spaces."""
        return " ".join(w.text for w in self.words)

    def __repr__(self) -> str:
        return f"Line({self.text!r}, y={self.y:.1f})"


def runs(words: list[Word]) -> list[Line]:
    """Cut the words, in the order of the file, into runs on one baseline going right."""
    out: list[Line] = []
    current: list[Word] = []
    y = h = 0.0
    for word in words:
        if current:
            last = current[-1]
            tall = max(h, word.h)
            forward = word.x0 >= last.x1 - _BACKWARD * tall
            rise = word.y - y
            if forward and abs(rise) <= _SAME_BASELINE * tall:
                if word.h < _SMALL_SHARE * h and rise > 0.08 * h:
                    word.raised = True
                current.append(word)
                continue
            if forward and _is_mark(rise, word.h, h, word.x0 - last.x1):
                word.raised = True
                current.append(word)
                continue
            if forward and len(current) == 1 and _is_mark(-rise, h, word.h, word.x0 - last.x1):
                current[0].raised = True
                current.append(word)
                y, h = word.y, word.h
                continue
            out.append(Line(current, y, h))
        current = [word]
        y, h = word.y, word.h
    if current:
        out.append(Line(current, y, h))
    return out


def _is_mark(rise: float, small: float, tall: float, gap: float) -> bool:
    return 0 < rise <= _RAISED_MAX * tall and small < _SMALL_SHARE * tall and gap < tall


def lines(words: list[Word]) -> tuple[list[Line], bool]:
    """Return the page's lines from top to bottom, and whether the page is set in columns of prose."""
    pieces = runs(words)
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda r: -r.y):
        for row in reversed(rows[-3:]):
            if _fits(row, piece):
                row.append(piece)
                break
        else:
            rows.append([piece])
    rows = _with_marks(rows)
    if _columns_of_prose(rows):
        for n, piece in enumerate(pieces):
            piece.n = n
        return pieces, True
    out = [_join(row) for row in rows]
    out.sort(key=lambda r: -r.y)
    for n, line in enumerate(out):
        line.n = n
    return out, False


def _with_marks(rows: list[list[Line]]) -> list[list[Line]]:
    """Put raised footnote marks that stand apart in the file onto the line they belong to."""
    out: list[list[Line]] = []
    waiting: list[Line] = []
    for row in rows:
        if all(_only_marks(piece) for piece in row):
            waiting.extend(row)
            continue
        later: list[Line] = []
        for mark in waiting:
            if _belongs(mark, row):
                for word in mark.words:
                    word.raised = True
                row.append(mark)
            elif mark.y - row[0].y <= _RAISED_MAX * row[0].h:
                later.append(mark)
            else:
                out.append([mark])
        waiting = later
        out.append(row)
    out.extend([mark] for mark in waiting)
    return out


def _belongs(mark: Line, row: list[Line]) -> bool:
    tall = max(piece.h for piece in row)
    rise = mark.y - row[0].y
    if not 0 < rise <= _RAISED_MAX * tall or mark.h >= _SMALL_SHARE * tall:
        return False
    return all(mark.x0 >= p.x1 - 1 or mark.x1 <= p.x0 + 1 or _in_gap(mark, p) for p in row) and any(
        abs(mark.x0 - w.x1) < tall for p in row for w in p.words
    )


def _only_marks(line: Line) -> bool:
    return len(line.words) <= _MARKS_MAX and all(_MARK.fullmatch(w.text) for w in line.words)


def _in_gap(mark: Line, piece: Line) -> bool:
    """Tell whether the mark stands between two words of the piece."""
    return all(mark.x0 >= w.x1 - 1 or mark.x1 <= w.x0 + 1 for w in piece.words)


def _fits(row: list[Line], piece: Line) -> bool:
    first = row[0]
    if abs(first.y - piece.y) > _SAME_BASELINE * max(first.h, piece.h):
        return False
    return all(piece.x0 >= other.x1 - 1 or piece.x1 <= other.x0 + 1 for other in row)


def _join(row: list[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    words = sorted((word for piece in row for word in piece.words), key=lambda w: w.x0)
    main = max(row, key=lambda r: (r.h, len(r.words)))
    return Line(words, main.y, main.h)


def _columns_of_prose(rows: list[list[Line]]) -> bool:
    pairs = 0
    for row in rows:
        if len(row) >= 2:
            prose = [p for p in row if sum(w.text.isalpha() for w in p.words) >= _PROSE_WORDS_MIN]
            pairs += len(prose) >= 2
    return pairs >= _PROSE_PAIRS_MIN
