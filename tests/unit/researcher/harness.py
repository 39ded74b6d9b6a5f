"""A small stand-in for the Host: runs the tools over a corpus in memory or on disk and lets the researcher play."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

import msgspec

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.evidence.passages import Document, Passage, Segment
from counterfoil.core.exchange import (
    AssistantTurn,
    CallDraft,
    Message,
    ModelLimits,
    ProposedCall,
    ToolResult,
    ToolSpec,
    View,
)
from counterfoil.ports.corpus import SearchOutcome
from counterfoil.ports.model import Model

TOOLS = ("search_public_sources", "read_public_source", "record_facts", "publish_answer", "finish_research")
LIMITS = ModelLimits(output_tokens_max=4000, attempt_ms_max=60_000)


class Searchable(Protocol):
    """What the mini host needs of a corpus."""

    async def search(
        self, query: str, *, limit: int, documents: tuple[str, ...] = (), domains: tuple[str, ...] = ()
    ) -> SearchOutcome: ...

    async def read(self, document: str, segment: int) -> Segment: ...

    async def document(self, document: str) -> Document: ...


def spec(name: str) -> ToolSpec:
    return ToolSpec(name=name, description="", parameters={}, effect="pure", phases=("research",))


class MiniHost:
    """Plays one Run; keeps what was read, recorded and published."""

    def __init__(self, corpus: Searchable, model: Model, contract: Contract, tools: tuple[str, ...] = TOOLS) -> None:
        self.corpus, self.model, self.contract, self.tools = corpus, model, contract, tools
        self.messages: list[Message] = []
        self.handles: dict[str, str] = {}
        self.evidence: dict[str, Passage] = {}
        self.reads: list[tuple[str, int, int | None]] = []
        self.facts: list[dict[str, Any]] = []
        self.publications: list[dict[str, Any]] = []
        self.rejections: list[list[dict[str, Any]]] = []  # findings to answer the next publications with
        self.finished = False
        self.calls: list[CallDraft] = []

    def entry(self) -> Contract:
        view = View("entry", "", self.contract, TimeAnchor("2024-01-01"), "research")
        text = asyncio.run(self.model.complete(view, (), LIMITS)).text
        proposal = msgspec.json.decode(text)
        self.contract = msgspec.convert({"question": self.contract.question, **proposal}, Contract)
        return self.contract

    def run(self, turns_max: int = 12) -> dict[str, Any] | None:
        asyncio.run(self._run(turns_max))
        return self.publications[-1] if self.publications else None

    async def _run(self, turns_max: int) -> None:
        for _ in range(turns_max):
            view = View(
                "research", "", self.contract, TimeAnchor("2024-01-01"), "research", messages=tuple(self.messages)
            )
            done = await self.model.complete(view, tuple(spec(name) for name in self.tools), LIMITS)
            calls = tuple(
                ProposedCall(f"c{len(self.calls) + n + 1}", draft.tool, draft.args)
                for n, draft in enumerate(done.calls)
            )
            self.calls.extend(done.calls)
            self.messages.append(AssistantTurn(done.text, calls))
            for call in calls:
                ok, content = await self._call(call)
                self.messages.append(ToolResult(call.id, call.tool, ok, content))
            if self.finished or not calls:
                return

    async def _call(self, call: ProposedCall) -> tuple[bool, dict[str, Any]]:
        if call.tool not in self.tools:
            return False, {"error": "not offered"}
        return await getattr(self, f"_{call.tool}")(call)  # type: ignore[no-any-return]

    async def _search_public_sources(self, call: ProposedCall) -> tuple[bool, dict[str, Any]]:
        row = self.contract.row(call.args["row"]) if call.args.get("row") else None
        outcome = await self.corpus.search(
            call.args["query"], limit=10, documents=row.docs if row else (), domains=row.domains if row else ()
        )
        results = []
        for hit in outcome.hits:
            handle = self.handles.setdefault(hit.document.id, f"S{len(self.handles) + 1}")
            results.append(
                {
                    "handle": handle,
                    "segment": hit.segment,
                    "page": hit.page,
                    "heading": hit.heading,
                    "snippet": hit.snippet,
                    **{key: getattr(hit.document, key) for key in ("title", "url", "subject", "period", "form")},
                }
            )
        return True, {
            "query": call.args["query"],
            "search_call": call.id,
            "results": results,
            "considered": outcome.considered,
        }

    async def _read_public_source(self, call: ProposedCall) -> tuple[bool, dict[str, Any]]:
        ids = {handle: document for document, handle in self.handles.items()}
        document = await self.corpus.document(ids[call.args["handle"]])
        segment = await self.corpus.read(document.id, call.args["segment"])
        passages = []
        for passage in segment.passages:
            name = f"E{len(self.evidence) + 1}"
            self.evidence[name] = passage
            passages.append(
                {"id": name, "kind": passage.kind, "text": passage.text, "heading": passage.heading, **_table(passage)}
            )
        self.reads.append((document.id, segment.index, segment.page))
        return True, {
            "handle": call.args["handle"],
            "segment": segment.index,
            "segments": segment.count,
            "page": segment.page,
            "heading": segment.heading,
            "repeated": False,
            "passages": passages,
            **{key: getattr(document, key) for key in ("title", "url", "published", "subject", "period", "form")},
        }

    async def _record_facts(self, call: ProposedCall) -> tuple[bool, dict[str, Any]]:
        self.facts.extend(call.args["facts"])
        return True, {"recorded": [{"id": f"F{n + 1}"} for n in range(len(self.facts))], "refused": []}

    async def _publish_answer(self, call: ProposedCall) -> tuple[bool, dict[str, Any]]:
        self.publications.append(call.args)
        if self.rejections:
            return False, {"accepted": False, "findings": self.rejections.pop(0)}
        self.finished = bool(call.args["finish"])
        return True, {"accepted": True, "publication": f"P{len(self.publications)}"}

    async def _finish_research(self, call: ProposedCall) -> tuple[bool, dict[str, Any]]:
        self.finished = True
        return True, {}


def _table(passage: Passage) -> dict[str, Any]:
    row = passage.table
    if row is None:
        return {}
    cells = [
        {
            "value": cell.value.text,
            "header": " ".join(span.text for span in cell.header),
            "scale": cell.scale.text if cell.scale else None,
            "multiplier": cell.multiplier,
            "unit": cell.unit,
        }
        for cell in row.cells
    ]
    text = {
        key: span.text if span else None
        for key, span in (("title", row.title), ("section", row.section), ("label", row.label))
    }
    return {"table": {**text, "cells": cells}}
