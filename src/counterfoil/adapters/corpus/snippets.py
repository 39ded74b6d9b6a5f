"""Owns choosing the passage that best shows why a segment was found, verbatim and short.

Never: ranking of segments, changing a character of the text.
"""

from __future__ import annotations

import heapq
import re

from counterfoil.adapters.corpus.query import Plan
from counterfoil.adapters.corpus.tokens import fts_words
from counterfoil.core.evidence.passages import Passage, Segment

_CHARS_MAX = 300
_STEM = 5  # letters that must agree: enough to tell inflections of one word from other words
_WORD_END = re.compile(r"\s")


class SnippetChooser:
    """Chooses snippets for hits."""

    def choose(self, segment: Segment, plan: Plan) -> str:
        """Return at most 300 characters of ``segment.text``; empty when it has no passage."""
        best = self.best(segment, plan, 1)
        return _cut(best[0].text, {w[:_STEM] for w in plan.words}) if best else ""

    def best(self, segment: Segment, plan: Plan, count: int) -> list[Passage]:
        """Return the ``count`` passages that fit the question best, in reading order."""
        wanted = {w[:_STEM] for w in plan.words}
        labels = {label.strip('"') for label in plan.labels}
        chosen = heapq.nlargest(count, segment.passages, key=lambda p: _score(p, wanted, labels))
        return sorted(chosen, key=lambda p: p.start)


def _score(passage: Passage, wanted: set[str], labels: set[str]) -> float:
    tokens = fts_words(passage.text)
    if not tokens:
        return 0.0
    score = float(len(wanted & {t[:_STEM] for t in tokens}))
    text = " ".join(tokens)
    if any(label in text for label in labels):
        score += 2.5 if passage.kind == "row" else 1.5
    if passage.kind == "heading":
        score *= 0.5
    return score - min(len(tokens), 80) / 400


def _cut(text: str, wanted: set[str]) -> str:
    if len(text) <= _CHARS_MAX:
        return text
    start = 0
    first = next((m.start() for m in re.finditer(r"[^\W_]+", text) if m.group().lower()[:_STEM] in wanted), 0)
    if first > _CHARS_MAX // 2:
        space = text.rfind(" ", 0, first - 80)
        start = space + 1 if space >= 0 else first
    piece = text[start : start + _CHARS_MAX]
    if start + _CHARS_MAX < len(text) and not _WORD_END.match(text[start + _CHARS_MAX]):
        space = piece.rfind(" ")
        piece = piece[:space] if space > _CHARS_MAX // 2 else piece
    return piece.strip()
