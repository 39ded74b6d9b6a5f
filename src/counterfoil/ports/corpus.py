"""The port to a searchable collection of documents: search returns places, read returns a segment."""

from __future__ import annotations

from typing import Protocol

import msgspec

from counterfoil.core.evidence.passages import Document, Segment


class Hit(msgspec.Struct, frozen=True):
    """One ranked place: a segment of a document, with its most telling passage as snippet."""

    document: Document
    segment: int
    page: int | None
    heading: str | None
    snippet: str  # at most 300 characters, verbatim from the segment
    score: float  # higher is better; comparable within one search only


class SearchOutcome(msgspec.Struct, frozen=True):
    """Ranked hits, best first. ``considered`` counts the segments that were ranked to find them."""

    hits: tuple[Hit, ...]
    considered: int = 0


class Corpus(Protocol):
    """Documents that a Run may search and read."""

    async def search(
        self,
        query: str,
        *,
        limit: int,
        documents: tuple[str, ...] = (),
        domains: tuple[str, ...] = (),
        snippets: bool = True,
    ) -> SearchOutcome:
        """Rank segments for ``query``: any word matches, no score floor.

        ``documents`` (ids, file names or parts of titles) and ``domains`` restrict when not empty. Without
        ``snippets`` those of the hits are empty: whoever reads every page that is found needs none.
        """
        ...

    async def read(self, document: str, segment: int) -> Segment:
        """Return a segment; raise ``SourceInvalid`` when the document or segment does not exist."""
        ...

    async def document(self, document: str) -> Document:
        """Return what is known of a document; raise ``SourceInvalid`` when it does not exist."""
        ...
