"""A Host over two pages, with a model that keeps nothing between requests, so that many Runs may share it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from counterfoil import Host
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.exchange import (
    AssistantTurn,
    CallDraft,
    Completion,
    ModelLimits,
    Purpose,
    TokenUsage,
    ToolSpec,
    View,
)
from counterfoil.ports.ledger import Ledger

QUESTION = "What does the visitor pass of City North cost?"
STEPS = (
    CallDraft("search_public_sources", {"query": "visitor pass price"}),
    CallDraft("read_public_source", {"handle": "S1"}),
    CallDraft("publish_answer", {"body": "The visitor pass costs $18 [E2].", "finish": True}),
)


class Walker:
    """Takes ``steps`` in order; which one comes next is told by how many stand in the view."""

    label = "walks through fixed steps"
    purposes = frozenset({"research", "finalize"})

    def __init__(self, *steps: CallDraft, spec: str = "walker") -> None:
        self.spec = spec
        self._steps = steps or STEPS
        self.views: list[View] = []
        self.offered: list[list[str]] = []
        self.gate: asyncio.Event | None = None  # what a reply waits for

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        return TokenUsage()

    def usd(self, usage: TokenUsage) -> float:
        return 0.0

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        self.views.append(view)
        self.offered.append([tool.name for tool in tools])
        if self.gate is not None:
            await self.gate.wait()
        taken = sum(isinstance(message, AssistantTurn) for message in view.messages)
        return Completion(calls=self._steps[taken : taken + 1], text="" if taken < len(self._steps) else "(end)")


def pages(folder: Path) -> Path:
    """A folder of two documents."""
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    (docs / "north.md").write_text(
        "# City North passes\n\nThe visitor pass costs $18 and includes rides of 30 minutes.\n"
    )
    (docs / "south.md").write_text("# City South passes\n\nA day pass costs $15.\n")
    return docs


class Desk:
    """Makes Hosts over the same documents and the same store, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.docs = pages(folder)
        self.ledger: Ledger = MemoryLedger()

    def host(self, model: Walker | str | None = None, **policies: float) -> Host:
        named = {name.replace("__", "/").replace("_", "-"): value for name, value in policies.items()}
        return Host(corpus=[self.docs], model=model or Walker(), store=self.ledger, policies=named)


async def until(condition: Callable[[], object]) -> None:
    """Let other tasks go on until ``condition`` holds."""
    while not condition():  # noqa: ASYNC110  # a condition of any kind
        await asyncio.sleep(0)
