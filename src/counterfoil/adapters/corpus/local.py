"""Owns the local corpus: keeps an index of files in step and answers search, read and document from it.

Never: file formats (readers are injected), domain knowledge (the vocabulary is injected).
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from counterfoil.adapters.corpus.files import Root
from counterfoil.adapters.corpus.indexing import Indexer, IndexReport, OnProgress
from counterfoil.adapters.corpus.prepare import decode_body
from counterfoil.adapters.corpus.query import Plan, QueryReader
from counterfoil.adapters.corpus.ranking import Pool, Ranker, Scored
from counterfoil.adapters.corpus.reading import ReadPlan
from counterfoil.adapters.corpus.routing import NAMED_MIN, Weighed, weigh
from counterfoil.adapters.corpus.second_look import Reranker as Reranker
from counterfoil.adapters.corpus.second_look import SecondLook
from counterfoil.adapters.corpus.snippets import SnippetChooser
from counterfoil.adapters.corpus.statements import StatementFinder
from counterfoil.adapters.corpus.store import IndexUnusable, Store, doc_of, index_of, row_range
from counterfoil.adapters.corpus.title_page import Routing
from counterfoil.adapters.corpus.tokens import fts_words
from counterfoil.core.errors import RefusedError, SourceInvalid
from counterfoil.core.evidence.domains import among_docs, on_domains
from counterfoil.core.evidence.passages import Document, Segment
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.ports.corpus import Hit, SearchOutcome
from counterfoil.ports.reader import Reader, ReadLimits

_POOL_DOCUMENTS = 5
_POOL_WEIGHT_MIN = 0.02
_SMALL_CORPUS = 6  # so few documents are all looked at, whatever their weight


class _Known(msgspec.Struct, frozen=True):
    doc: int
    document: Document
    routing: Routing


class LocalCorpus:
    """Files below ``paths`` and saved webs below ``snapshots``, indexed at ``index_path``.

    Call ``index`` (or ``index_now``) before searching.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        index_path: Path,
        readers: tuple[Reader, ...],
        limits: ReadLimits,
        vocabulary: Vocabulary,
        snapshots: Sequence[Path] = (),
        reranker: Reranker | None = None,
        workers: int = 2,
    ) -> None:
        self._roots = (*(Root(path) for path in paths), *(Root(path, saved_web=True) for path in snapshots))
        self._readers = readers
        self._plan = ReadPlan(limits=limits, workers=workers)
        self._store = Store(index_path)
        self._vocabulary = vocabulary
        self._query_reader = QueryReader(vocabulary)
        self._ranker = Ranker(self._store)
        self._snippets = SnippetChooser()
        self._second_look = SecondLook(reranker, self._store, self._snippets) if reranker is not None else None
        self._known: dict[int, _Known] | None = None
        self._version = -1
        self._lock = threading.Lock()

    # -- indexing ------------------------------------------------------------------------------------

    async def index(self, progress: OnProgress | None = None) -> IndexReport:
        """Bring the index up to date in a thread; ``progress`` is called there."""
        return await asyncio.to_thread(self.index_now, progress)

    def index_now(self, progress: OnProgress | None = None) -> IndexReport:
        """Bring the index up to date; raise ``RefusedError`` when a path is missing or nothing is readable."""
        try:
            report = self._index(progress)
        except IndexUnusable:
            self._store.rebuild()
            report = self._index(progress)
            note = "the index file was damaged and has been built again"
            report = msgspec.structs.replace(report, notes=(note, *report.notes))
        with self._lock:
            self._known = None
        return report

    def _index(self, progress: OnProgress | None) -> IndexReport:
        report = Indexer(self._store, self._roots, self._readers, self._plan).run(progress)
        self._find_statements()
        return report

    def close(self) -> None:
        """Close the index file."""
        self._store.close()

    def _find_statements(self) -> None:
        """Mark statement pages of documents not looked at yet; of all when the vocabulary changed."""
        key = hashlib.sha256(msgspec.json.encode(self._vocabulary.statements)).hexdigest()
        finder = StatementFinder(self._vocabulary)
        with self._store.transaction():
            if self._store.meta("statements") != key:
                self._store.execute("DELETE FROM statements")
                self._store.execute("UPDATE docs SET marked = 0")
                self._store.set_meta("statements", key)
            for (doc,) in self._store.query("SELECT doc FROM docs WHERE marked = 0"):
                first, last = row_range(int(str(doc)))
                pages = self._store.query(
                    "SELECT row, head, figures FROM segments WHERE row BETWEEN ? AND ?", (first, last)
                )
                for row, head, figures in pages:
                    for name, strength in finder.find(str(head), int(str(figures))):
                        self._store.execute("INSERT OR REPLACE INTO statements VALUES (?,?,?)", (row, name, strength))
                self._store.execute("UPDATE docs SET marked = 1 WHERE doc = ?", (doc,))

    # -- the port ------------------------------------------------------------------------------------

    async def search(
        self,
        query: str,
        *,
        limit: int,
        documents: tuple[str, ...] = (),
        domains: tuple[str, ...] = (),
        snippets: bool = True,
    ) -> SearchOutcome:
        """Rank segments for ``query``; see ``ports.corpus.Corpus``."""
        return await asyncio.to_thread(self.search_now, query, limit, documents, domains, snippets)

    def search_now(
        self,
        query: str,
        limit: int,
        documents: tuple[str, ...] = (),
        domains: tuple[str, ...] = (),
        snippets: bool = True,
    ) -> SearchOutcome:
        """Rank segments for ``query`` in this thread."""
        with _index_in_order():
            return self._search(query, limit, documents, domains, snippets)

    def _search(
        self, query: str, limit: int, documents: tuple[str, ...], domains: tuple[str, ...], snippets: bool
    ) -> SearchOutcome:
        allowed = [
            known
            for known in self._all().values()
            if among_docs(known.document, documents) and on_domains(known.document.url, domains)
        ]
        plan = self._query_reader.read(query)
        if not allowed or not plan.words or limit < 1:
            return SearchOutcome(hits=())
        pool = self._pool(query, plan, allowed)
        scored, considered = self._ranker.rank(plan, pool)
        if self._second_look is not None:
            scored = self._second_look.order(plan, scored, self._segment)
        hits = [self._hit(s, plan if snippets else None) for s in scored[:limit]]
        return SearchOutcome(hits=tuple(hits), considered=considered)

    async def read(self, document: str, segment: int) -> Segment:
        """Return a segment; raise ``SourceInvalid`` when the document or segment does not exist."""
        return await asyncio.to_thread(self._read, document, segment)

    def _read(self, document: str, segment: int) -> Segment:
        with _index_in_order():
            return self._segment_of(document, segment)

    def _segment_of(self, document: str, segment: int) -> Segment:
        known = self._find(document)
        if not 0 <= segment < known.document.segments:
            raise SourceInvalid(
                f"{document} has no segment {segment}; it has {known.document.segments}",
                code="SEGMENT_UNKNOWN",
                hint=f"read one of 0 to {known.document.segments - 1}",
            )
        return self._segment(row_range(known.doc)[0] + segment)

    async def document(self, document: str) -> Document:
        """Return what is known of a document; raise ``SourceInvalid`` when it does not exist."""
        return await asyncio.to_thread(self._described, document)

    def _described(self, document: str) -> Document:
        with _index_in_order():
            return self._find(document).document

    async def documents(self) -> tuple[Document, ...]:
        """Return every document of the corpus, ordered by id."""
        return tuple(sorted((k.document for k in self._all().values()), key=lambda d: d.id))

    def all_segments(self) -> Iterator[tuple[Document, Segment]]:
        """Yield every segment with its document, in order of documents; for measuring and checking."""
        for known in list(self._all().values()):
            first = row_range(known.doc)[0]
            for index in range(known.document.segments):
                yield known.document, self._segment(first + index)

    # -- inside --------------------------------------------------------------------------------------

    def _all(self) -> dict[int, _Known]:
        with self._lock:
            version = int(str(self._store.query("PRAGMA data_version")[0][0]))
            if self._known is None or version != self._version:
                rows = self._store.query("SELECT doc, document, routing FROM docs ORDER BY doc")
                self._known = {k.doc: k for k in map(_known, rows)}
                self._version = version
                self._ranker.forget()
            return self._known

    def _find(self, document: str) -> _Known:
        for known in self._all().values():
            if known.document.id == document:
                return known
        raise SourceInvalid(
            f"the corpus holds no document {document!r}",
            code="DOCUMENT_UNKNOWN",
            hint="take a document from a search result",
        )

    def _pool(self, query: str, plan: Plan, allowed: list[_Known]) -> Pool:
        weighed = weigh(query, plan, [(k.doc, k.routing) for k in allowed])
        restricted = len(allowed) < len(self._all())
        named = any(w.named >= NAMED_MIN for w in weighed)
        if len(allowed) <= _SMALL_CORPUS:
            return Pool(tuple(weighed), settled=self._settled(plan, weighed) if named else frozenset())
        if not named and not restricted:
            periods = plan.periods
            return Pool(None, leaning=tuple(weighed) if periods.years or periods.dates else ())
        if restricted and not named:
            return Pool(tuple(weighed))
        best = [w for w in weighed if w.weight >= _POOL_WEIGHT_MIN][:_POOL_DOCUMENTS] or weighed[:_POOL_DOCUMENTS]
        return Pool(tuple(best), settled=self._settled(plan, best) if named else frozenset())

    def _settled(self, plan: Plan, chosen: Sequence[Weighed]) -> frozenset[str]:
        """Return the question's words that name the subject and the period of the documents chosen."""
        names = [n for w in chosen if w.named >= NAMED_MIN for n in self._all()[w.doc].routing.names]
        return frozenset(plan.period_words).union(*(fts_words(n) for n in names))

    def _segment(self, row: int) -> Segment:
        page, heading, payload = self._stored(row)
        known = self._all()[doc_of(row)]
        body = decode_body(payload)
        return Segment(
            document=known.document.id,
            index=index_of(row),
            count=known.document.segments,
            text=body.text,
            passages=body.passages,
            page=page,
            heading=heading,
        )

    def _stored(self, row: int) -> tuple[int | None, str | None, bytes]:
        """A segment's page, heading and packed text."""
        found = self._store.query("SELECT page, heading, payload FROM segments WHERE row = ?", (row,))
        if not found or doc_of(row) not in self._all():
            raise SourceInvalid("the segment is no longer in the index", code="SEGMENT_UNKNOWN", hint="search again")
        page, heading, payload = found[0]
        assert isinstance(payload, bytes)
        return None if page is None else int(str(page)), None if heading is None else str(heading), payload

    def _hit(self, scored: Scored, plan: Plan | None) -> Hit:
        """A hit, with a snippet for ``plan`` when given; without one, the segment's text is not even read."""
        page, heading, _ = self._stored(scored.row)
        return Hit(
            document=self._all()[doc_of(scored.row)].document,
            segment=index_of(scored.row),
            page=page,
            heading=heading,
            snippet=self._snippets.choose(self._segment(scored.row), plan) if plan else "",
            score=scored.score,
        )


@contextlib.contextmanager
def _index_in_order() -> Iterator[None]:
    try:
        yield
    except IndexUnusable as error:
        raise RefusedError(
            f"the search index is damaged: {error}", code="INDEX_DAMAGED", hint="start again: it is then built anew"
        ) from error


def _known(row: tuple[object, ...]) -> _Known:
    doc, packed, routing = row
    assert isinstance(packed, bytes) and isinstance(routing, bytes)
    document = msgspec.msgpack.decode(packed, type=Document)
    return _Known(int(str(doc)), document, msgspec.msgpack.decode(routing, type=Routing))
