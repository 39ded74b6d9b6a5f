"""Owns binding header cells to the columns they stand over, outermost level first.

A rule under a header cell says how far it reaches; without one the cells of a line part the
columns among them so that each is centred over its own. Never: guessing a header for a column.
"""

from __future__ import annotations

from itertools import pairwise

from counterfoil.adapters.readers.pdf.cells import Piece
from counterfoil.adapters.readers.pdf.columns import Column
from counterfoil.adapters.readers.pdf.glyphs import Rule, Word
from counterfoil.adapters.readers.pdf.grid import Sheet, Table
from counterfoil.adapters.readers.pdf.lines import Line
from counterfoil.adapters.readers.phrases import find_phrase

_RULE_DROP_MAX = 1.6  # line heights between a header's baseline and the rule under it
_OFF_CENTRE = 1.6  # line heights from the middle of the rule under a cell
_RULE_LEVEL = 1.2  # points between pieces of one rule
_RULE_GAP = 1.3  # line heights of spacing that parts the pieces of one rule
_RULE_ABOVE = 0.35  # of the line height above a baseline: what is higher is above the text
_RULE_SLACK = 2.0  # points a rule may end short of its column
_UNUSED_COLUMN = 0.6  # line heights of distance that leaving a column without this header costs
_OVERHANG = 0.5  # share of a header's width beyond its columns that counts as distance
_FAR = 1e6
_REACH = 1.5  # of the line height a header may fall short of its column
_WRAP_GAP_MAX = 1.45  # line heights between the lines of one header cell
_ALIGN = 0.6  # of the line height: the lines of one cell share an edge or the centre
_WORD_GAP = 0.42  # of the line height between two header cells set tight; a space is narrower


class Header:
    """A header cell: its words from top to bottom, and the columns ``first`` to ``last`` under it."""

    __slots__ = ("first", "last", "level", "words")

    def __init__(self, words: list[Word], first: int, last: int, level: int) -> None:
        self.words = words
        self.first = first
        self.last = last
        self.level = level

    @property
    def text(self) -> str:
        """The words joined by single spaces."""
        return " ".join(w.text for w in self.words)


class Block:
    """Header text that wraps over lines: one cell of the header, before it has its columns."""

    __slots__ = ("bottom", "h", "line", "rule", "top", "underlined", "words", "x0", "x1")

    def __init__(self, piece: Piece, at: int, line: Line) -> None:
        self.words = list(piece.words)
        self.top = at
        self.bottom = at
        self.line = line
        self.x0 = piece.x0
        self.x1 = piece.x1
        self.h = line.h
        self.rule: Rule | None = None
        self.underlined = False  # whatever a rule below spans, this cell ends above it

    def add(self, piece: Piece, at: int, line: Line) -> None:
        """Go on with the cell's next line."""
        self.words.extend(piece.words)
        self.bottom = at
        self.line = line
        self.x0 = min(self.x0, piece.x0)
        self.x1 = max(self.x1, piece.x1)


def bind(table: Table, sheet: Sheet, rules: list[Rule]) -> tuple[list[Header], list[Piece]]:
    """Return the header cells with their columns, and the cells that stand over the labels."""
    blocks, stubs = _blocks(table, sheet, rules)
    headers: list[Header] = []
    slots = _slots(table)
    columns = [column for column, _ in slots]
    for level in _levels(blocks):
        level.sort(key=lambda b: b.x0)
        groups = _partition(level, columns, table.rows[0].line.h)
        for block, group in zip(level, groups, strict=True):
            if group is None:
                continue
            values = [n for _, n in slots[group[0] : group[1] + 1] if n is not None]
            if values:
                headers.append(Header(block.words, values[0], values[-1], block.top))
            if group[0] == group[1]:  # the next level up is centred over header and values together
                column = columns[group[0]]
                column.x0, column.x1 = min(column.x0, block.x0), max(column.x1, block.x1)
    headers.sort(key=lambda h: h.level)
    return headers, stubs


def _slots(table: Table) -> list[tuple[Column, int | None]]:
    """The value columns with their numbers, and columns of text between them, which take headers too."""
    out: list[tuple[Column, int | None]] = [(Column(c.x0, c.x1, c.right), n) for n, c in enumerate(table.columns)]
    texts: list[list[Piece]] = []
    for piece in sorted((p for row in table.rows for p in row.others), key=lambda p: p.x0):
        if texts and piece.x0 < max(p.x1 for p in texts[-1]):
            texts[-1].append(piece)
        else:
            texts.append([piece])
    for group in texts:
        x0, x1 = min(p.x0 for p in group), max(p.x1 for p in group)
        if 2 * len(group) >= len(table.rows) and not any(c.x0 < x1 and c.x1 > x0 for c in table.columns):
            out.append((Column(x0, x1, x1), None))
    return sorted(out, key=lambda slot: slot[0].x0)


