"""Owns times of day and race times as written: "09:00", "9 a.m.", "2:27:41".

Never: spans of time such as "45 minutes" (see ``measures``).
"""

from __future__ import annotations

import re

CLOCK = (
    r"(?<![\d:])(?P<h>\d{1,2})(?::(?P<m>\d{2})(?::(?P<s>\d{2}))?(?:\s?(?P<half>[ap])(?:\.\s?m\.|m\b))?"
    r"|\s?(?P<half2>[ap])(?:\.\s?m\.|m\b))(?![\d:])"
)
_CLOCK = re.compile(CLOCK, re.IGNORECASE)
Clock = tuple[int, int, int]


def clock_of(text: str) -> Clock | None:
    """(hour, minute, second) of the one clock or race time that ``text`` is, None for anything else."""
    match = _CLOCK.fullmatch(text)
    return _read(match) if match else None


def clocks_in(text: str) -> frozenset[Clock]:
    """Every clock or race time in ``text``."""
    return frozenset(_read(match) for match in _CLOCK.finditer(text))


def _read(match: re.Match[str]) -> Clock:
    hour, half = int(match["h"]), (match["half"] or match["half2"] or "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour, int(match["m"] or 0), int(match["s"] or 0)
