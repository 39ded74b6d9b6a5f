"""The port to a decision maker: a language model, a script, or the embedded researcher."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from counterfoil.core.exchange import Completion, ModelLimits, Purpose, TokenUsage, ToolSpec, View


class Model(Protocol):
    """Proposes tool calls. Owns no authority, keeps no state between requests."""

    @property
    def spec(self) -> str:
        """The name a Run is admitted with ("offline", "script:run.jsonl")."""
        ...

    @property
    def label(self) -> str:
        """What a reader of an answer is told about it ("extractive, no language model")."""
        ...

    @property
    def purposes(self) -> frozenset[str]:
        """The purposes it answers; a request of another purpose is not made."""
        ...

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        """The tokens that a request with a view of that size may spend, estimated on the safe side.

        They are reserved before it is sent; what the provider counted takes their place.
        """
        ...

    def usd(self, usage: TokenUsage) -> float | None:
        """What so many tokens cost, in USD; None when nobody knows, so that no cap on money can hold."""
        ...

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """Answer ``view`` using ``tools``; raise ``ModelError`` with its category when that fails."""
        ...


@runtime_checkable
class Windowed(Protocol):
    """A model that knows how much it can hold. Optional: a model that does not know leaves it out."""

    @property
    def window_tokens(self) -> int | None:
        """Tokens of input and output together in one request; None when it does not know."""
        ...


def window_of(model: Model) -> int | None:
    """The window of ``model`` in tokens, None when it says nothing."""
    return model.window_tokens if isinstance(model, Windowed) else None
