"""Owns finding fixed phrases in a text, as whole words and the longest first.

Never: a regular expression of a thousand phrases, which takes longer to compile than a question to answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_KEY = 3  # letters that choose which phrases to try; shorter phrases are tried by what they have
_WORD_START = re.compile(r"(?<!\w)(?=\S)")


class PhraseFinder:
    """Finds the phrases given, in texts that are folded as the phrases are."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_start: dict[str, list[str]] = {}
        for phrase in sorted({p for p in phrases if p.strip()}, key=len, reverse=True):
            self._by_start.setdefault(phrase[:_KEY], []).append(phrase)

    def found(self, text: str) -> tuple[str, ...]:
        """The phrases that stand in ``text``, each once, in order; none within another."""
        return tuple(dict.fromkeys(text[start:end] for start, end in self._spans(text)))

    def without(self, text: str) -> str:
        """``text`` with a space in place of every phrase."""
        out: list[str] = []
        kept = 0
        for start, end in self._spans(text):
            out.append(text[kept:start])
            kept = end
        return " ".join((*out, text[kept:]))

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        last = 0
        for match in _WORD_START.finditer(text):
            start = match.start()
            if start >= last and (end := self._end(text, start)) is not None:
                yield start, end
                last = end

    def _end(self, text: str, start: int) -> int | None:
        """Where the longest phrase that begins at ``start`` ends; None without one."""
        key = text[start : start + _KEY]
        fitting = (p for size in range(_KEY, 0, -1) for p in self._by_start.get(key[:size], ()) if len(key) >= size)
        ends = (start + len(p) for p in fitting if text.startswith(p, start))
        return next((end for end in ends if not _within_word(text, end)), None)


def _within_word(text: str, position: int) -> bool:
    return position < len(text) and (text[position].isalnum() or text[position] == "_")
