"""Owns gathering what stands around a value, so that its scale can be judged, and the words that said so.

Never: the rules themselves, and positions in the text.
"""

from __future__ import annotations

import re

from counterfoil.adapters.readers import scales
from counterfoil.adapters.readers.pdf.captions import Caption, words_at
from counterfoil.adapters.readers.pdf.cells import Piece
from counterfoil.adapters.readers.pdf.glyphs import Word
from counterfoil.adapters.readers.pdf.grid import Table
from counterfoil.adapters.readers.pdf.headers import Header
from counterfoil.adapters.readers.pdf.labels import Labelled
from counterfoil.adapters.readers.phrases import find_phrase
from counterfoil.adapters.readers.scales import Verdict

_MARK_ONLY = re.compile(r"(?:\((?:[a-z]|\d{1,2})\)[ ,]*)+|\(?unaudited\)?", re.IGNORECASE)


def says_nothing(header: str) -> bool:
    """Tell a header that names no column: a footnote mark or a scale phrase alone."""
    if _MARK_ONLY.fullmatch(header):
        return True
    phrase = find_phrase(header)
    return phrase is not None and not (header[: phrase.start] + header[phrase.end :]).strip(" ()")


class Context:
    """A table with its headers and caption, ready to answer how one of its values is counted."""

    def __init__(self, table: Table, bound: list[Header], caption: Caption, rows: list[Labelled]) -> None:
        self._table = table
        self._bound = bound
        self._caption = caption
        self._by_column: dict[int, list[tuple[int, Piece]]] = {}
        for item in rows:
            group = id(item.section) if item.section is not None else 0
            for value, column in zip(item.row.values, item.row.columns, strict=True):
                self._by_column.setdefault(column, []).append((group, value))
        self._money = {column: self._sign(values) for column, values in self._by_column.items()}
        self._table_money = next((m for m in self._money.values() if m), None)

    def over(self, column: int) -> list[Header]:
        """The header cells over a column, outermost first."""
        return [h for h in self._bound if h.first <= column <= h.last]

    def counted(self, item: Labelled, value: Piece, column: int) -> tuple[Verdict, list[Word]]:
        """Judge how the value is counted; return the verdict and the words that say so."""
        own = [h for h in self.over(column) if not (self._spans_all(h) and says_nothing(h.text))]
        percent = self._percent_near(item, column)
        verdict = scales.judge(
            scales.Surroundings(
                value=value.text,
                label=_text(item.label),
                section=_text(item.section or []),
                headers=tuple(h.text for h in own),
                table=self._caption.phrase,
                first_percent=percent is not None,
                column_money=self._money.get(column),
                table_money=self._table_money,
            )
        )
        return verdict, self._words(verdict, item, value, own, percent)

    def _spans_all(self, header: Header) -> bool:
        return header.first == 0 and header.last == len(self._table.columns) - 1

    def _sign(self, values: list[tuple[int, Piece]]) -> str | None:
        return next((sign for _, v in values if (sign := scales.money_sign(v.text))), None)

    def _percent_near(self, item: Labelled, column: int) -> Piece | None:
        """A value that shows "%" for the rest: all others of its row, its column's first, its section's ends."""
        everything = [v for _, v in self._by_column.get(column, [])]
        beside = [v for v, c in zip(item.row.values, item.row.columns, strict=True) if c != column]
        figures = [v for v in beside if any(c.isdigit() for c in v.text)]
        if len(figures) > 1 and all("%" in v.text for v in figures):
            return figures[0]
        group = id(item.section) if item.section is not None else 0
        near = [v for g, v in self._by_column.get(column, []) if g == group]
        if everything and "%" in everything[0].text and not _any_money(everything):
            return everything[0]
        shown = next((v for v in (near[0], near[-1]) if "%" in v.text), None) if near else None
        if shown is not None and not _any_money(near) and all(_alike(shown, v) for v in near):
            return shown
        return None

    def _words(
        self, verdict: Verdict, item: Labelled, value: Piece, own: list[Header], percent: Piece | None
    ) -> list[Word]:
        phrase = verdict.phrase
        if verdict.source == "table":
            return self._caption.phrase_words
        if verdict.source == "own":
            return [value.words[-1]]
        if verdict.source == "first":
            return [percent.words[-1]] if percent is not None else []
        if verdict.source == "header":
            if phrase is not None:
                return words_at([w for h in own for w in h.words], phrase.start, phrase.end)
            return next((h.words for h in reversed(own) if scales.speaks(h.text)), [])
        words = {"label": item.label, "section": item.section or []}.get(verdict.source, [])
        return words if phrase is None else words_at(words, phrase.start, phrase.end)


def _text(words: list[Word]) -> str:
    return " ".join(w.text for w in words)


def _alike(shown: Piece, other: Piece) -> bool:
    """Figures of one kind have decimals together, or none."""
    return not any(c.isdigit() for c in other.text) or ("." in shown.text) == ("." in other.text)


def _any_money(values: list[Piece]) -> bool:
    """Amounts among the values: a currency sign, or thousands without a per cent."""
    return any(scales.money_sign(v.text) or ("," in v.text and "%" not in v.text) for v in values)
