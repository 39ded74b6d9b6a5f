"""The port to a decision maker: a language model, a script, or the embedded researcher."""

from __future__ import annotations

from typing import Protocol

from counterfoil.core.exchange import Completion, ModelLimits, ToolSpec, View


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

    @property
    def priced(self) -> bool:
        """Whether what a request costs is known, so that a cap on money can hold."""
        ...

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """Answer ``view`` using ``tools``; raise ``ModelError`` with its category when that fails."""
        ...
