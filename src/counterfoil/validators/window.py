"""Owns WINDOW_CHANGED: an answer speaks of the window that the question means, or says that it does not.

Never: resolving a window again; it was resolved once, at admission.
"""

from __future__ import annotations

import re

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding, line_of
from counterfoil.core.answer.quotations import find_quotations
from counterfoil.core.evidence.timebase import Window
from counterfoil.core.record.state import RunState
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.periods import Period, find_periods

_SAYS_SO = re.compile(
    r"\b(?:instead|rather than|not (?:available|published|found|covered)|no (?:data|figures?|source)"
    r"|only (?:available|up to)"
    r"|latest (?:available|published|figures?)|most recent|outside|earlier than|covers? only|ends? (?:in|with)"
    r"|stattdessen|anstelle|nicht (?:verfügbar|gefunden)|nur bis|neueste|jüngste|au lieu|pas disponible|dernier)\b",
    re.IGNORECASE,
)


class WindowKept(msgspec.Struct, frozen=True):
    """Years and dates of the body, quotations left out, against the windows that the question named."""

    name: str = "window@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for a body whose years all lie outside the window, or that gives the window another year."""
        windows = state.snapshot.windows
        if not windows or candidate.gaps or _SAYS_SO.search(candidate.body):
            return ()
        body = _claims(candidate.body)
        periods = [p for p in find_periods(body) if p.year is not None]
        found = [f for window in windows for f in _renamed(window, body, periods)]
        if not found and periods and not any(_meets(p, w) for p in periods for w in windows):
            first = periods[0]
            found.append(_finding(windows[0], first.text, body, first.start))
        return tuple(found)


def _claims(body: str) -> str:
    text = without_marks(body)
    for quotation in find_quotations(body):
        text = text[: quotation.start] + " " * (quotation.end - quotation.start) + text[quotation.end :]
    return text


def _renamed(window: Window, body: str, periods: list[Period]) -> list[Finding]:
    """ "last year (2019)" where the last year is another one."""
    said = re.compile(rf"\b{re.escape(window.text)}\b\s*[(,:–—-]\s*", re.IGNORECASE)
    named = [(m, p) for m in said.finditer(body) for p in periods if p.start == m.end() and not _meets(p, window)]
    return [_finding(window, body[m.start() : p.end], body, m.start()) for m, p in named]


def _meets(period: Period, window: Window) -> bool:
    """Whether a period named may lie in the window: fiscal years are allowed the year around theirs."""
    first, last = int(window.first[:4]), int(window.last[:4])
    if period.kind == "date" and period.end_date and len(period.end_date) == 10 and period.end_date[:1] != "-":
        return window.first <= period.end_date <= window.last
    return period.year is not None and first <= period.year <= last


def _finding(window: Window, where: str, body: str, start: int) -> Finding:
    needed = (
        f'"{window.text}" means {window.first} to {window.last}: answer for that, or say that sources cover another '
        "time, or declare a gap"
    )
    return Finding("WINDOW_CHANGED", where, needed, line=line_of(body, start))
