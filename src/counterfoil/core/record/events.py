"""Owns every event type: what happened, past tense, frozen. The ledger stores these and nothing else.

Never: behaviour (``evolve`` folds, ``decide`` chooses) or values that an event did not receive from outside.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.facts import Fact, FactDraft
from counterfoil.core.evidence.passages import Document, Segment
from counterfoil.core.exchange import Completion, Json, ProposedCall, Purpose, TokenUsage
from counterfoil.core.law.path_proof import PathStep
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.content import Content
from counterfoil.core.record.helpers import HelperEvent
from counterfoil.core.record.notes import MODEL_NOTES, NoteEvent
from counterfoil.core.record.outcome import Review, Status, StopReason
from counterfoil.core.record.proxied import ProxyEvent
from counterfoil.core.record.reviews import ReviewEvent
from counterfoil.core.record.snapshot import Admitted

Actor = Literal["host", "model", "caller"]


class RunAdmitted(msgspec.Struct, frozen=True, tag=True):
    """The Run began; ``snapshot`` is what it was admitted with."""

    snapshot: Content[Admitted]


class PathProven(msgspec.Struct, frozen=True, tag=True):
    """The Host showed that a path from search to a finished answer fits the budgets."""

    steps: tuple[PathStep, ...]


class ContractProposed(msgspec.Struct, frozen=True, tag=True):
    """The entry reply was read as a contract, or could not be (``contract`` None, ``why`` says)."""

    contract: Content[Contract | None]
    why: Content[str] = ""


class ContractConfirmed(msgspec.Struct, frozen=True, tag=True):
    """The contract stands. ``by``: the caller saw it, or accepted it unseen. Waiting for a person is no active time."""

    contract: Content[Contract]
    by: Literal["caller", "unseen"]
    waited_ms: int = 0


class LeaseTaken(msgspec.Struct, frozen=True, tag=True):
    """A Host drives the Run from here on. Every write of an earlier holder fails."""

    holder: str
    epoch: int


class ModelCallReserved(msgspec.Struct, frozen=True, tag=True):
    """A model request was debited and may now be sent. ``view`` holds what is new in its view.

    ``worst`` (policy id → units) is what it may spend beside being a request; it stands until the receipt says less.
    """

    request: str  # "m1", "m2", ...
    purpose: Purpose
    tools: tuple[str, ...]
    removed: tuple[tuple[str, str], ...]  # (tool, reason) for each tool that is not shown
    view: Content[Json]
    view_hash: str
    dropped: tuple[str, ...] = ()  # calls whose results this view shows as a digest only
    worst: dict[str, int | float] = {}
    model: str = ""  # who is asked; "" in old ledgers: the one that was admitted
    still_dropped: int = 0  # so many that the request before dropped are dropped here too, beside ``dropped``
    summed_up: int = 0  # so many of the oldest turns with a reply stand in one note


class InputRefused(msgspec.Struct, frozen=True, tag=True):
    """A request was not sent, and nothing debited: even with older results as digests its view exceeds ``policy``."""

    purpose: Purpose
    size_bytes: int
    policy: str
    window_tokens: int | None = None  # the model's own window, where that is smaller than ``policy``


class ModelCallSettled(msgspec.Struct, frozen=True, tag=True):
    """The receipt of a model request. ``usd``: what it cost; None where nobody knows the price."""

    request: str
    completion: Content[Completion]
    usd: float | None = None


class ModelCallFailed(msgspec.Struct, frozen=True, tag=True):
    """A model request ended without an answer; its debit stands. ``wait_ms``: before another attempt may be made."""

    request: str
    code: str
    category: str
    message: Content[str]
    hint: str = ""
    wait_ms: int | None = None  # None: another attempt would not help
    policy: str | None = None  # the limit that stands against another attempt, or that cut this one
    usd: float | None = 0.0  # None: nobody knows the price of what it may have cost
    spent: TokenUsage | None = None  # None: nobody knows; nothing where no connection came about


class ToolCallProposed(msgspec.Struct, frozen=True, tag=True):
    """The model asked for a tool."""

    request: str
    call: Content[ProposedCall]


class ToolCallRefused(msgspec.Struct, frozen=True, tag=True):
    """The call was not lawful; nothing was debited."""

    call_id: str
    code: str
    why: Content[str]
    policy: str | None = None
    hint: str = ""
    category: str = ""


class ToolCallReserved(msgspec.Struct, frozen=True, tag=True):
    """The call's debits (policy id → units) are durable and it may start."""

    call_id: str
    debits: dict[str, int]


class ToolCallSettled(msgspec.Struct, frozen=True, tag=True):
    """The receipt of a call: exactly the content that views show for it."""

    call_id: str
    content: Content[Json]


class ToolCallFailed(msgspec.Struct, frozen=True, tag=True):
    """The call ended with a reason instead of a result; its debit stands."""

    call_id: str
    code: str
    category: str
    why: Content[str]
    hint: str = ""
    content: Content[Json] = {}


class SourceRegistered(msgspec.Struct, frozen=True, tag=True):
    """A document became readable in this Run under ``handle``."""

    handle: str
    document: Content[Document]
    call_id: str


class SourceRegistrationFailed(msgspec.Struct, frozen=True, tag=True):
    """A found document did not get a handle and was not shown as readable."""

    url: Content[str]
    why: Content[str]
    call_id: str


class EvidenceRead(msgspec.Struct, frozen=True, tag=True):
    """A segment was read; its passages are evidence ``E{first}`` onwards."""

    handle: str
    segment: Content[Segment]
    first: int
    call_id: str


