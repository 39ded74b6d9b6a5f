"""Owns claims: every value of a cell's type that a read page states, with the words said of it.

Never: which of them answers the cell (``fitting`` decides).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from counterfoil.core.text.instructions import find_instructions
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import amount_in, find_quantities
from counterfoil.core.text.units import is_currency, unit_of
from counterfoil.researcher.clauses import Clause, clauses, sentence_ranges
from counterfoil.researcher.compose import quoted_verbatim
from counterfoil.researcher.memory import Cell, Memory, Passage
from counterfoil.researcher.products import without_spans
from counterfoil.researcher.words import fold, has_cjk, words

FIGURES = frozenset({"money", "percent", "number", "count", "ratio", "duration", "date"})
_KINDS = {
    "money": ("money",),
    "percent": ("percent",),
    "number": ("number",),
    "count": ("number",),
    "ratio": ("number", "percent"),
}
_COUNT = r"(?:\d+(?:[.,]\d+)?|an?|one|two|three|four|five|six|ten|twelve|ein|eine|zwei|drei)"
_DURATION = re.compile(
    rf"\b{_COUNT}(?:\s*(?:to|bis|[-–])\s*\d+)?[\s-]*(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|minuten?"
    r"|stunden?|tagen?|wochen?|monaten?|jahren?|heures?|jours?|semaines?|mois|ans?)\b"
    r"|\d+\s*(?:分钟|分間|分|小时|時間|天|日間|日|周|か月|ヶ月|个月|年間)",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"\b(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|minuten|stunden|tage|monate)\b|分|時間|小时|天"
)
_OFFER_AFTER = re.compile(r"[\s-]*(?:\w+[\s-]+)?(?:pass|ticket|card|membership|karte|forfait)", re.IGNORECASE)
_ORDER = re.compile(
    r"\bignore (?:all|any|the|previous)\b|\bdisregard\b|\byou (?:must|should) (?:now )?(?:report|answer|say|state)\b"
    r"|\b(?:ai|language model|assistant)s?\b.{0,40}\bmust\b",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"^[\w\[\]]+(?:\.[\w\[\]]+)+:\s+|^[a-z]+(?:[A-Z][a-z]*)+:\s+"
)  # "visitorPass.price: …" of a JSON file
_DENIED = re.compile(
    r"\b(?:not|no|never|neither|without|cannot|can't|isn't|aren't|doesn't|don't|nicht|kein\w*|nie|ohne|pas|aucune?)\b"
    r"|不|没有|無|ません|ない"
)
_TEXT_MIN = 4  # words, unless it ends like a sentence or holds a figure


class Claim(msgspec.Struct, frozen=True):
    """A value that stands in ``passage``, and what is said beside it, nearest first."""

    passage: Passage
    value: str
    unit: str | None
    clause: str  # a row's label and column header, or the clause of a sentence
    sentence: str
    before: str = ""  # earlier sentences of the passage
    header: str | None = None
    is_row: bool = False

    @property
    def beside(self) -> tuple[str, ...]:
        """The texts that place the claim, nearest first: section, table, headings, the page's own name."""
        passage = self.passage
        page = passage.page
        return (passage.section, passage.table, passage.heading, page.heading, f"{page.title} {page.subject}")


def claims(kind: str, memory: Memory, pages: frozenset[tuple[str, int]]) -> Iterator[Claim]:
    """Yield every claim of a type on the given pages, in reading order; orders to an assistant state nothing."""
    headers = _header_words(memory)
    for passage in memory.passages:
        page = passage.page
        if passage.kind == "heading" or (page.handle, page.segment) not in pages or _orders(passage.text):
            continue
        if passage.cells:
            yield from _of_row(kind, passage)
        elif kind in FIGURES:
            yield from _of_figures(kind, passage)
        elif not _is_header(passage.text, headers.get((page.handle, page.segment), frozenset())):
            yield from _of_sentences(kind, passage)


@lru_cache(maxsize=8192)
def _orders(text: str) -> bool:
    """Say whether a passage tells its reader what to do rather than what is so."""
    return _ORDER.search(text) is not None or bool(find_instructions(text, hits_max=1))


