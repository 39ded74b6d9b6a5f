"""Owns the simulated sources: a corpus with pages that fail or vanish, and tools whose effects the world sees.

Never: an answer that the corpus behind it would not give, other than a failure.
"""

from __future__ import annotations

from msgspec.structs import replace

from counterfoil.core.errors import DocumentUnreadable, SourceInvalid
from counterfoil.core.evidence.passages import Document, Segment
from counterfoil.core.exchange import Json, ProposedCall, ToolSpec
from counterfoil.core.record.state import RunState
from counterfoil.ports.corpus import Corpus, SearchOutcome
from counterfoil.ports.tool import Effect, EffectTool, Failed, Prepared, Settled
from counterfoil.sim.plan import Page
from counterfoil.sim.process import TOOL, Process

_FOR = "simulated Run"


class TroubledCorpus:
    """Another corpus in which pages may not open, or not for long, and searches may find nothing or too much."""

    def __init__(self, inner: Corpus, pages: tuple[Page, ...], process: Process) -> None:
        self._inner = inner
        self._pages = {page.name: page for page in pages}
        self._life = process.life

    async def search(
        self,
        query: str,
        *,
        limit: int,
        documents: tuple[str, ...] = (),
        domains: tuple[str, ...] = (),
        snippets: bool = True,
    ) -> SearchOutcome:
        """As the inner corpus; nothing when this Run's searches are mute, too much when they are generous."""
        if self._life.plan.search == "mute":
            return SearchOutcome(())
        if self._life.plan.search == "generous":
            return await self._inner.search(query, limit=limit + 50, snippets=snippets)
        return await self._inner.search(query, limit=limit, documents=documents, domains=domains, snippets=snippets)

    async def read(self, document: str, segment: int) -> Segment:
        """As the inner corpus, unless the page fails or is gone."""
        page = self._pages[document]
        self._life.reads += 1
        if page.gone_after is not None and self._life.reads > page.gone_after:
            raise SourceInvalid(f"{document} is gone", code="DOCUMENT_GONE", hint="search again")
        if page.failing:
            raise DocumentUnreadable(f"{document} cannot be read", code="UNREADABLE", hint="read another")
        return await self._inner.read(document, segment)

    async def document(self, document: str) -> Document:
        """As the inner corpus."""
        return await self._inner.document(document)


class SeenTool:
    """A tool with an outside effect, which the world sees before it happens."""

    def __init__(self, inner: EffectTool, process: Process) -> None:
        self._inner = inner
        self.process = process

    @property
    def spec(self) -> ToolSpec:
        """As the inner tool."""
        return self._inner.spec

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Prepared:
        """As the inner tool; an effect is told which Run it is for."""
        prepared = self._inner.prepare(call, state, now)
        if not isinstance(prepared, Effect):
            return prepared
        return replace(prepared, request={**prepared.request, _FOR: state.run_id})

    async def perform(self, request: Json) -> object:
        """Note the effect, then cause it."""
        process = self.process
        seat, request = (
            process.seat(str(request.get(_FOR, ""))),
            {key: value for key, value in request.items() if key != _FOR},
        )
        seat.cause(seat.effect(self.spec.name, request=request))
        await process.moment(TOOL)
        await process.passes(process.life.plan.tool_ms)
        return await self._inner.perform(request)

    def settle(self, call: ProposedCall, result: object, state: RunState) -> Settled | Failed:
        """As the inner tool."""
        return self._inner.settle(call, result, state)
