"""Owns what the ids that cover one scope hold: numbers, dates, rows, and everything that dates a passage.

Never: judging a figure.
"""

from __future__ import annotations

from collections.abc import Sequence

from counterfoil.core.answer.held import Held
from counterfoil.core.evidence.amounts import decimal_mark
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
        self.mark = next((m for e in read if (m := decimal_mark(e))), None)
        self.folded = loosely_folded("\n".join(_surroundings(e) for e in read))
        periods = (f.period or "" for f in facts if f.id in ids or (f.evidence and set(f.evidence) <= set(ids)))
        texts = [_surroundings(e) for e in read] + list(periods)
        self.periods = tuple(p for text in texts for p in find_periods(text))
        self.years = {y for text in texts for y in years_named(text)}
        rows: dict[str, list[Held]] = {}
        for one in held:
            if one.is_row and one.quantity is None and one.source is not None:
                rows.setdefault(one.source.id, []).append(one)
        self.rows = tuple(tuple(cells) for cells in rows.values())

    def quoted(self, line: str) -> str | None:
        """The cited passage in which ``line`` stands word for word."""
        return next((e.id for e in self.read if stands_in(line, e.passage.text)), None)


def _surroundings(read: Evidence) -> str:
    """Everything that dates a passage: its text, heading, table title and headers, its document."""
    passage, document = read.passage, read.source.document
    parts = [passage.text, passage.heading or "", document.title, document.period or "", document.published or ""]
    if passage.table is not None:
        spans = [passage.table.title, passage.table.section, *(h for c in passage.table.cells for h in c.header)]
        parts.extend(span.text for span in spans if span is not None)
    return "\n".join(parts)
