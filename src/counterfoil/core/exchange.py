"""Owns what a model is shown and what it may answer with: the same for a language model and the embedded one.

Never: hidden channels. Whatever a model gets stands here, whatever it wants stands in its Completion.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from counterfoil.core.answer.contract import Contract, TimeAnchor

Effect = Literal["pure", "repeatable", "keyed", "child", "once"]
Purpose = Literal["entry", "research", "finalize", "self_review", "reviewer"]
REVIEWS = frozenset[Purpose]({"self_review", "reviewer"})  # requests whose failure fails nothing else
Json = dict[str, Any]


class ToolSpec(msgspec.Struct, frozen=True):
    """A tool as a model sees it, with what the law needs to know of it."""

    name: str
    description: str
    parameters: Json  # JSON schema of the arguments
    effect: Effect
    phases: tuple[str, ...]
    debits: tuple[str, ...] = ()  # policy ids a call consumes one unit of
    gathers_evidence: bool = False
    actions: tuple[str, ...] = ()  # what a contract may forbid
    connector: str = ""  # the app that it reaches on the user's behalf, "" for none
    untrusted: bool = False  # others wrote what it returns; so it is of every tool that gathers evidence


class ProposedCall(msgspec.Struct, frozen=True):
    """A tool call as proposed. ``malformed`` says what is wrong with it when it cannot be used at all."""

    id: str  # "c1", "c2", ... given by the Host
    tool: str
    args: Json
    malformed: str | None = None


class AssistantTurn(msgspec.Struct, frozen=True, tag="assistant"):
    """What the model said in an earlier turn."""

    text: str
    calls: tuple[ProposedCall, ...]


class ToolResult(msgspec.Struct, frozen=True, tag="tool"):
    """What a call returned. ``content`` of a tool that reads documents is untrusted text.

    ``fence``: the word between which an adapter sets untrusted content. It does not occur there, so no page closes it.
    """

    call_id: str
    tool: str
    ok: bool
    content: Json
    untrusted: bool = False
    fence: str = ""


class HostNote(msgspec.Struct, frozen=True, tag="host"):
    """A sentence from the Host: a phase change, a reminder."""

    text: str


Message = AssistantTurn | ToolResult | HostNote


class TableCell(msgspec.Struct, frozen=True):
    """A cell of the evidence table as pinned in every view."""

    row: str
    field: str
    state: str
    value: str | None = None
    unit: str | None = None
    evidence: tuple[str, ...] = ()


class View(msgspec.Struct, frozen=True):
    """Everything a model is shown for one request."""

    purpose: Purpose
    instructions: str
    contract: Contract  # holds the original question, pinned
    anchor: TimeAnchor
    phase: str
    table: tuple[TableCell, ...] = ()
    remaining: dict[str, float] = {}  # policy id → units left
    messages: tuple[Message, ...] = ()
    admitted: tuple[ToolSpec, ...] = ()  # what the Run may come to offer: what is told of it stays when a tool goes


class ModelLimits(msgspec.Struct, frozen=True):
    """What one request may use at most."""

    output_tokens_max: int
    attempt_ms_max: int


class CallDraft(msgspec.Struct, frozen=True):
    """A tool call in a completion. ``malformed`` names the problem when the arguments were not JSON."""

    tool: str
    args: Json = {}
    malformed: str | None = None


class TokenUsage(msgspec.Struct, frozen=True):
    """Tokens of one request as the provider counts them."""

    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0


class Completion(msgspec.Struct, frozen=True):
    """What a model answered."""

    text: str = ""
    calls: tuple[CallDraft, ...] = ()
    usage: TokenUsage = TokenUsage()
