"""Owns the clause around a figure: the words of its sentence that are said of this figure and not of the next.

Never: what the words mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from counterfoil.core.evidence.split import sentences

_JOINT = re.compile(
    r"[;,，；、·|]\s|[，；、]|\s(?:and|or|while|whereas|but|plus|und|oder|sowie|et|ou)\s", re.IGNORECASE
)
_GOES_ON = re.compile(r"\s*(?:per|for|a|an|each|every|/|pro|für|je|pour|par)\b|\s*/", re.IGNORECASE)


class Clause(msgspec.Struct, frozen=True):
    """What is said of one figure: its clause, its sentence, and the sentences before it in the passage."""

    text: str
    sentence: str
    before: str


def sentence_ranges(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of ``text`` stand."""
    return [(a, b) for a, b in sentences(text, 0, len(text)) if text[a:b].strip()] or [(0, len(text))]


def clauses(text: str, figures: Sequence[tuple[int, int]]) -> list[Clause]:
    """Return the clause of every figure, which are given in order by their places."""
    found: list[Clause] = []
    ranges = sentence_ranges(text)
    for at, (start, end) in enumerate(figures):
        low, high = next(((a, b) for a, b in ranges if a <= start < b), (0, len(text)))
        left = max(low, _cut(text, *_gap(figures, at - 1))) if at and figures[at - 1][1] > low else low
        right = high
        if at + 1 < len(figures) and figures[at + 1][0] < high:
            right = _cut(text, end, figures[at + 1][0])
        found.append(Clause(text[left:right].strip(), text[low:high].strip(), text[:low].strip()))
    return found


def _gap(figures: Sequence[tuple[int, int]], at: int) -> tuple[int, int]:
    first, second = list(pairwise(figures))[at]
    return first[1], second[0]


def _cut(text: str, start: int, end: int) -> int:
    """Where, between two figures, what is said of the first ends."""
    between = text[start:end]
    joints = list(_JOINT.finditer(between))
    if joints:
        return start + joints[-1].start()
    return end if _GOES_ON.match(between) else start
