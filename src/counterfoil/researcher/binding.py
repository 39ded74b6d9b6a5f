"""Owns the refusal gate: which table cell, if exactly one, holds a quantity at a period.

Never: a value whose scale the document does not state, or one of several that differ.
"""

from __future__ import annotations

import re
from decimal import Decimal

import msgspec

from counterfoil.core.text.quantities import DecimalMark, guess_decimal
from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.calendar import Calendar, calendar, extra_words, holds
from counterfoil.researcher.grammar import number
from counterfoil.researcher.labels import Match, label_words, match
from counterfoil.researcher.memory import Cell, Memory, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Column, Period, column, spelled
from counterfoil.researcher.subjects import same
from counterfoil.researcher.words import NEUTRAL, contains, find_run, fold, words


class Candidate(msgspec.Struct, frozen=True):
    """A cell that may hold a quantity. ``value`` is as written, ``amount`` in plain units."""

    passage: Passage
    cell: Cell
    value: Decimal
    multiplier: Decimal
    rank: tuple[int, ...]
    latest: tuple[int, int, int] = (0, 0, 0)
    scaled: bool = True  # the document states the scale

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
    words: tuple[str, ...] = ()  # all of the question's, as in labels


class Binder:
    """Finds cells among the passages read. Holds nothing that is not in the memory."""

    def __init__(self, memory: Memory, lexicon: Lexicon, scope: Scope) -> None:
        self._memory = memory
        self._lexicon = lexicon
        self._scope = scope
        self._asked = frozenset(scope.words)
        self._parts = alternatives(scope.qualifiers, lexicon)
        self._based = bases_of(" ".join(scope.words), lexicon)
        self._bases: dict[str, set[str]] = {}
        self._primary = lexicon.primary
        self._subject = tuple(label_words(scope.subject or ""))
        self._named = {p.subject for p in memory.pages if p.subject}
        self._rows = [p for p in memory.passages if p.cells and self._about(p)]
        unsure = _unsure(self._rows)
        self._rows = [row for row in self._rows if _table(row) not in unsure]
        self._calendars = self._read_calendars()
        self._marks = marks(self._rows)

    def _about(self, passage: Passage) -> bool:
        page = passage.page
        if self._scope.subject is None:  # then all that was read must be of one, or of nobody in particular
            return len(self._named) <= 1
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
        texts: dict[str, list[str]] = {}
        for passage in self._memory.passages:
            texts.setdefault(passage.page.handle, [passage.page.title]).append(passage.text)
        return {handle: calendar(period[handle], found, texts[handle]) for handle, found in headers.items()}

    def bind(self, term: Term, period: Period | None) -> Binding:
        """Return the one cell that holds ``term`` at ``period`` (None: the latest column), or why not."""
        candidates = [c for row in self._rows for c in self._of_row(row, term, period)]
        if self._scope.subject is None and candidates:
            own = [c for c in candidates if c.passage.page.handle == self._rows[0].page.handle]
            if not own or {c.amount for c in candidates} - {c.amount for c in own}:
                return Binding(why=WHOSE, near=tuple(candidates[:4]))
            candidates = own  # figures of one document alone
        if not candidates:
            held = [c for row in self._rows for c in self._of_row(row, term, period, qualified=True)]
            if held:
                named = ", ".join(dict.fromkeys(f"“{c.cell.header}”" for c in held[:4]))
                return Binding(why=f"only figures of another kind were read, under {named}", near=tuple(held[:4]))
            return Binding(why=WHOSE if not self._scope.subject and len(self._named) > 1 else NOT_READ)
        best = self._latest(candidates) if period is None else candidates
        top = max(c.rank for c in best)
        group = [c for c in best if c.rank == top]
        if top[0] == 0:  # away from every statement of the term nothing says which of two tables is meant
            group = [c for c in best if c.rank[:5] == top[:5]]
        amounts = {abs(c.amount) if term.outflow else c.amount for c in group}
        if len(amounts) > 1:
            group = _nearest_document(group, period) or group
            amounts = {abs(c.amount) if term.outflow else c.amount for c in group}
        if len(amounts) > 1:
            return Binding(why=DIFFER, near=tuple(group[:4]))
        if not group[0].scaled:
            return Binding(why=UNSCALED, near=(group[0],))
        return Binding(found=group[0])

    @staticmethod
    def _latest(candidates: list[Candidate]) -> list[Candidate]:
        newest = max(c.latest for c in candidates)
        return [c for c in candidates if c.latest == newest]

    def _of_row(self, row: Passage, term: Term, period: Period | None, *, qualified: bool = False) -> list[Candidate]:
        fit = self._fit(row, term)
        if fit is None:
            return []
        place = self._place(row, term)
        if place is None or (fit.grade == 1 and place == 0):
            return []
        near = len(self._asked & set(label_words(row.label)))
        before = (min(place, 1), int(fit.grade >= 2), place)
        after = (near, fit[0], fit[1], fit[2])
        cal = self._calendars[row.page.handle]
        first = self._lexicon.statements.get(term.statements[0]) if term.statements else None
        instant = first is not None and first.instant
        found: list[Candidate] = []
        for cell in row.cells:
            col = column(cell.header)
            if period is not None and not holds(col, period, cal, instant=instant):
                continue
            if period is None and (col.change or col.year is None or col.span in ("half", "nine")):
                continue
            kind = header_bases(cell.header, self._lexicon) - self._own_bases(term)
            if bool(kind and not kind & self._based) != qualified:
                continue  # a budget or an estimate, and none was asked for
            strength = self._strength(row, cell, term)
            if strength is None:
                continue
            extra = len(extra_words(cell.header) - set(self._scope.qualifiers) - self._asked)
            rank = (*before[:2], strength, before[2], -extra, *after)
            candidate = _candidate(row, cell, term, rank, col, self._marks)
            if candidate is not None:
                found.append(candidate)
        return found

    def _fit(self, row: Passage, term: Term) -> Match | None:
        """Match the label; for amounts per share also under its section, for a part of a sum by its section's name."""
        if term.kind == "money" and _EACH.search(fold(f"{row.section} {row.label}")):
            return None
        bases = bases_of(row.label, self._lexicon) - self._own_bases(term)
        if bases and not bases & self._based:
            return None  # "adjusted" in the row and not in the question: another measure
        fit = match(row.label, term, self._subject, row.section)
        if fit is None and term.kind == "per_share" and row.section:
            fit = match(f"{row.section} {row.label}", term, self._subject)
        if bases:
            rest = " ".join(word for word in label_words(row.label) if word not in bases)
            stripped = match(rest, term, self._subject, row.section)
            fit = Match((2, stripped[1], 0)) if stripped is not None and stripped.grade > 1 else fit
        if self._parts and (fit is None or fit.grade == 1):
            return self._part_fit(row, term) or fit
        return fit

    def _own_bases(self, term: Term) -> set[str]:
        """The words for another measure that the term's own labels bear: "adjusted" of adjusted EBITDA."""
        if term.name not in self._bases:
            self._bases[term.name] = {word for text in term.labels for word in bases_of(text, self._lexicon)}
        return self._bases[term.name]

    def _part_fit(self, row: Passage, term: Term) -> Match | None:
        """Match a row that is a part of the term: "Total snacks revenue", or "Snacks" below "Revenue"."""
        have = _telling(row.label)
        rest = list(have)
        for part in self._parts:
            at = next(((a, run) for run in part if (a := find_run(rest, list(run))) >= 0), None)
            if at is None:
                return None
            rest = rest[: at[0]] + rest[at[0] + len(at[1]) :]
        if not set(rest) - NEUTRAL:
            above = (match(text, term, self._subject) for text in (row.section, row.table) if text)
            named = max((m for m in above if m), default=None)
            return Match((2, named[1], -1)) if named is not None else None
        for left in (rest, [word for word in rest if word not in NEUTRAL]):
            named = match(" ".join(left), term, self._subject)
            if named is not None and named.grade > 1:
                return Match((2, named[1], -1))
        return None

    def _strength(self, row: Passage, cell: Cell, term: Term) -> int | None:
        """How close to the cell each of the question's further words stands; None when one stands nowhere.

        A word that makes another measure ("adjusted") must stand in the row itself.
        """
        rings = (f"{row.label} {row.section} {cell.header}", row.table, row.heading, row.page.heading)
        own = bases_of(rings[0], self._lexicon) | self._own_bases(term)
        if self._based and not self._based & own:
            return None
        if not self._parts:
            return 0
        near = [_telling(text) for text in rings]
        found = [
            next((-at for at, have in enumerate(near) if any(_all_in(run, have) for run in part)), None)
            for part in self._parts
        ]
        known = [at for at in found if at is not None]
        return min(known) if len(known) == len(found) else None

    def _place(self, row: Passage, term: Term) -> int | None:
        """None on a primary statement that cannot hold the term; 3 on the statement the question names,
        2 on the term's first, 1 on another of its, 0 elsewhere."""
        titles = titles_of(row)
        named = [name for name in term.statements if name in self._scope.statements]
        for name in named:
            if _on(name, titles, self._lexicon):
                return 3
        for at, name in enumerate(term.statements):
            if _on(name, titles, self._lexicon):
                return 2 if at == 0 else 1
        elsewhere = any(_on(name, titles, self._lexicon) for name in self._primary if name not in term.statements)
        return None if elsewhere else 0


