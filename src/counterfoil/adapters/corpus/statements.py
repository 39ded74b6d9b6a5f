"""Owns telling which pages are a primary statement (a balance sheet, a cash flow statement, ...).

Knows titles only from the vocabulary. Never: the query. Words broken by text extraction still match.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from counterfoil.adapters.corpus.tokens import squeezed
from counterfoil.core.text.vocabulary import Vocabulary

_TOP_LINES = 12
_LONG_TITLE = 16  # squeezed letters: shorter titles ("debt") must fill their line
_FIGURES_MIN = 12
_CONTENTS = re.compile(r"(?im)^\s*(?:table of contents|index(?: to .*)?|contents)\s*$")
_LEADER = re.compile(r"\.{4,}|(?:\. ){4,}")


class StatementFinder:
    """Finds vocabulary statements on pages by their titles."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._titles = [
            (s.name, squeezed(title)) for s in vocabulary.statements for title in s.titles if squeezed(title)
        ]

    def find(self, head: str, figures: int) -> Iterator[tuple[str, float]]:
        """Yield (statement name, strength 0..1) for a page's first lines and its count of figures."""
        lines = [squeezed(line) for line in head.splitlines() if line.strip()][:_TOP_LINES]
        best: dict[str, float] = {}
        for name, title in self._titles:
            strength = self._strength(lines, title)
            if strength > best.get(name, 0.0):
                best[name] = strength
        if len(_LEADER.findall(head)) > 3 or sum(1 for s in best.values() if s >= 0.8) > 3:
            return  # a table of contents, or an index to the statements
        share = min(1.0, figures / _FIGURES_MIN) if figures < _FIGURES_MIN else 1.0
        for name, strength in best.items():
            yield name, strength * share

    @staticmethod
    def _strength(lines: list[str], title: str) -> float:
        for i, line in enumerate(lines):
            if line == title or line in (title + "s", "the" + title) or _continued(line, title):
                return 1.0 if i < 8 else 0.85
            if len(title) >= _LONG_TITLE and title in line:
                return 0.9 if len(line) <= len(title) + 40 else 0.3
        if len(title) >= _LONG_TITLE:
            for first, second in itertools.pairwise(lines):
                if title in first + second and len(first + second) <= len(title) + 40:
                    return 0.9
        return 0.0


def _continued(line: str, title: str) -> bool:
    return line.startswith(title) and line[len(title) :] in ("continued", "unaudited", "contd")
