"""Owns the refusal gate: which table cell, if exactly one, holds a quantity at a period.

Never: a value whose scale the document does not state, or one of several that differ.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.calendar import Calendar, calendar, holds
from counterfoil.researcher.grammar import number
from counterfoil.researcher.labels import label_words, match
from counterfoil.researcher.memory import Cell, Memory, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Column, Period, column
from counterfoil.researcher.subjects import same
from counterfoil.researcher.words import contains, fold, words


class Candidate(msgspec.Struct, frozen=True):
    """A cell that may hold a quantity. ``value`` is as written, ``amount`` in plain units."""

    passage: Passage
    cell: Cell
    value: Decimal
    multiplier: Decimal
    rank: tuple[int, ...]
    latest: tuple[int, int, int] = (0, 0, 0)

    @property
    def amount(self) -> Decimal:
        """The value in plain units (dollars, shares, percents)."""
        return self.value * self.multiplier


class Binding(msgspec.Struct, frozen=True):
    """What was found for a quantity: one cell, or why there is none, with the rows that came nearest."""

    found: Candidate | None = None
    why: str = ""
    near: tuple[Candidate, ...] = ()


class Scope(msgspec.Struct, frozen=True):
    """What a question restricts candidates to."""

    subject: str | None
    statements: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()


class Binder:
    """Finds cells among the passages read. Holds nothing that is not in the memory."""

    def __init__(self, memory: Memory, lexicon: Lexicon, scope: Scope) -> None:
        self._memory = memory
        self._lexicon = lexicon
        self._scope = scope
        self._subject = tuple(label_words(scope.subject or ""))
        self._rows = [p for p in memory.passages if p.cells and self._about(p)]
        self._calendars = self._read_calendars()

    def _about(self, passage: Passage) -> bool:
        page = passage.page
        if self._scope.subject is None:
            return len({p.handle for p in self._memory.pages}) == 1
        if same(self._scope.subject, page.subject, page.title, page.url):
            return True
        if page.subject:
            return False
        return any(same(self._scope.subject, p.text) for p in self._memory.passages if p.page.handle == page.handle)

    def _read_calendars(self) -> dict[str, Calendar]:
        headers: dict[str, list[str]] = {}
        period: dict[str, str] = {}
        for row in self._rows:
            headers.setdefault(row.page.handle, []).extend(cell.header for cell in row.cells)
            period[row.page.handle] = row.page.period
        return {handle: calendar(period[handle], found) for handle, found in headers.items()}

    def bind(self, term: Term, period: Period | None) -> Binding:
        """Return the one cell that holds ``term`` at ``period`` (None: the latest column), or why not."""
        candidates = [c for row in self._rows for c in self._of_row(row, term, period)]
        if not candidates:
            return Binding(why="no row with that label and period was read")
        best = self._latest(candidates) if period is None else candidates
        top = max(c.rank for c in best)
        group = [c for c in best if c.rank == top]
        amounts = {abs(c.amount) if term.outflow else c.amount for c in group}
        if len(amounts) > 1:
            group = _nearest_document(group, period) or group
            amounts = {abs(c.amount) if term.outflow else c.amount for c in group}
        if len(amounts) > 1:
            return Binding(why="several rows fit and differ", near=tuple(group[:4]))
        return Binding(found=group[0])

    @staticmethod
    def _latest(candidates: list[Candidate]) -> list[Candidate]:
        newest = max(c.latest for c in candidates)
        return [c for c in candidates if c.latest == newest]

    def _of_row(self, row: Passage, term: Term, period: Period | None) -> list[Candidate]:
        fit = match(row.label, term, self._subject)
        if fit is None or not self._qualified(row):
            return []
        place = self._place(row, term)
        if place is None or (fit.grade == 1 and place == 0):
            return []
        rank = (min(place, 1), int(fit.grade >= 2), place, fit[0], fit[1], fit[2])
        cal = self._calendars[row.page.handle]
        instant = bool(term.statements) and term.statements[0] in _BALANCES
        found: list[Candidate] = []
        for cell in row.cells:
            col = column(cell.header)
            if period is not None and not holds(col, period, cal, instant=instant):
                continue
            if period is None and (col.change or col.year is None or col.span in ("half", "nine")):
                continue
            candidate = _candidate(row, cell, term, rank, col)
            if candidate is not None:
                found.append(candidate)
        return found

    def _qualified(self, row: Passage) -> bool:
        if not self._scope.qualifiers:
            return True
        beside = set(words(" ".join((row.label, row.section, row.table, row.heading, row.page.heading))))
        return all(word in beside for word in self._scope.qualifiers)

    def _place(self, row: Passage, term: Term) -> int | None:
        """3 on the statement the question names, 2 on the term's first, 1 on another of its, 0 elsewhere."""
        titles = [fold(text) for text in (row.table, row.page.heading, row.heading) if text]
        named = [name for name in term.statements if name in self._scope.statements]
        for name in named:
            if self._on(name, titles):
                return 3
        for at, name in enumerate(term.statements):
            if self._on(name, titles):
                return 2 if at == 0 else 1
        return 0

    def _on(self, statement: str, titles: list[str]) -> bool:
        known = self._lexicon.statements.get(statement)
        if known is None:
            return False
        return any(contains(words(title), words(phrase)) for title in titles for phrase in known.titles)


_BALANCES = ("balance sheet", "properties", "business description", "debt note")
_MONEY_UNITS = frozenset(("USD", "EUR", "GBP", "JPY", "CNY", "CHF", "CAD", "AUD", "INR", "KRW", "money"))


def _candidate(row: Passage, cell: Cell, term: Term, rank: tuple[int, ...], col: Column) -> Candidate | None:
    value = number(cell.value)
    if value is None or not _unit_fits(cell, term):
        return None
    multiplier = Decimal(1)
    if term.kind in ("money", "count"):
        if cell.multiplier is None:
            if term.kind == "money":
                return None
        else:
            multiplier = Decimal(cell.multiplier)
    return Candidate(row, cell, value, multiplier, rank, (col.year or 0, col.month or 0, int(col.span == "quarter")))


def _unit_fits(cell: Cell, term: Term) -> bool:
    unit = (cell.unit or "").casefold()
    if term.kind == "money":
        return unit not in ("percent", "shares", "count", "per share")
    if term.kind == "percent":
        return unit == "percent" or "%" in cell.value or (cell.scale or "").strip() == "%"
    if term.kind == "per_share":
        return unit not in ("percent", "shares", "count") and "." in cell.value
    return unit != "percent"


def _nearest_document(group: list[Candidate], period: Period | None) -> list[Candidate]:
    """Prefer the document that reports on the period itself: a later one may have restated it."""
    if period is None:
        return []
    return [c for c in group if str(period.year) in c.passage.page.period and len(c.passage.page.period) < 12]
