"""The port to tools: check arguments, perform the effect, settle it into events."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol, runtime_checkable

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import Category
from counterfoil.core.exchange import Json, ProposedCall, ToolSpec
from counterfoil.core.record.events import Event
from counterfoil.core.record.state import RunState


class Refused(msgspec.Struct, frozen=True):
    """The call is not lawful or not understood. Nothing is debited. ``hint`` "": that of its category."""

    code: str
    why: str
    hint: str = ""
    policy: str | None = None
    category: Category = "request_invalid"


class Settled(msgspec.Struct, frozen=True):
    """The call is done: events that follow from it, then its receipt with ``content``."""

    content: Json
    events: tuple[Event, ...] = ()


class Failed(msgspec.Struct, frozen=True):
    """The call ended with a reason instead of a result. ``hint`` "": that of its category."""

    code: str
    category: str
    why: str
    hint: str = ""
    content: Json = {}
    events: tuple[Event, ...] = ()


class Effect(msgspec.Struct, frozen=True):
    """The call needs an outside effect: what it debits, and the request that ``perform`` takes."""

    debits: dict[str, int]
    request: Json


class Judged(msgspec.Struct, frozen=True):
    """The call's receipt follows from a judgement on what ``events`` propose."""

    events: tuple[Event, ...]


class Split(msgspec.Struct, frozen=True):
    """The call's work goes to helpers, each of whom gets its share of what is left of the budget."""

    parts: tuple[tuple[Contract, Fraction], ...]


Prepared = Refused | Settled | Failed | Effect | Judged | Split


class Tool(Protocol):
    """A tool as the Host drives it. A tool of effect ``pure`` settles in ``prepare``; others are ``EffectTool``s."""

    @property
    def spec(self) -> ToolSpec:
        """How it is shown and what it may do."""
        ...

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Prepared:
        """Check the arguments against the state at ``now`` (milliseconds); settle at once what needs no effect."""
        ...


@runtime_checkable
class EffectTool(Tool, Protocol):
    """A tool that touches the outside."""

    async def perform(self, request: Json) -> object:
        """Do the outside effect; raise a ``CounterfoilError`` when it fails. Only after ``Effect``."""
        ...

    def settle(self, call: ProposedCall, result: object, state: RunState) -> Settled | Failed:
        """Turn what ``perform`` returned into events and content. Pure; IDs follow from ``state``."""
        ...