class InstructionFlagged(msgspec.Struct, frozen=True, tag=True):
    """Text reads like an instruction to an assistant. It changed nothing. No ``handle``: a result, or the question."""

    handle: str | None
    segment: int
    excerpt: Content[str]
    call_id: str | None = None  # whose result it stands in, when it stands in no source


class FactRecorded(msgspec.Struct, frozen=True, tag=True):
    """A fact passed the Host's checks."""

    fact: Content[Fact]
    call_id: str


class FactRefused(msgspec.Struct, frozen=True, tag=True):
    """A proposed fact did not."""

    draft: Content[FactDraft]
    code: str
    why: Content[str]
    call_id: str


class PublicationProposed(msgspec.Struct, frozen=True, tag=True):
    """A candidate answer was submitted. ``charged``: the allowance it consumes, None for the free one."""

    candidate: Content[Candidate]
    call_id: str
    charged: str | None


class PublicationRejected(msgspec.Struct, frozen=True, tag=True):
    """The checks found something; a finish inside the candidate is void."""

    publication: str
    findings: Content[tuple[Finding, ...]]
    validators: tuple[str, ...]


class PublicationAccepted(msgspec.Struct, frozen=True, tag=True):
    """The candidate is the answer. Nothing takes it back."""

    publication: str
    warnings: Content[tuple[Finding, ...]]
    validators: tuple[str, ...]


class PublicationDelivered(msgspec.Struct, frozen=True, tag=True):
    """An answer is in the caller's reach. ``body`` only for a report that the Host assembled."""

    publication: str
    assembled_by: Literal["model", "host"]
    body: Content[str | None] = None


class FinishProposed(msgspec.Struct, frozen=True, tag=True):
    """The model proposed to end."""

    call_id: str
    outcome: Content[str]
    limitations: Content[tuple[str, ...]] = ()


class FinishRefused(msgspec.Struct, frozen=True, tag=True):
    """There is neither an accepted Publication nor a stated limitation to end with."""

    call_id: str
    code: str
    why: str


class FinishAccepted(msgspec.Struct, frozen=True, tag=True):
    """The Run may settle. ``no_answer``: it ends with limitations instead of a Publication."""

    call_id: str
    no_answer: bool = False


class PhaseChanged(msgspec.Struct, frozen=True, tag=True):
    """The Run moved to another phase; ``policy`` names the limit that made it."""

    to: Phase
    why: str
    policy: str | None = None


class CancelRequested(msgspec.Struct, frozen=True, tag=True):
    """The caller wants the Run to end."""

    why: Content[str]


class EffectOutcomeUnknown(msgspec.Struct, frozen=True, tag=True):
    """A reserved effect has no receipt. Its debit stands; it is never repeated by itself."""

    kind: Literal["model", "tool", "proxied"]
    id: str


class RunPaused(msgspec.Struct, frozen=True, tag=True):
    """The Host stopped working on the Run between two steps; a person had looked ``waited_ms`` at its contract."""

    why: str
    waited_ms: int = 0


class RunRecovered(msgspec.Struct, frozen=True, tag=True):
    """A Host took the Run up again after its last one ended without a word. ``idle_ms``: nobody worked on it.

    ``narrowed`` (policy id → value) are limits that this deployment sets lower than the admission did; ``prompts``
    (name → sha256) those whose text has changed since.
    """

    idle_ms: int
    narrowed: dict[str, int | float] = {}
    prompts: dict[str, str] = {}


class RunResumed(msgspec.Struct, frozen=True, tag=True):
    """A Host took the Run up again after a pause; fields as in ``RunRecovered``."""

    idle_ms: int
    narrowed: dict[str, int | float] = {}
    prompts: dict[str, str] = {}


class BlobPurged(msgspec.Struct, frozen=True, tag=True):
    """The content of a settled Run was deleted: ``blobs`` names what its events say no more."""

    blobs: tuple[str, ...]
    why: str


class RunSettled(msgspec.Struct, frozen=True, tag=True):
    """The Run ended."""

    status: Status
    stop_reason: StopReason
    policy: str | None
    delivered: bool
    finished: bool
    review: Review
    error: Content[dict[str, Any] | None] = None


Event = (
    RunAdmitted
    | LeaseTaken
    | PathProven
    | ContractProposed
    | ContractConfirmed
    | ModelCallReserved
    | InputRefused
    | ModelCallSettled
    | ModelCallFailed
    | ToolCallProposed
    | ToolCallRefused
    | ToolCallReserved
    | ToolCallSettled
    | ToolCallFailed
    | SourceRegistered
    | SourceRegistrationFailed
    | EvidenceRead
    | InstructionFlagged
    | FactRecorded
    | FactRefused
    | NoteEvent
    | ReviewEvent
    | PublicationProposed
    | PublicationRejected
    | PublicationAccepted
    | PublicationDelivered
    | FinishProposed
    | FinishRefused
    | FinishAccepted
    | PhaseChanged
    | CancelRequested
    | EffectOutcomeUnknown
    | RunPaused
    | BlobPurged
    | RunRecovered
    | RunResumed
    | RunSettled
    | HelperEvent
    | ProxyEvent
)

MODEL_EVENTS = (ModelCallSettled, ToolCallProposed, PublicationProposed, FinishProposed, *MODEL_NOTES)


def actor_of(event: Event) -> Actor:
    """Who made it happen: the model proposes, the caller confirms, cancels or purges, the Host does the rest."""
    if isinstance(event, MODEL_EVENTS):
        return "model"
    by_caller = isinstance(event, ContractConfirmed) and event.by == "caller"
    return "caller" if by_caller or isinstance(event, CancelRequested | BlobPurged) else "host"