_EACH = re.compile(r"\bper\b.{0,24}\bshare|\bje aktie\b")
_POINTS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![.,]?\d)")
_COMMAS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3}){2,}(?![.,]?\d)")
NOT_READ = "no row with that label and period was read"
WHOSE = "several documents were read, and the question does not say whom it is about"
DIFFER = "several rows fit and differ"
UNSCALED = "the document does not state the scale beside the figure"
_FILLER = frozenset(["and", "of", "the", "&"])
_SCALE_LINE = re.compile(r"[(（]|in |\$|単位|单位")  # the line under a title, taken for one
_LEAD_CHARS_MAX = 50
_TAIL_CHARS_MAX = 60


def alternatives(qualifiers: tuple[str, ...], lexicon: Lexicon) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return for each further thing that a question names the ways to write it, as runs of words."""
    left = list(qualifiers)
    found: list[tuple[tuple[str, ...], ...]] = []
    for group in lexicon.vocabulary.synonyms:
        runs = tuple(tuple(_telling(item)) for item in group)
        if any(run and all(word in left for word in run) for run in runs):
            left = [word for word in left if not any(word in run for run in runs)]
            found.append(runs)
    return (*found, *(((word,),) for word in left))


def _telling(text: str) -> list[str]:
    return [word for word in words(text) if word not in _FILLER]


def _all_in(run: tuple[str, ...], have: list[str]) -> bool:
    return contains(have, list(run))


def bases_of(text: str, lexicon: Lexicon) -> set[str]:
    """Return the words in ``text`` that make another measure of a thing."""
    have = list(label_words(text))
    runs = [label_words(base) for base in lexicon.vocabulary.bases]
    return {word for run in runs if run and contains(have, list(run)) for word in run}


def header_bases(header: str, lexicon: Lexicon) -> set[str]:
    """The same of a column header, what stands in brackets ("2022 (restated)") and behind a year ("2023E") included."""
    return bases_of(re.sub(r"[()\[\]]", " ", spelled(header)), lexicon)


def _table(row: Passage) -> tuple[str, int, str]:
    return row.page.handle, row.page.segment, row.table


def _unsure(rows: list[Passage]) -> set[tuple[str, int, str]]:
    """Tables whose columns cannot be told apart: one row shows different values under the same header."""
    found: set[tuple[str, int, str]] = set()
    for row in rows:
        seen: dict[tuple[str, bool], str] = {}
        for cell in row.cells:
            share = cell.unit == "percent"  # a column of shares may stand beside each column of amounts
            known = seen.setdefault((cell.header, share), cell.value)
            if cell.header and known != cell.value and not column(cell.header).change:
                found.add(_table(row))
    return found


def squeezed(text: str) -> str:
    """Return the letters of ``text`` alone: extracted titles break words ("Balance Shee t")."""
    return "".join(char for char in fold(text) if char.isalpha())


def _titled(title: str, phrase: str) -> bool:
    """Say whether a title is the phrase with little around it, and not a sentence that mentions it."""
    at = title.find(phrase)
    if at < 0 or title[:at].endswith(("the", "our", "its", "these")):
        return False
    return at <= _LEAD_CHARS_MAX and (at == 0 or len(title) - at - len(phrase) <= _TAIL_CHARS_MAX)


def titles_of(row: Passage) -> list[str]:
    """Return the squeezed title of a row's table, or the headings above it when the table has none."""
    titled = row.table and not _SCALE_LINE.match(fold(row.table))
    return [squeezed(text) for text in ((row.table,) if titled else (row.heading, row.page.heading)) if text]


