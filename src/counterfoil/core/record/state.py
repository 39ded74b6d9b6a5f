"""Owns the state of a Run: what its events fold into, and how to look things up in it.

Never: changing itself (``evolve`` does) or choosing (``decide`` does).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.facts import Fact, FactDraft
from counterfoil.core.evidence.sources import Evidence, Reading, Source, evidence_number
from counterfoil.core.exchange import Json, ProposedCall, Purpose
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.phases import Phase
from counterfoil.core.law.policy import Number
from counterfoil.core.law.streaks import Streak
from counterfoil.core.record.events import InstructionFlagged, RunSettled
from counterfoil.core.record.helpers import Helper
from counterfoil.core.record.notes import ConnectorRequested, Need, Reminder, WorkPlan
from counterfoil.core.record.proxied import Proxied
from counterfoil.core.record.register import Register
from counterfoil.core.record.reviews import ReviewerAsked, ReviewSettled
from counterfoil.core.record.snapshot import Admitted

CallStatus = Literal["proposed", "refused", "reserved", "judging", "settled", "failed", "unknown"]


class Call(msgspec.Struct, frozen=True):
    """A tool call and what became of it. ``content`` is what views show for it."""

    call: ProposedCall
    request: str
    status: CallStatus = "proposed"
    content: Json = {}


class Turn(msgspec.Struct, frozen=True):
    """A model request and its reply."""

    request: str
    purpose: Purpose
    tools: tuple[str, ...]
    view_hash: str = ""
    status: Literal["reserved", "settled", "failed", "unknown"] = "reserved"
    text: str = ""
    calls: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    worst: dict[str, Number] = {}  # reserved until the receipt says what was spent
    model: str = ""  # who was asked; "" where the ledger is older than chains of models
    summed_up: int = 0  # so many of the oldest turns with a reply stood in one note
    category: str = ""  # of a failure
    why: str = ""  # of a failure, in the provider's words


class Publication(msgspec.Struct, frozen=True):
    """A candidate and its judgement so far."""

    candidate: Candidate
    call_id: str
    status: Literal["proposed", "rejected", "accepted", "withdrawn"] = "proposed"
    findings: tuple[Finding, ...] = ()


class RefusedFact(msgspec.Struct, frozen=True):
    """A fact that did not pass, with the reason."""

    draft: FactDraft
    code: str
    why: str


class RunState(msgspec.Struct, frozen=True):
    """Everything that is true of a Run after its events so far."""

    run_id: str
    snapshot: Admitted
    contract: Contract
    admitted_at: int
    budget: Budget
    seq: int = 0
    phase: Phase = Phase.RESEARCH
    confirmed: bool = False
    proposed: Contract | None = None
    entry_failed: bool = False
    calls: Register[str, Call] = Register()
    open_calls: tuple[str, ...] = ()  # proposed or reserved, in proposal order
    turns: tuple[Turn, ...] = ()
    silent_turns: int = 0  # replies in a row without a call
    sources: Register[str, Source] = Register()
    handles: Register[str, str] = Register()  # document id → handle
    readings: tuple[Reading, ...] = ()
    read_index: Register[tuple[str, int], int] = Register()  # (handle, segment) → place in readings
    evidence_count: int = 0
    facts: tuple[Fact, ...] = ()
    refused_facts: tuple[RefusedFact, ...] = ()
    publications: tuple[Publication, ...] = ()
    corrections_open: bool = False  # a rejection in finalize_only makes the next candidate a correction
    finish_accepted: bool = False
    no_answer: bool = False
    limitations: tuple[str, ...] = ()
    delivered: str | None = None
    host_report: str | None = None
    flags: tuple[InstructionFlagged, ...] = ()
    registration_failures: int = 0
    needs: tuple[Need, ...] = ()
    needs_rewrites: int = 0  # changes of the list since evidence arrived last
    plan: WorkPlan | None = None
    reminders: tuple[Reminder, ...] = ()
    connectors: tuple[ConnectorRequested, ...] = ()
    streaks: Register[str, Streak] = Register()  # calls that failed, by ``call_key``
    self_reviewed: str | None = None  # the Publication that its author was asked to look at
    reviewing: ReviewerAsked | None = None
    review: ReviewSettled | None = None
    cancelled: str | None = None
    provider_error: Json | None = None  # of the latest request, None once one succeeds
    retry_at: int | None = None  # when another attempt may be made, None when it would not help
    input_refused: str | None = None  # the policy that the latest view did not fit
    cost_usd: float | None = 0.0  # None once a request was made whose price nobody knows
    paused: bool = False
    paused_ms: int = 0
    epoch: int = 0
    holder: str = ""
    phase_policy: str | None = None  # the policy behind the latest phase change
    settled: RunSettled | None = None
    helpers: tuple[Helper, ...] = ()
    proxied: Proxied | None = None  # of a Run whose requests another program decides

    def evidence(self, evidence_id: str) -> Evidence | None:
        """The passage behind an evidence ID of this Run, None when it was never issued."""
        number = evidence_number(evidence_id)
        if number is None or not 1 <= number <= self.evidence_count:
            return None
        low, high = 0, len(self.readings) - 1
        while low < high:  # the last reading that begins at or before the number
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.readings[middle].first <= number else (low, middle - 1)
        reading = self.readings[low]
        return Evidence(
            evidence_id,
            reading.segment.passages[number - reading.first],
            self.sources[reading.handle],
            reading.segment.index,
            reading.segment.page,
            reading.call_id,
        )

    def reading(self, handle: str, segment: int) -> Reading | None:
        """The stored reading of a segment, None when it was not read."""
        place = self.read_index.get((handle, segment))
        return None if place is None else self.readings[place]

    def shown(self, evidence_id: str) -> bool:
        """Whether the passage was in a view that was sent to the model after it was read."""
        evidence = self.evidence(evidence_id)
        if evidence is None:
            return False
        place = next(i for i, turn in enumerate(self.turns) if turn.request == self.calls[evidence.call_id].request)
        return any(evidence.call_id not in turn.dropped for turn in self.turns[place + 1 :])

    @property
    def accepted(self) -> Publication | None:
        """The accepted Publication, the latest if there are several."""
        return next((p for p in reversed(self.publications) if p.status == "accepted"), None)

    @property
    def undecided(self) -> Publication | None:
        """The Publication that waits for its judgement."""
        return next((p for p in self.publications if p.status == "proposed"), None)

    def searches(self) -> tuple[Call, ...]:
        """Calls that settled a search, in order."""
        return tuple(c for c in self.calls.values() if c.call.tool == SEARCH_TOOL and c.status == "settled")


SEARCH_TOOL = "search_public_sources"
READ_TOOL = "read_public_source"
FACTS_TOOL = "record_facts"
PUBLISH_TOOL = "publish_answer"
FINISH_TOOL = "finish_research"
PARALLEL_TOOL = "run_in_parallel"
