"""Owns the columns of a table: which values stand below one another.

Never: headers, labels, where a table begins.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from counterfoil.adapters.readers.pdf.cells import Piece, reads_as_value
from counterfoil.adapters.readers.pdf.lines import Line

_EDGE = 0.6  # of the line height: right edges of one column differ less
_HANGING = 0.5
_DETACH_EDGE = 0.35
_DETACH_GAP = 0.2
_CLEAR = 0.5  # line heights right of the labels where header cells may begin
_RIGHT_OF_VALUES = 3.0  # line heights: text centred further right is a column of its own
_LEFT_OF_VALUES = 4.0  # line heights a header may begin left of narrow values

Entry = tuple[float, float, int, int]  # left and right edge of a value's digits, row, place in the row


@dataclass(slots=True)
class Row:
    """One line with values. ``labels`` are its cells left of the values; ``values`` stand by column."""

    line: Line
    labels: list[Piece]
    values: list[Piece]
    others: list[Piece] = field(default_factory=list)  # text cells between or behind the values
    columns: list[int] = field(default_factory=list)  # the column of each value


@dataclass(slots=True)
class Column:
    """Where a column of values stands, with currency signs and per cents."""

    x0: float
    x1: float
    right: float  # the right edge of its digits

    @property
    def centre(self) -> float:
        """The middle of the column."""
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class Zone:
    """Where the value columns stand: from ``edge`` to ``right``; labels end at ``clear``."""

    edge: float
    right: float
    clear: float

    def covers(self, piece: Piece, h: float) -> bool:
        """Tell whether a cell stands above the value columns."""
        if piece.x0 >= self.right + h or (piece.x0 + piece.x1) / 2 > self.right + _RIGHT_OF_VALUES * h:
            return False
        if piece.x0 > self.clear + _CLEAR * h:
            return True
        width = piece.x1 - piece.x0
        centre = (piece.x0 + piece.x1) / 2
        return centre > self.edge - h and piece.x0 > self.edge - max(_LEFT_OF_VALUES * h, width)


def zone_of(rows: list[Row], edge: float) -> Zone:
    """Return where the values of these rows stand; without labels nothing is clear of them."""
    right = max(v.x1 for row in rows for v in row.values)
    clear = max((row.labels[-1].x1 for row in rows if row.labels), default=float("inf"))
    return Zone(edge, right, clear)


def find_columns(rows: list[Row]) -> list[Column]:
    """Cluster the values into columns by overlap, or by right edge where a row has two in one cluster."""
    entries = sorted(((v.digits_x0, v.digits_x1, k, j) for k, r in enumerate(rows) for j, v in enumerate(r.values)))
    clusters: list[list[Entry]] = []
    reach = float("-inf")
    for entry in entries:
        if entry[0] < reach - 0.5:
            clusters[-1].append(entry)
            reach = max(reach, entry[1])
        else:
            clusters.append([entry])
            reach = entry[1]
    height = max(r.line.h for r in rows)
    clusters = _with_hanging(clusters, height)
    out: list[Column] = []
    for row in rows:
        row.columns = [0] * len(row.values)
    for cluster in clusters:
        doubled = len({k for _, _, k, _ in cluster}) < len(cluster)
        for members in _by_right_edge(cluster, height) if doubled else [cluster]:
            values = [rows[k].values[j] for _, _, k, j in members]
            for _, _, k, j in members:
                rows[k].columns[j] = len(out)
            rights = sorted(v.digits_x1 for v in values)
            out.append(Column(min(v.x0 for v in values), max(v.x1 for v in values), rights[len(rights) // 2]))
    return out


def _with_hanging(clusters: list[list[Entry]], height: float) -> list[list[Entry]]:
    """Join clusters that all but touch and share no row: dashes for nil hang beside their column."""
    out: list[list[Entry]] = []
    for cluster in clusters:
        if out:
            gap = cluster[0][0] - max(e[1] for e in out[-1])
            if gap < _HANGING * height and not {e[2] for e in cluster} & {e[2] for e in out[-1]}:
                out[-1] = out[-1] + cluster
                continue
        out.append(cluster)
    return out


def _by_right_edge(cluster: list[Entry], height: float) -> list[list[Entry]]:
    out: list[list[Entry]] = []
    for entry in sorted(cluster, key=lambda e: e[1]):
        if out and entry[1] - out[-1][-1][1] < _EDGE * height:
            out[-1].append(entry)
        else:
            out.append([entry])
    return out


def detach(rows: list[Row], columns: list[Column]) -> None:
    """Take a number off a label's end when it stands in a value column that the row leaves empty."""
    for row in rows:
        taken = set(row.columns)
        while row.labels and len(row.labels[-1].words) > 1 and row.values:
            piece = row.labels[-1]
            word, before = piece.words[-1], piece.words[-2]
            h = row.line.h
            if not reads_as_value(word.text) or word.x0 - before.x1 < _DETACH_GAP * h:
                break
            near = [c for c in range(len(columns)) if abs(columns[c].right - word.x1) < _DETACH_EDGE * h]
            if not near or near[0] in taken or near[0] >= min(row.columns):
                break
            piece.words.pop()
            piece.x1 = before.x1
            value = Piece([word], is_value=True)
            row.values.insert(0, value)
            row.columns.insert(0, near[0])
            taken.add(near[0])
