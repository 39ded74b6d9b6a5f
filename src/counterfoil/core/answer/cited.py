"""Owns what the ids that cover one scope hold: numbers, dates, rows, and everything that dates a passage.

Never: judging a figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from counterfoil.core.answer.held import Held
from counterfoil.core.evidence.amounts import decimal_mark, header_text
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.clocks import clock_of
from counterfoil.core.text.folding import loosely_folded, stands_in
from counterfoil.core.text.periods import find_periods, years_named


class Cited:
    """What the ids that cover one scope hold."""

    def __init__(self, ids: tuple[str, ...], read: tuple[Evidence, ...], held: tuple[Held, ...], facts: Sequence[Fact]):
        self.ids, self.read = ids, read
        self.numbers = tuple(h for h in held if h.quantity is None or h.quantity.kind != "date")
        dated = tuple(h for h in held if h.quantity is not None and h.quantity.kind in ("year", "date"))
        self.clocks = tuple(h for h in dated if clock_of(h.amount.text))
        self.dates = tuple(h for h in dated if h not in self.clocks)
        marks = {decimal_mark(e) or ("." if e.source.document.language else None) for e in read} - {None}
        self.mark = marks.pop() if len(marks) == 1 else None  # pages of two languages do not say how the answer writes
        periods = (f.period or "" for f in facts if f.id in ids or (f.evidence and set(f.evidence) <= set(ids)))
        texts = dict.fromkeys([*(text for e in read for text in _surroundings(e)), *periods])
        self.periods = tuple(p for text in texts for p in find_periods(text))
        self.years = {y for text in texts for y in years_named(text)}
        rows: dict[str, list[Held]] = {}
        for one in held:
            if one.is_row and one.quantity is None and one.source is not None:
                rows.setdefault(one.source.id, []).append(one)
        self.rows = tuple(tuple(cells) for cells in rows.values())

    @cached_property
    def folded(self) -> str:
        """All that is cited and what stands around it, for finding names in it."""
        return loosely_folded("\n".join(text for e in self.read for text in _surroundings(e)))

    def quoted(self, line: str) -> str | None:
        """The cited passage in which ``line`` stands word for word."""
        return next((e.id for e in self.read if stands_in(line, e.passage.text)), None)


def _surroundings(read: Evidence) -> Iterator[str]:
    """Everything that dates a passage: its text, heading, table title and headers, its document."""
    passage, document = read.passage, read.source.document
    parts = [passage.text, passage.heading, document.title, document.period, document.published]
    if passage.table is not None:
        parts += [span.text for span in (passage.table.title, passage.table.section) if span]
        parts += [header_text(cell) for cell in passage.table.cells]
    return (part for part in parts if part)
