"""Owns a language model behind the model port: rendering, one send, and reading of what came back.

Never: a vendor's type, a retry, or a call that the model did not make.
"""

from __future__ import annotations

import msgspec

from counterfoil.adapters.models.prices import Free, Price
from counterfoil.adapters.models.prompt import Prompt, Reply, Wire
from counterfoil.adapters.models.reading import read_reply
from counterfoil.adapters.models.rendering import render
from counterfoil.core.exchange import Completion, ModelLimits, Purpose, TokenUsage, ToolSpec, View

# Bytes of a request that are not in the view: the tools' schemas (some 8 kB) and the frame of a chat.
FRAME_BYTES = 16_384


class LanguageModel:
    """A model at a provider. ``label`` is what readers of an answer are told about it."""

    purposes = frozenset[str]({"entry", "research", "finalize", "self_review", "reviewer"})

    def __init__(
        self,
        spec: str,
        wire: Wire,
        price: Price | Free,
        label: str,
        *,
        window_tokens: int | None = None,
        bytes_per_token: int = 1,
    ) -> None:
        self.spec = spec
        self.label = label
        self.window_tokens = window_tokens  # None: the provider says no, and refuses what is too long
        self._wire = wire
        self._price = price
        self._bytes_per_token = bytes_per_token

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        """A token for each byte where tokens are paid for, and the longest reply.

        No tokenizer in use makes more: each token stands for at least one byte. Prose needs a quarter of that; tables
        of figures, which are what is read here, come near it where a tokenizer splits numbers into digits.
        """
        return TokenUsage(-(-(size_bytes + FRAME_BYTES) // self._bytes_per_token), output_tokens_max)

    def usd(self, usage: TokenUsage) -> float | None:
        """What ``usage`` costs in USD; None when nobody knows."""
        return self._price.usd(usage)

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """Answer ``view``.

        A provider that counts no tokens is charged a token for each byte of what was sent and answered.

        Raises:
            ModelError: the request failed; its category says how.
        """
        prompt = render(view, tools, native=self._wire.native_tools)
        reply = await self._wire.send(prompt, limits)
        if reply.usage == TokenUsage():
            reply = msgspec.structs.replace(reply, usage=_counted(prompt, reply))
        return read_reply(reply, prompt, tools)


def _counted(prompt: Prompt, reply: Reply) -> TokenUsage:
    return TokenUsage(len(msgspec.json.encode(prompt)), len(msgspec.json.encode((reply.text, reply.calls))))
