"""Owns the embedded researcher: one view in, one set of tool calls out, the same way every time.

Never: files, corpora, clocks or memory of its own; everything comes from the view.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.exchange import CallDraft, Completion, ModelLimits, Purpose, TokenUsage, ToolSpec, View
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.researcher.cellwise import is_cellwise, next_for_cells
from counterfoil.researcher.entry import propose
from counterfoil.researcher.given import dated, is_given
from counterfoil.researcher.memory import recall
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.plain import next_for_question


class OfflineResearcher:
    """A deterministic extractive researcher; implements the model port. Holds only its vocabulary."""

    spec = "offline"
    label = "extractive, no language model"
    purposes = frozenset({"entry", "research", "finalize"})

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._lexicon = Lexicon(vocabulary)

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        """It uses no tokens."""
        return TokenUsage()

    def usd(self, usage: TokenUsage) -> float:
        """It costs nothing."""
        return 0.0

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """Answer ``view`` with a contract proposal (entry) or with tool calls; never raises for what was read."""
        if view.purpose == "entry":
            return Completion(text=propose(view.contract.question, self._lexicon))
        if view.purpose in ("self_review", "reviewer"):
            return Completion(text="No language model: what code can check was checked.")
        memory = recall(view)
        if memory.accepted:
            return Completion(calls=(CallDraft("finish_research", {"outcome": "answered", "limitations": []}),))
        names = frozenset(tool.name for tool in tools)
        if is_given(view.contract, self._lexicon):
            given = msgspec.structs.replace(view, contract=dated(view.contract))
            return Completion(calls=next_for_cells(given, memory, names, self._lexicon))
        if is_cellwise(view.contract):
            return Completion(calls=next_for_cells(view, memory, names, self._lexicon))
        return Completion(calls=next_for_question(view, memory, names, self._lexicon))
