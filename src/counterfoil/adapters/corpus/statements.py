"""Owns telling which pages are a primary statement (a balance sheet, a cash flow statement, ...).

Knows titles only from the vocabulary. Never: the query. Words broken by text extraction still match.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterfoil.adapters.corpus.tokens import squeezed
from counterfoil.core.text.vocabulary import Vocabulary

_TOP_LINES = 12
_FIRST_LINES = 8
_LONG_TITLE = 15  # squeezed letters: shorter titles ("debt") must fill their line
_BESIDE_MAX = 40  # letters that may stand beside a title in its line: the company's name
_LATER = 0.85  # two statements share a page
_SURE = 0.8
_STATEMENTS_MAX = 3  # more titles on one page are an index to them
_FIGURES_MIN = 12
_LEADERS_MAX = 3
_LEADER = re.compile(r"\.{4,}|(?:\. ){4,}")
_ENDINGS = ("continued", "contd", "unaudited")
_OPENINGS = ("usgaap", "unaudited", "interim", "the", "condensed")


class StatementFinder:
    """Finds vocabulary statements on pages by their titles."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        titles = ((s.name, _bare(squeezed(title))) for s in vocabulary.statements for title in s.titles)
        self._titles = [(name, title) for name, title in titles if title]

    def find(self, head: str, figures: int) -> Iterator[tuple[str, float]]:
        """Yield (statement name, strength 0..1) for a page's first lines and its count of figures."""
        if len(_LEADER.findall(head)) > _LEADERS_MAX:
            return  # a table of contents
        page = _Page.of(head)
        best: dict[str, float] = {}
        for name, title in self._titles:
            strength = page.strength(title)
            if strength > best.get(name, 0.0):
                best[name] = strength
        if sum(1 for s in best.values() if s >= _SURE) > _STATEMENTS_MAX:
            return  # an index to the statements
        share = min(1.0, figures / _FIGURES_MIN)
        for name, strength in best.items():
            yield name, strength * share


@dataclass(frozen=True, slots=True)
class _Page:
    """A page's first lines, squeezed, and the bare forms of all lines with where they stand."""

    top: list[str]
    joined: str
    places: dict[str, int]

    @classmethod
    def of(cls, head: str) -> _Page:
        lines = [squeezed(line) for line in head.splitlines() if line.strip()]
        places: dict[str, int] = {}
        for number, line in enumerate(lines):
            places.setdefault(_bare(line), number)
        return cls(lines[:_TOP_LINES], "".join(lines[:_TOP_LINES]), places)

    def strength(self, title: str) -> float:
        """Return how surely the page is headed by ``title``."""
        long = len(title) >= _LONG_TITLE
        place = self.places.get(title)
        if place is not None and (long or place < _TOP_LINES):
            return 1.0 if place < _FIRST_LINES else _LATER
        if not long or title not in self.joined:
            return 0.0
        for line in self.top:
            if title in line:
                return 0.9 if len(line) <= len(title) + _BESIDE_MAX else 0.3
        broken = (a + b for a, b in itertools.pairwise(self.top))
        return 0.9 if any(title in line and len(line) <= len(title) + _BESIDE_MAX for line in broken) else 0.0


def _bare(line: str) -> str:
    """Return a squeezed line without what does not change which statement it names."""
    for ending in _ENDINGS:
        line = line.removesuffix(ending)
    for opening in _OPENINGS:
        line = line.removeprefix(opening)
    return line.rstrip("s")
