"""Owns a small corpus of texts held in memory, for hosts' tests and demonstrations.

Never: files, persistence, domain knowledge. Ranking counts shared words and is stable.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from counterfoil.adapters.corpus.tokens import cjk_spaced, words
from counterfoil.core.errors import SourceInvalid
from counterfoil.core.evidence.domains import among_docs, on_domains
from counterfoil.core.evidence.passages import Document, Passage, Segment
from counterfoil.core.evidence.split import split_text
from counterfoil.ports.corpus import Hit, SearchOutcome

_PASSAGE_CHARS = 400
_SNIPPET_CHARS = 300
_PAGE_BREAK = "\f"


class MemoryCorpus:
    """Texts by name. A form feed parts a text into pages; a name like ``host/path`` has the domain ``host``."""

    def __init__(self, documents: Iterable[tuple[str, str]]) -> None:
        self._segments: dict[str, tuple[Segment, ...]] = {}
        self._documents: dict[str, Document] = {}
        for name, text in documents:
            pages = text.split(_PAGE_BREAK)
            self._segments[name] = tuple(_segment(name, i, pages) for i in range(len(pages)))
            self._documents[name] = Document(
                id=name,
                url=f"memory://{name}",
                title=text.strip().split("\n", 1)[0].lstrip("# ")[:120] or name,
                media_type="text/plain",
                segments=len(pages),
                content_hash=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            )

    async def search(
        self,
        query: str,
        *,
        limit: int,
        documents: tuple[str, ...] = (),
        domains: tuple[str, ...] = (),
        snippets: bool = True,
    ) -> SearchOutcome:
        """Rank segments by the share of the query's words they hold."""
        wanted = set(words(cjk_spaced(query)))
        scored: list[tuple[float, Segment]] = []
        for name, segments in self._segments.items():
            document = self._documents[name]
            if not among_docs(document, documents) or not on_domains(document.url, domains):
                continue
            for segment in segments:
                score = _overlap(wanted, segment.text)
                if score > 0:
                    scored.append((score, segment))
        scored.sort(key=lambda pair: (-pair[0], pair[1].document, pair[1].index))
        hits = tuple(self._hit(score, segment, wanted if snippets else None) for score, segment in scored[:limit])
        return SearchOutcome(hits=hits, considered=len(scored))

    async def read(self, document: str, segment: int) -> Segment:
        """Return a segment; raise ``SourceInvalid`` when it does not exist."""
        segments = self._segments.get(document, ())
        if not 0 <= segment < len(segments):
            raise SourceInvalid(
                f"{document!r} has no segment {segment}",
                code="SEGMENT_UNKNOWN",
                hint="take document and segment from a search result",
            )
        return segments[segment]

    async def document(self, document: str) -> Document:
        """Return what is known of a document; raise ``SourceInvalid`` when it does not exist."""
        if document not in self._documents:
            raise SourceInvalid(
                f"the corpus holds no document {document!r}",
                code="DOCUMENT_UNKNOWN",
                hint="take a document from a search result",
            )
        return self._documents[document]

    def _hit(self, score: float, segment: Segment, wanted: set[str] | None) -> Hit:
        best = None
        if wanted is not None:
            best = max(segment.passages, key=lambda p: _overlap(wanted, p.text), default=None)
        return Hit(
            document=self._documents[segment.document],
            segment=segment.index,
            page=segment.page,
            heading=segment.heading,
            snippet=best.text[:_SNIPPET_CHARS] if best else "",
            score=score,
        )


def _segment(name: str, index: int, pages: list[str]) -> Segment:
    passages: tuple[Passage, ...] = split_text(pages[index], _PASSAGE_CHARS)
    heading = next((p.text for p in passages if p.kind == "heading"), None)
    page = index + 1 if len(pages) > 1 else None
    return Segment(name, index, len(pages), pages[index], passages, page, heading)


def _overlap(wanted: set[str], text: str) -> float:
    if not wanted:
        return 0.0
    return len(wanted & set(words(cjk_spaced(text)))) / len(wanted)
