"""The port to file formats: bytes on disk become segments with quotable passages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from counterfoil.core.evidence.passages import Passage


class ReadLimits(msgspec.Struct, frozen=True):
    """Limits a reader must keep; the values come from policies of the reader's owner."""

    file_bytes_max: int
    segment_chars_max: int
    passage_chars_max: int


class ParsedSegment(msgspec.Struct, frozen=True):
    """A segment before it has a place in a corpus. Spans refer to ``text``."""

    text: str
    passages: tuple[Passage, ...]
    page: int | None = None
    heading: str | None = None


class ParsedDocument(msgspec.Struct, frozen=True):
    """A whole file as read. ``warnings`` are sentences for a person ("3 of 60 pages hold no text")."""

    title: str
    media_type: str
    segments: tuple[ParsedSegment, ...]
    language: str | None = None
    published: str | None = None
    updated: str | None = None
    dates_guessed: bool = False
    warnings: tuple[str, ...] = ()
    dropped: str = ""  # text of the file that is no segment's: hidden, comments; for inspection only


class Reader(Protocol):
    """Reads one family of formats. Implementations are picklable: they run in worker processes."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The file name endings it reads, lower case, with the dot."""
        ...

    @property
    def version(self) -> int:
        """Raised when the output of ``read`` changes, so that indexes read the files again."""
        ...

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        """Read the file at ``path``; raise ``DocumentUnreadable`` saying why when it cannot be used.

        ``progress(done, total)`` is called now and then in units of the reader's own (pages).
        """
        ...
