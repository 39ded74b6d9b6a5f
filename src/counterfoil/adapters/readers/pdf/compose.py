"""Owns a page's text and its passages: every span is a piece of that text.

The text keeps the order of the file, except that a row's words stay together. Never: geometry of tables.
"""

from __future__ import annotations

from dataclasses import dataclass

from counterfoil.adapters.readers.pdf.glyphs import Word
from counterfoil.adapters.readers.pdf.lines import Line
from counterfoil.adapters.readers.pdf.tables import ReadCell, ReadRow, ReadTable
from counterfoil.core.evidence.passages import Cell, Passage, Span, TableRow


@dataclass(slots=True)
class TextLine:
    """One line of the composed text: its range, the page line it comes from, and its row if any."""

    start: int
    end: int
    line: Line
    unit: int


class PageText:
    """The composed text with the place of every word in it."""

    def __init__(self, words: list[Word], lines: list[Line], rows: list[ReadRow]) -> None:
        line_of = {id(w): line for line in lines for w in line.words}
        order = _order(words, rows)
        parts: list[str] = []
        self.place: dict[int, tuple[int, int, int]] = {}  # word -> position in order, start, end
        self.lines: list[TextLine] = []
        at = 0
        last: Word | None = None
        for position, word in enumerate(order):
            line = line_of[id(word)]
            if last is None or self._breaks(last, word, line):
                if last is not None:
                    parts.append("\n")
                    at += 1
                self.lines.append(TextLine(at, at, line, word.unit))
            elif not word.glue:
                parts.append(" ")
                at += 1
            parts.append(word.text)
            self.place[id(word)] = (position, at, at + len(word.text))
            at += len(word.text)
            self.lines[-1].end = at
            last = word
        self.text = "".join(parts)

    def _breaks(self, last: Word, word: Word, line: Line) -> bool:
        """A new line of text begins with a new line or row of the page, but not within a word."""
        if word.glue and last.unit == word.unit:
            return False
        return line is not self.lines[-1].line or last.unit != word.unit or word.x0 < last.x0 - 1

    def spans(self, words: list[Word]) -> list[Span]:
        """The verbatim pieces that the words make, in reading order; one when they stand together."""
        placed = sorted(self.place[id(w)] for w in words if id(w) in self.place)
        groups: list[list[tuple[int, int, int]]] = []
        for place in placed:
            if groups and place[0] == groups[-1][-1][0] + 1:
                groups[-1].append(place)
            elif not groups or place[0] > groups[-1][-1][0]:
                groups.append([place])
        return [Span(self.text[g[0][1] : g[-1][2]], g[0][1], g[-1][2]) for g in groups]

    def span(self, words: list[Word]) -> Span | None:
        """The longest verbatim piece of the words, None without any."""
        return max(self.spans(words), key=lambda s: s.end - s.start, default=None)


def _order(words: list[Word], rows: list[ReadRow]) -> list[Word]:
    """Order the words as in the file; a row whose words are scattered is gathered at its first one."""
    gathered: dict[int, list[Word]] = {}
    for number, row in enumerate(rows):
        members = _members(row)
        for word in members:
            word.unit = number
        if not _together(members):
            gathered[number] = members
    if not gathered:
        return words
    out: list[Word] = []
    done: set[int] = set()
    for word in words:
        if word.unit not in gathered:
            out.append(word)
        elif word.unit not in done:
            done.add(word.unit)
            out.extend(gathered[word.unit])
    return out


def _members(row: ReadRow) -> list[Word]:
    """The words of a row: all of its lines if they stand together in the file, else as much as does."""
    everything = [w for line in sorted(row.lines, key=lambda x: x.n) for w in line.words]
    if _together(everything):
        return everything
    plain = [w for w in everything if not w.raised]
    if plain and _together(plain):
        return plain
    behind = {id(w) for w in row.behind}
    core = [w for w in plain if id(w) not in behind]
    return core if core and _together(core) else plain or everything


def _together(words: list[Word]) -> bool:
    numbers = [w.i for w in words]
    return max(numbers) - min(numbers) + 1 == len(numbers)


def row_passages(page: PageText, tables: list[ReadTable], chars_max: int) -> list[Passage]:
    """Return a passage for each table row that is short enough to quote whole."""
    out: list[Passage] = []
    for table in tables:
        title = page.span(table.title)
        for row in table.rows:
            whole = page.spans([w for line in row.lines for w in line.words if w.unit >= 0])
            if len(whole) != 1 or whole[0].end - whole[0].start > chars_max:
                continue
            cells = tuple(cell for c in row.cells if (cell := _cell(page, c)) is not None)
            if not cells:
                continue
            section = page.span(row.section) if row.section else None
            data = TableRow(page.span(row.label), cells, title, section)
            out.append(Passage(whole[0].start, whole[0].end, whole[0].text, "row", None, data))
    return out


def _cell(page: PageText, cell: ReadCell) -> Cell | None:
    value = page.span(cell.words)
    if value is None:
        return None
    header = [span for level in cell.headers for span in page.spans(level)]
    return Cell(value, tuple(header), page.span(cell.scale), cell.multiplier, cell.unit)
