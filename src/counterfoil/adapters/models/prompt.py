"""Owns the shape between rendering and the wire: what any provider is sent for one request, and what it answered.

Never: a vendor's type; each provider's file turns this into its own.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from counterfoil.core.exchange import Json, ModelLimits, TokenUsage, ToolSpec


class UserSaid(msgspec.Struct, frozen=True, tag="user"):
    """Text from the Host's side: the task, a note, the state of the budget."""

    text: str


class CallSaid(msgspec.Struct, frozen=True):
    """A tool call in an earlier reply, under the id that the Host gave it."""

    id: str
    tool: str
    args: Json


class ModelSaid(msgspec.Struct, frozen=True, tag="model"):
    """An earlier reply."""

    text: str
    calls: tuple[CallSaid, ...] = ()


class ToolSaid(msgspec.Struct, frozen=True, tag="tool"):
    """What a call returned, as text; untrusted content stands inside its fence."""

    call_id: str
    tool: str
    text: str
    ok: bool


PromptMessage = UserSaid | ModelSaid | ToolSaid


class Prompt(msgspec.Struct, frozen=True):
    """One request. ``system`` and the messages come in an order whose beginning repeats from turn to turn.

    ``tools`` are offered natively; where the model cannot call tools they are empty and ``schema`` (a JSON schema)
    says what its reply must look like.
    """

    system: str
    messages: tuple[PromptMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: Json | None = None


class RawCall(msgspec.Struct, frozen=True):
    """A call as the provider handed it over: ``args`` is the text of a JSON object, or what should have been one."""

    tool: str
    args: str


class Reply(msgspec.Struct, frozen=True):
    """What a provider answered; whole, or it would have been an error."""

    text: str = ""
    calls: tuple[RawCall, ...] = ()
    usage: TokenUsage = TokenUsage()


class Wire(Protocol):
    """One model at one provider. Sends a prompt exactly once: no retries of its own."""

    @property
    def native_tools(self) -> bool:
        """Whether the model calls tools itself; else it is given a schema."""
        ...

    async def send(self, prompt: Prompt, limits: ModelLimits) -> Reply:
        """The reply to ``prompt``; raise ``ModelError`` with its category when that fails."""
        ...