def _blocks(table: Table, sheet: Sheet, rules: list[Rule]) -> tuple[list[Block], list[Piece]]:
    """Cut the header lines into cells and join those that wrap."""
    done: list[Block] = []
    open_blocks: list[Block] = []
    stubs: list[Piece] = []
    for at, line in enumerate(table.header):
        over: list[Piece] = []
        for piece in sheet.pieces[line.n]:
            if table.zone.covers(piece, line.h):
                over.append(piece)
            elif piece.x1 < table.columns[-1].x1:
                stubs.append(piece)
        over = _split_tight(over, table.columns, line)
        fresh: list[Block] = []
        lowest = _next_y(sheet, line)
        for piece in over:
            rule = _rule_under(piece, over, line, rules, lowest, table.columns)
            block = _wrapped(piece, over, open_blocks, line, table.columns)
            if block is None:
                block = Block(piece, at, line)
            else:
                block.add(piece, at, line)
            block.rule = rule
            block.underlined = _underlined(piece, line, rules, lowest)
            fresh.append(block)
        waiting = [b for b in open_blocks if b not in fresh]
        near = [b for b in waiting if b.line.y - line.y < _WRAP_GAP_MAX * line.h / 2]
        done.extend(b for b in waiting if b not in near)
        open_blocks = fresh + near
    return done + open_blocks, stubs


def _wrapped(piece: Piece, over: list[Piece], above: list[Block], line: Line, columns: list[Column]) -> Block | None:
    """Return the cell of the line above that goes on in this piece."""
    if find_phrase(piece.text) and piece.text.startswith("("):
        return None  # a scale is no part of a column's name
    touching = [b for b in above if b.x0 < piece.x1 and b.x1 > piece.x0]
    if len(touching) != 1:
        return None
    block = touching[0]
    if block.underlined or block.line.y - line.y > _WRAP_GAP_MAX * line.h:
        return None
    if sum(o.x0 < block.x1 and o.x1 > block.x0 for o in over) != 1:
        return None
    reached = {n for n, c in enumerate(columns) if c.x0 < block.x1 and c.x1 > block.x0}
    if len(reached) > 1 and reached != {n for n, c in enumerate(columns) if c.x0 < piece.x1 and c.x1 > piece.x0}:
        return None  # a heading over several columns, not the first line of this one
    slack = _ALIGN * line.h
    centred = abs((block.x0 + block.x1) - (piece.x0 + piece.x1)) / 2 < slack
    return block if centred or abs(block.x1 - piece.x1) < slack or abs(block.x0 - piece.x0) < slack else None


def _levels(blocks: list[Block]) -> list[list[Block]]:
    """Group cells that stand side by side, the level next to the values first."""
    out: list[list[Block]] = []
    for block in sorted(blocks, key=lambda b: -b.bottom):
        for level in out:
            beside = any(o.top <= block.bottom and block.top <= o.bottom for o in level)
            if beside and not any(o.x0 < block.x1 and o.x1 > block.x0 for o in level):
                level.append(block)
                break
        else:
            out.append([block])
    return out


def _split_tight(over: list[Piece], columns: list[Column], line: Line) -> list[Piece]:
    """Cut header cells that a narrow gap parts when a boundary between columns lies in the gap."""
    bounds = [(a.x1, b.x0) for a, b in pairwise(columns)]
    out: list[Piece] = []
    for piece in over:
        start = 0
        for k in range(1, len(piece.words)):
            a, b = piece.words[k - 1], piece.words[k]
            if b.x0 - a.x1 > _WORD_GAP * line.h and any(a.x1 <= hi and b.x0 >= lo for lo, hi in bounds):
                out.append(Piece(piece.words[start:k], is_value=False))
                start = k
        out.append(Piece(piece.words[start:], is_value=False) if start else piece)
    return out


def _next_y(sheet: Sheet, line: Line) -> float:
    """The height of the next line's glyphs: a rule under this line lies above them."""
    below = sheet.lines[line.n + 1] if line.n + 1 < len(sheet.lines) else None
    return below.y + _RULE_ABOVE * below.h if below is not None else float("-inf")


