"""Owns figures of lines that the vocabulary does not know: the row whose label is what the question names.

Never: a row that says more than the question, or of several rows that differ one.
"""

from __future__ import annotations

import re
from decimal import Decimal

from counterfoil.core.text.quantities import DecimalMark, guess_decimal
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.binding import Candidate, bases_of, header_bases, is_balance, marks
from counterfoil.researcher.calendar import Calendar, calendar, extra_words, holds
from counterfoil.researcher.compute import Answer, Wish, written
from counterfoil.researcher.draft import Cell as Place
from counterfoil.researcher.draft import Draft, further, with_value
from counterfoil.researcher.expressions import Name, Operand
from counterfoil.researcher.grammar import number
from counterfoil.researcher.memory import Cell, Memory, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Column, Period, column
from counterfoil.researcher.subjects import same
from counterfoil.researcher.targets import Target
from counterfoil.researcher.words import NEUTRAL, fold, is_stop, words

_FIGURE_ASKED = re.compile(r"\bhow (?:much|many)\b|\bwhat(?:'s| is| was| were| are)\b|\bamount\b|\bwie (?:hoch|viel)\b")
_MANY = re.compile(r"\bhow many\b|\bnumber of\b|\bwie viele\b")


def draft_line(ask: Ask, memory: Memory, lexicon: Lexicon, place: Place) -> Draft | None:
    """Answer from the one row that bears the question's own words; None when there is none or several differ."""
    period = ask.period
    asked_for = _asked_for(ask, lexicon)
    if period is None or ask.cause or ask.subject is None or not asked_for:
        return None
    if not _FIGURE_ASKED.search(fold(ask.plain)) or any(target.formula for target in ask.targets):
        return None
    rows = [p for p in memory.passages if p.cells and same(ask.subject, p.page.subject, p.page.title, p.page.url)]
    calendars = _calendars(rows)
    known = marks(rows)
    found: list[Candidate] = []
    for row in rows:
        if _names(row, asked_for, ask):
            mark = guess_decimal(row.text) or known[row.page.handle]
            found += _of_row(row, ask, period, calendars[row.page.handle], lexicon, mark)
    if not found:
        return None
    fewest = min(candidate.rank for candidate in found)
    best = [candidate for candidate in found if candidate.rank == fewest]
    if len({candidate.amount for candidate in best}) > 1 or not best[0].scaled:
        return None
    return with_value(ask, _answer(ask, best[0], period), place)


def _asked_for(ask: Ask, lexicon: Lexicon) -> frozenset[str]:
    """The words that a row must bear; none when every word belongs to known terms (``binding`` looks for those)."""
    more = set(further(ask, lexicon))
    if not more:
        return frozenset()
    for mention in lexicon.metrics(ask.plain):
        more |= {word for word in mention.phrase.split(" ") if word not in NEUTRAL}
    return frozenset(more)


def _names(row: Passage, wanted: frozenset[str], ask: Ask) -> bool:
    bare = re.sub(r"\([^()]*\)", " ", row.label)  # "income (loss)"
    label = {w for w in words(bare) if w not in NEUTRAL and not is_stop(w)}
    if not label or not label <= wanted | set(ask.words):
        return False
    beside = set(words(f"{row.section} {row.table} {row.heading} {row.page.heading}"))
    known = {w for mention_words in (label, beside) for w in mention_words}
    return wanted <= known and (len(label) > 1 or label == wanted)


def _calendars(rows: list[Passage]) -> dict[str, Calendar]:
    headers: dict[str, list[str]] = {}
    period: dict[str, str] = {}
    for row in rows:
        headers.setdefault(row.page.handle, []).extend(cell.header for cell in row.cells)
        period[row.page.handle] = row.page.period
    return {handle: calendar(period[handle], found, []) for handle, found in headers.items()}


def _of_row(
    row: Passage, ask: Ask, period: Period, cal: Calendar, lexicon: Lexicon, mark: DecimalMark | None
) -> list[Candidate]:
    instant = is_balance(row, lexicon)
    found = []
    for cell in row.cells:
        col = column(cell.header)
        fits = holds(col, period, cal, instant=instant) or (not instant and _at_end(col, period, cal))
        value = number(cell.value, mark) if fits and _unit_fits(cell, ask) else None
        if value is None or header_bases(cell.header, lexicon) - bases_of(ask.plain, lexicon):
            continue
        extra = len(extra_words(cell.header) - set(ask.words) - set(ask.qualifiers))
        size = Decimal(cell.multiplier) if cell.multiplier else Decimal(1)
        found.append(Candidate(row, cell, value, size, (extra,), scaled=cell.multiplier is not None or not ask.scale))
    return found


def _at_end(col: Column, period: Period, cal: Calendar) -> bool:
    """A count at a day, in a table that no statement's title tells to be one of balances."""
    return col.span == "unknown" and col.month is not None and holds(col, period, cal, instant=True)


def _unit_fits(cell: Cell, ask: Ask) -> bool:
    unit = (cell.unit or "").casefold()
    percent = re.search(r"\bpercent|%", fold(ask.plain)) is not None
    if ask.unit:
        return unit not in ("percent", "shares", "count") and "per share" not in unit
    if _MANY.search(fold(ask.plain)):
        return unit in ("", "count", "shares", "money", "usd") and "." not in cell.value
    return (unit == "percent") == percent


def _answer(ask: Ask, found: Candidate, period: Period) -> Answer:
    counted = _MANY.search(fold(ask.plain)) is not None and not ask.unit
    kind = "count" if counted else "percent" if found.cell.unit == "percent" else "money"
    label = " ".join(found.passage.label.split()).rstrip(":")
    wish = Wish(ask.unit, ask.scale, ask.places)
    text, unit = written(found.amount, kind, found, wish, as_is=found.value)
    target = Target(label, Name(label), kind, sources=(label,))
    return Answer(target, period, text, unit, found.amount, ((Operand(label, period), found),))
