"""Owns the passages that an audit has looked at: found through the corpus, numbered, forgotten when no longer needed.

Never: judging them, or reading more than a claim calls for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from counterfoil.core.answer.draft import Target
from counterfoil.core.evidence.passages import Document, Segment
from counterfoil.core.evidence.sources import Evidence, Source, evidence_number
from counterfoil.core.text.folding import loosely_folded
from counterfoil.ports.corpus import Corpus

SEGMENTS_MAX = 6  # pages looked at for one query
QUERY_CHARS_MAX = 600  # of a claim; words further back do not change what it is about
HELD_SEGMENTS_MAX = 400  # pages kept at hand; a long draft must not hold a whole corpus in memory


class _Page(msgspec.Struct, frozen=True):
    segment: Segment
    evidence: tuple[Evidence, ...]
    folded: list[str]  # filled when first asked for


class PassagePool:
    """Pages of a corpus as evidence with IDs. A page keeps its IDs for as long as the audit lasts."""

    def __init__(self, corpus: Corpus, documents: Sequence[Document]) -> None:
        self._corpus = corpus
        self._sources = {
            document.id: Source(f"S{number}", document, "", 0) for number, document in enumerate(documents, 1)
        }
        self._pages: dict[tuple[str, int], _Page] = {}
        self._first: dict[tuple[str, int], int] = {}
        self._owners: dict[str, tuple[str, int]] = {}
        self._next = 1
        self._searched: dict[tuple[str, tuple[str, ...]], tuple[tuple[str, int], ...]] = {}

    async def search(self, query: str, documents: tuple[str, ...] = (), limit: int = SEGMENTS_MAX) -> list[Evidence]:
        """The passages of the pages that ``query`` finds, best page first, in ``documents`` only when given."""
        key = (" ".join(query.split())[:QUERY_CHARS_MAX], documents)
        if key not in self._searched:
            outcome = await self._corpus.search(key[0], limit=limit, documents=documents, snippets=False)
            places = ((hit.document.id, hit.segment) for hit in outcome.hits)
            self._searched[key] = tuple(p for p in places if not documents or p[0] in documents)
        return [e for place in self._searched[key] for e in await self._read(*place)]

    async def page(self, document: str, page: int) -> list[Evidence]:
        """The passages on one page of a document; [] when it has no such page."""
        known = self._sources[document].document
        low, high = 0, known.segments - 1
        while low < high:  # the first segment of that page; pages do not go back
            middle = (low + high) // 2
            found = (await self._segment(document, middle)).segment.page
            if found is None:
                return []
            low, high = (middle + 1, high) if found < page else (low, middle)
        out: list[Evidence] = []
        for index in range(low, known.segments):
            held = await self._segment(document, index)
            if held.segment.page != page:
                break
            out += held.evidence
        return out

    async def pointed_at(self, targets: Iterable[Target], query: str) -> list[Evidence]:
        """The passages that citations point at: a page's own, or what ``query`` finds in their documents."""
        out: list[Evidence] = []
        for target in targets:
            if target.missing:
                continue
            if target.page is None:
                out += await self.search(query, target.documents)
                continue
            documents = target.documents or tuple(self._sources)
            for document in documents:
                out += await self.page(document, target.page)
        return list(dict.fromkeys(out))

    async def has_page(self, target: Target) -> bool:
        """Whether any document that a citation names has the page that it names."""
        documents = target.documents or tuple(self._sources)
        return target.page is None or any([bool(await self.page(d, target.page)) for d in documents])

    def evidence(self, evidence_id: str) -> Evidence | None:
        """The passage behind an ID of a page that is still at hand."""
        number, place = evidence_number(evidence_id), self._owners.get(evidence_id)
        page = self._pages.get(place) if place else None
        return None if page is None or place is None or number is None else page.evidence[number - self._first[place]]

    def text_of(self, evidence: Evidence) -> str:
        """The whole text of the page that a passage stands on."""
        return self._pages[self._owners[evidence.id]].segment.text

    def occurs(self, name: str) -> bool:
        """Whether a folded name stands on any page at hand."""
        for page in self._pages.values():
            if not page.folded:
                page.folded.append(loosely_folded(page.segment.text))
            if name in page.folded[0]:
                return True
        return False

    def trim(self) -> list[str]:
        """Let go of the pages used longest ago, down to what may be held; returns the IDs that went."""
        gone: list[str] = []
        for place in list(self._pages)[: max(0, len(self._pages) - HELD_SEGMENTS_MAX)]:
            gone += [e.id for e in self._pages.pop(place).evidence]
        for one in gone:
            self._owners.pop(one)
        return gone

    async def _read(self, document: str, segment: int) -> tuple[Evidence, ...]:
        return (await self._segment(document, segment)).evidence

    async def _segment(self, document: str, index: int) -> _Page:
        place = (document, index)
        page = self._pages.pop(place, None)
        if page is None:
            segment = await self._corpus.read(document, index)
            first = self._first.setdefault(place, self._next)
            self._next = max(self._next, first + len(segment.passages))
            source = self._sources[document]
            evidence = tuple(
                Evidence(f"E{number}", passage, source, index, segment.page, "")
                for number, passage in enumerate(segment.passages, first)
            )
            self._owners.update((e.id, place) for e in evidence)
            page = _Page(segment, evidence, [])
        self._pages[place] = page  # the latest used stands last
        return page
