"""Owns a text built from pieces of another, and where each of its positions stood there.

Never: what is kept or put in; callers decide.
"""

from __future__ import annotations

from bisect import bisect_right


class Rewriting:
    """Pieces kept from a source and pieces put between them, in order."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._parts: list[str] = []
        self._starts: list[int] = []  # where each kept piece begins in the new text
        self._origins: list[tuple[int, int]] = []  # (where it stood, how long it is)
        self._length = 0

    def keep(self, start: int, end: int) -> None:
        """Append ``source[start:end]``."""
        if end > start:
            self._starts.append(self._length)
            self._origins.append((start, end - start))
            self.put(self._source[start:end])

    def put(self, text: str) -> None:
        """Append text that the source does not hold."""
        self._parts.append(text)
        self._length += len(text)

    @property
    def text(self) -> str:
        """The new text."""
        return "".join(self._parts)

    def origin(self, position: int) -> int | None:
        """Where a position of the new text stood in the source; None for text that was put in."""
        at = bisect_right(self._starts, position) - 1
        if at < 0:
            return None
        start, length = self._origins[at]
        offset = position - self._starts[at]
        return start + offset if offset < length else None
