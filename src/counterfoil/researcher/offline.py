"""Owns the embedded researcher as a model: what it is called, that it costs nothing, and that it answers a view.

Never: files, corpora, clocks or memory of its own; everything comes from the view. How it answers stands in ``turns``.
"""

from __future__ import annotations

from counterfoil.core.exchange import Completion, ModelLimits, Purpose, TokenUsage, ToolSpec, View
from counterfoil.core.text.vocabulary import Vocabulary


class OfflineResearcher:
    """A deterministic extractive researcher; implements the model port. Holds only its vocabulary."""

    spec = "offline"
    label = "extractive, no language model"
    purposes = frozenset({"entry", "research", "finalize"})

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        """It uses no tokens."""
        return TokenUsage()

    def usd(self, usage: TokenUsage) -> float:
        """It costs nothing."""
        return 0.0

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """Answer ``view`` with a contract proposal (entry) or with tool calls; never raises for what was read."""
        from counterfoil.researcher.turns import reply

        return reply(view, frozenset(tool.name for tool in tools), self._vocabulary)
