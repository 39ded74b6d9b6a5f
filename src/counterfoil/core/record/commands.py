"""Owns commands: what ``decide`` tells the Host to do, imperative and frozen."""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.exchange import Purpose
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.outcome import StopReason


class AskModel(msgspec.Struct, frozen=True):
    """Reserve and send a model request. ``place``: of the model in the chain, 0 for the one that was admitted first."""

    purpose: Purpose
    place: int = 0


class ReadEntryReply(msgspec.Struct, frozen=True):
    """Read the entry reply as a contract."""

    text: str


class ConfirmContract(msgspec.Struct, frozen=True):
    """Show the contract to the caller, or let it stand unseen."""

    contract: Contract


class PrepareCall(msgspec.Struct, frozen=True):
    """Authorise a proposed call: refuse it, settle it at once, or reserve its effect."""

    call_id: str


class PerformCalls(msgspec.Struct, frozen=True):
    """Perform reserved calls side by side."""

    call_ids: tuple[str, ...]


class JudgePublication(msgspec.Struct, frozen=True):
    """Run the publication checks."""

    publication: str


class AskSelfReview(msgspec.Struct, frozen=True):
    """Let the author look at its first candidate. ``place``: of the model in the chain."""

    publication: str
    place: int


class WithdrawPublication(msgspec.Struct, frozen=True):
    """Take back a candidate that was not judged, because its author went on working in ``request``."""

    publication: str
    request: str


class AskReviewer(msgspec.Struct, frozen=True):
    """Let the reviewer look at the accepted answer of a Run that is about to end.

    ``refused``: the policy that leaves nothing for its request.
    """

    publication: str
    reason: StopReason
    policy: str | None = None
    refused: str | None = None


class SettleReview(msgspec.Struct, frozen=True):
    """Hold the reviewer's reply against what was counted."""


class ChangePhase(msgspec.Struct, frozen=True):
    """Move the Run to another phase."""

    to: Phase
    why: str
    policy: str | None = None


class Settle(msgspec.Struct, frozen=True):
    """End the Run."""

    reason: StopReason
    policy: str | None = None


class Wait(msgspec.Struct, frozen=True):
    """Let time pass until another attempt may be made."""

    until: int  # milliseconds since the epoch


class Rest(msgspec.Struct, frozen=True):
    """Nothing is left to do."""


ReviewCommand = AskSelfReview | WithdrawPublication | AskReviewer | SettleReview
Command = (
    AskModel
    | ReadEntryReply
    | ConfirmContract
    | PrepareCall
    | PerformCalls
    | JudgePublication
    | ReviewCommand
    | ChangePhase
    | Settle
    | Wait
    | Rest
)