def _rule_under(
    piece: Piece, over: list[Piece], line: Line, rules: list[Rule], lowest: float, columns: list[Column]
) -> Rule | None:
    """Return the rule that underlines this header cell alone; it may be drawn in pieces."""
    near = _below(line, rules, lowest)
    if not near:
        return None
    level = max(r.y for r in near)
    pieces = sorted((r for r in near if level - r.y < _RULE_LEVEL), key=lambda r: r.x0)
    chain = _chain(pieces, piece, _RULE_GAP * line.h)
    touched = [r for r in pieces if r.x0 < piece.x1 and r.x1 > piece.x0]
    if len(chain) != len(over) and not _over_several(touched, columns):
        touched = []  # underlines of single columns say nothing of a cell over several
    for drawn in (chain, touched):
        if not drawn:
            continue
        x0, x1 = drawn[0].x0, drawn[-1].x1
        if not _sits_on(piece, x0, x1, line.h):
            continue  # a border that runs through, not this cell's underline
        whole = x0 - _RULE_SLACK <= piece.x0 and x1 + _RULE_SLACK >= piece.x1
        if whole and not any(o is not piece and o.x0 < x1 - 1 and o.x1 > x0 + 1 for o in over):
            return Rule(x0, x1, level)
    return None


def _below(line: Line, rules: list[Rule], lowest: float) -> list[Rule]:
    return [r for r in rules if r.y >= lowest and -0.1 * line.h < line.y - r.y < _RULE_DROP_MAX * line.h]


def _underlined(piece: Piece, line: Line, rules: list[Rule], lowest: float) -> bool:
    return any(r.x0 < piece.x1 and r.x1 > piece.x0 for r in _below(line, rules, lowest))


def _over_several(drawn: list[Rule], columns: list[Column]) -> bool:
    return any(sum(r.x0 < c.centre < r.x1 for c in columns) > 1 for r in drawn)


def _sits_on(piece: Piece, x0: float, x1: float, h: float) -> bool:
    """Tell whether a cell is set on its rule: centred, or flush with an end."""
    off_centre = abs((piece.x0 + piece.x1) - (x0 + x1)) / 2
    return off_centre < _OFF_CENTRE * h or abs(piece.x1 - x1) < h or abs(piece.x0 - x0) < h


def _chain(pieces: list[Rule], piece: Piece, gap: float) -> list[Rule]:
    """The pieces of rule, set no further apart than ``gap``, that run under the cell."""
    chain: list[Rule] = []
    for rule in pieces:
        if chain and rule.x0 - chain[-1].x1 > gap:
            if any(r.x0 < piece.x1 and r.x1 > piece.x0 for r in chain):
                return chain
            chain = []
        chain.append(rule)
    return chain if any(r.x0 < piece.x1 and r.x1 > piece.x0 for r in chain) else []


def _partition(over: list[Block], columns: list[Column], h: float) -> list[tuple[int, int] | None]:
    """Give each cell a run of neighbouring columns, in order, at the least total distance."""
    count, width = len(over), len(columns)
    # best[k][c]: the least cost with the first k cells placed in the first c columns
    best = [[_FAR] * (width + 1) for _ in range(count + 1)]
    back: dict[tuple[int, int], tuple[int, int, tuple[int, int] | None]] = {}
    for c in range(width + 1):
        best[0][c] = c * _UNUSED_COLUMN * h
    for k in range(1, count + 1):
        for c in range(width + 1):
            options: list[tuple[float, int, int, tuple[int, int] | None]] = [
                (best[k - 1][c] + _FAR / 100, k - 1, c, None)
            ]
            if c:
                options.append((best[k][c - 1] + _UNUSED_COLUMN * h, k, c - 1, None))
            options.extend(
                (best[k - 1][a] + _distance(over[k - 1], columns, a, c - 1), k - 1, a, (a, c - 1)) for a in range(c)
            )
            cost, k2, c2, group = min(options, key=lambda o: o[0])
            best[k][c] = cost
            back[(k, c)] = (k2, c2, group)
    out: list[tuple[int, int] | None] = [None] * count
    k, c = count, width
    while k > 0:
        k2, c2, group = back[(k, c)]
        if group is not None:
            out[k - 1] = group
        k, c = k2, c2
    return out


def _distance(piece: Block, columns: list[Column], a: int, b: int) -> float:
    """How badly a header cell sits over the columns ``a`` to ``b``."""
    x0, x1 = columns[a].x0, columns[b].x1
    h, rule = piece.h, piece.rule
    if rule is not None:
        inside = [c for c in columns if rule.x0 - _RULE_SLACK <= c.centre <= rule.x1 + _RULE_SLACK]
        if inside:
            return abs(inside[0].x0 - x0) + abs(inside[-1].x1 - x1)
    if piece.x1 < x0 - _REACH * h or piece.x0 > x1 + _REACH * h:
        return _FAR
    overhang = _OVERHANG * (max(0.0, x0 - piece.x0) + max(0.0, piece.x1 - x1))
    centre = abs((piece.x0 + piece.x1) / 2 - (x0 + x1) / 2)
    if a == b:
        return min(centre, abs(piece.x1 - columns[a].right), abs(piece.x1 - x1)) + overhang
    return centre + overhang