def on_primary_statement(row: Passage, lexicon: Lexicon) -> bool:
    """Say whether a row stands on one of the statements that most terms belong to."""
    titles = titles_of(row)
    return any(_on(name, titles, lexicon) for name in lexicon.primary)


def is_balance(row: Passage, lexicon: Lexicon) -> bool:
    """Say whether a row stands on a statement whose figures stand at a date."""
    titles = titles_of(row)
    return any(_on(item.name, titles, lexicon) for item in lexicon.statements.values() if item.instant)


def _on(statement: str, titles: list[str], lexicon: Lexicon) -> bool:
    known = lexicon.statements.get(statement)
    if known is None:
        return False
    return any(_titled(title, squeezed(phrase)) for title in titles for phrase in known.titles)


def marks(rows: list[Passage]) -> dict[str, DecimalMark | None]:
    """The decimal mark of each document: "98.700" in one row is told by "1.234.567" in another."""
    texts: dict[str, list[str]] = {}
    for row in rows:
        texts.setdefault(row.page.handle, []).extend((row.text, row.table))
    return {handle: _mark("\n".join(found)) for handle, found in texts.items()}


def _mark(text: str) -> DecimalMark | None:
    german, english = len(_POINTS.findall(text)), len(_COMMAS.findall(text))
    return guess_decimal(text) if german == english else "," if german > english else "."


