"""Owns whether a period that is written means the period of a column, by the document's own fiscal years.

Never: guessing a calendar. A shift is taken from what the document states, or from the period that it reports on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.periods import Period, find_periods

_LINK = re.compile(
    r"\bend(?:s|ed|ing)\b|\brefers? to\b|\bmeans?\b|\bis the\b|\bwas the\b|\bendete\b|\bclos\b", re.IGNORECASE
)
_NAMED = ("fiscal_year", "quarter", "half")


def stated_shift(texts: Iterable[str]) -> int | None:
    """Fiscal year named less the year in which it ends, as the texts say ("fiscal 2022 ended January 28, 2023": -1)."""
    seen: Counter[int] = Counter()
    for text in texts:
        lowered = text.casefold()
        if "fiscal" not in lowered and "fy" not in lowered and "geschäftsjahr" not in lowered:
            continue
        for start, end in sentences(text, 0, len(text)):
            if not _LINK.search(text, start, end):
                continue
            periods = find_periods(text[start:end])
            named = [p for p in periods if p.kind == "fiscal_year" and p.end_date is None and p.year]
            ended = [p for p in periods if p.year and p.end_date and len(p.end_date) == 10 and p.months in (None, 12)]
            if named and len(named) == len(ended):
                seen.update((n.year or 0) - (e.year or 0) for n, e in zip(named, ended, strict=True))
    return seen.most_common(1)[0][0] if seen else None


class Calendars:
    """The fiscal calendars of the documents that an answer cites, read when first needed."""

    def __init__(self, everything: Callable[[], Iterable[Evidence]], asked_years: frozenset[int]) -> None:
        self._everything = everything
        self._asked = asked_years
        self._shifts: dict[str, int | None] = {}

    def fits(self, written: Period, periods: Sequence[Period], source: Evidence | None, beside: Sequence[int]) -> bool:
        """Whether ``written`` means one of ``periods``; ``beside`` are the years of the columns beside it."""
        return any(self._means(written, held, source, beside) for held in periods)

    def _means(self, written: Period, held: Period, source: Evidence | None, beside: Sequence[int]) -> bool:
        if not _same_span(written, held):
            return False
        day = written.end_date and (written.kind == "date" or len(written.end_date) == len("2023-01-28"))
        if day and written.end_date and held.end_date:
            a, b = written.end_date.lstrip("-"), held.end_date.lstrip("-")
            if written.year is None or held.year is None:
                a, b = a[-5:], b[-5:]
            return b.startswith(a) or a.startswith(b)
        if written.year is None or held.year is None:
            return True
        apart = written.year - held.year
        if written.kind not in (*_NAMED, "year") or not held.end_date:
            return apart == 0
        shift = self._shift(source, beside)
        if not shift or written.year in self._asked or written.kind == "year":
            return apart in (0, shift or 0)
        return apart == shift

    def _shift(self, source: Evidence | None, beside: Sequence[int]) -> int | None:
        """The document's shift, else that of the period it reports on against its latest column."""
        if source is None:
            return None
        document = source.source.document
        if document.id not in self._shifts:
            own = [e.passage.text for e in self._everything() if e.source.document.id == document.id]
            self._shifts[document.id] = stated_shift([*own, source.passage.text])
        stated = self._shifts[document.id]
        if stated is not None or not beside:
            return stated
        reports = find_periods(document.period or "")
        if reports and reports[0].year:
            shift = reports[0].year - max(beside)
            return shift if abs(shift) == 1 else None
        return None


def _same_span(written: Period, held: Period) -> bool:
    """Whether a quarter is not taken for a half year or a year, nor one quarter for another."""
    if written.quarter and held.quarter and written.quarter != held.quarter:
        return False
    if written.half and held.half and written.half != held.half:
        return False
    spans = (written.months if written.kind in ("quarter", "half", "months") else None, held.months)
    return None in spans or spans[0] == spans[1] or held.kind == "year"