def _header_words(memory: Memory) -> dict[tuple[str, int], frozenset[str]]:
    found: dict[tuple[str, int], set[str]] = {}
    for passage in memory.passages:
        for cell in passage.cells:
            found.setdefault((passage.page.handle, passage.page.segment), set()).update(words(cell.header))
    return {key: frozenset(value) for key, value in found.items()}


def _is_header(text: str, headers: frozenset[str]) -> bool:
    """Say whether a line only names columns, or is too short to say anything."""
    have = set(words(text))
    if have and have <= headers:
        return True
    return len(have) < _TEXT_MIN and not has_cjk(text) and not re.search(r"\d|[.!?:]\s*$", text.strip())


def _of_row(kind: str, passage: Passage) -> Iterator[Claim]:
    for cell in passage.cells:
        value, unit = _in_cell(kind, cell, passage)
        if value is None:
            continue
        clause = " · ".join(part for part in (passage.label, cell.header) if part)
        yield Claim(passage, value, unit, clause, passage.text, "", cell.header or None, is_row=True)


def _in_cell(kind: str, cell: Cell, passage: Passage) -> tuple[str | None, str | None]:
    """Return the value of a cell that is of the type, with its unit; (None, None) otherwise."""
    text = cell.value.strip()
    if kind == "duration":
        match = _DURATION.search(text)
        if match:
            return match.group(), None
        timed = _TIMED.search(fold(f"{cell.header} {without_spans(passage.label)}"))
        return (text, timed.group()) if timed and re.fullmatch(r"\d+(?:[.,]\d+)?", text) else (None, None)
    if kind == "date":
        return (text, None) if find_periods(text) else (None, None)
    if kind not in _KINDS:
        return (text, None) if text and text not in ("-", "–", "—") else (None, None)
    amount = amount_in(text, None)
    if amount is None:
        inside = [q for q in find_quantities(text) if q.kind in _KINDS[kind]]
        return (inside[0].text.rstrip(".,;:"), inside[0].unit) if len(inside) == 1 else (None, None)
    unit = amount.unit or cell.unit or unit_of(cell.header)
    is_money, is_share = is_currency(unit) or "currency" in (unit or ""), unit == "percent"
    right = {"money": is_money, "percent": is_share}.get(kind, not is_money)
    return (text, _with_scale(unit, cell)) if right else (None, None)


def _with_scale(unit: str | None, cell: Cell) -> str | None:
    scale = {"1000": "thousands", "1000000": "millions", "1000000000": "billions"}.get(cell.multiplier or "", "")
    return f"{unit or ''} {scale}".strip() or None


def _of_figures(kind: str, passage: Passage) -> Iterator[Claim]:
    found = list(_figures(kind, passage.text))
    around = clauses(passage.text, [(start, end) for start, end, _, _ in found])
    for (_, _, value, unit), clause in zip(found, around, strict=True):
        yield _claim(passage, value, unit, clause)


def _claim(passage: Passage, value: str, unit: str | None, clause: Clause) -> Claim:
    return Claim(passage, value, unit, clause.text, clause.sentence, clause.before)


def _figures(kind: str, text: str) -> Iterator[tuple[int, int, str, str | None]]:
    if kind == "duration":
        for match in _DURATION.finditer(text):
            if not _OFFER_AFTER.match(text[match.end() :]):
                yield match.start(), match.end(), match.group(), None
    elif kind == "date":
        for period in find_periods(text):
            yield period.start, period.end, period.text, None
    else:
        for quantity in find_quantities(text):
            if quantity.kind in _KINDS[kind]:
                yield quantity.start, quantity.end, quantity.text.rstrip(".,;:"), quantity.unit


def _of_sentences(kind: str, passage: Passage) -> Iterator[Claim]:
    text = passage.text
    lead = _KEY.match(text)
    first = lead.end() if lead else 0
    for start, end in sentence_ranges(text):
        low = max(start, first)
        said = text[low:end].strip()
        if not said or said not in quoted_verbatim(passage):
            continue
        value = said
        if kind == "boolean":
            value = "no" if _DENIED.search(fold(said)) else "yes"
        yield Claim(passage, value, None, text[start:end].strip(), said, text[:start].strip())