def _candidate(
    row: Passage,
    cell: Cell,
    term: Term,
    rank: tuple[int, ...],
    col: Column,
    known: dict[str, DecimalMark | None],
) -> Candidate | None:
    value = number(cell.value, guess_decimal(row.text) or known.get(row.page.handle))
    if value is None or not _unit_fits(cell, term) or (term.kind == "money" and _each_share(cell)):
        return None
    multiplier, scaled = Decimal(1), True
    if term.kind in ("money", "count"):
        if cell.multiplier is None:
            scaled = term.kind != "money"
        else:
            multiplier = Decimal(cell.multiplier)
    return Candidate(
        row, cell, value, multiplier, rank, (col.year or 0, col.month or 0, int(col.span == "quarter")), scaled
    )


def _each_share(cell: Cell) -> bool:
    """ "$ 1.40" among whole millions is an amount per share whose row does not say so."""
    small = re.search(r"(?<![\d,])\d{1,2}\.\d\d\D*$", cell.value) is not None
    return small and cell.multiplier is not None and Decimal(cell.multiplier) in (10**3, 10**6)


def _unit_fits(cell: Cell, term: Term) -> bool:
    unit = (cell.unit or "").casefold()
    if term.kind == "money":
        return unit not in ("percent", "shares", "count") and "per share" not in unit
    if term.kind == "percent":
        return unit == "percent" or "%" in cell.value or (cell.scale or "").strip() == "%"
    if term.kind == "per_share":
        return unit not in ("percent", "shares", "count") and "." in cell.value
    return unit != "percent" and "per share" not in unit


def _nearest_document(group: list[Candidate], period: Period | None) -> list[Candidate]:
    """Prefer the document that reports on the period itself: a later one may have restated it."""
    if period is None:
        return []
    return [c for c in group if str(period.year) in c.passage.page.period and len(c.passage.page.period) < 12]
