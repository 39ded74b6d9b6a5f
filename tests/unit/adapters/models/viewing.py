"""Views for tests of what is made of them, in the shape that the Host gives them."""

from __future__ import annotations

from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.core.answer.contract import Contract, Field, Row, TimeAnchor
from counterfoil.core.exchange import (
    AssistantTurn,
    Json,
    Message,
    ProposedCall,
    Purpose,
    TableCell,
    ToolResult,
    ToolSpec,
    View,
)
from counterfoil.core.view.messages import fence_of
from counterfoil.wiring import prompts, tools

TOOLS: tuple[ToolSpec, ...] = tuple(tool.spec for tool in tools(MemoryCorpus([])))
PLAIN = Contract("What does the visitor pass of City North cost?")
CELLS = Contract(
    PLAIN.question,
    rows=(Row("City North"), Row("City South")),
    fields=(Field("price", type="money"), Field("source_url", type="url")),
)


def view(
    *messages: Message, contract: Contract = CELLS, purpose: Purpose = "research", table: tuple[TableCell, ...] = ()
) -> View:
    prompt = prompts()["entry" if purpose == "entry" else "research"]
    left = {"web/searches": 11.0}
    return View(purpose, prompt, contract, TimeAnchor("2025-05-02"), "research", table, left, messages)


def turn(call_id: str, tool: str, args: Json, content: Json, *, ok: bool = True, text: str = "") -> tuple[Message, ...]:
    """A turn of one call and its result."""
    untrusted = tool in ("search_public_sources", "read_public_source")
    fence = fence_of(content) if untrusted else ""
    said = AssistantTurn(text, (ProposedCall(call_id, tool, args),))
    return (said, ToolResult(call_id, tool, ok, content, untrusted, fence))


def searched(call_id: str = "c1", handle: str = "S1", title: str = "Passes") -> tuple[Message, ...]:
    hit = {"handle": handle, "segment": 0, "title": title, "url": "https://north.gov/passes", "snippet": None}
    content = {"query": "pass", "search_call": call_id, "results": [hit]}
    return turn(call_id, "search_public_sources", {"query": "pass"}, content)


def read(call_id: str = "c2", first: int = 1, *texts: str) -> tuple[Message, ...]:
    shown = texts or ("The visitor pass costs $18.",)
    passages = [{"id": f"E{first + place}", "kind": "prose", "text": text} for place, text in enumerate(shown)]
    return turn(call_id, "read_public_source", {"handle": "S1"}, {"handle": "S1", "segment": 0, "passages": passages})
