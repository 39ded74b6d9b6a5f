"""Owns the second opinion: a Run's events counted again, by rules written from the requirements.

Never: the Host's fold, budget or settlement; what agrees with a mistake cannot find it.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.record import events as e
from counterfoil.sim.counted import CallTally, HelperTally, Judged, Number, ReadTally, Request

REQUESTS, RESERVE = "run/model-requests", "run/finalization-request-reserve"
ATTEMPTS, CORRECTIONS = "run/publication-attempts", "run/corrections"
INPUT, OUTPUT, COST = "run/input-tokens", "run/output-tokens", "run/cost-usd"
KEPT = {  # what a request spends, and what of it research leaves for finalization
    INPUT: "run/finalization-input-tokens",
    OUTPUT: "run/finalization-output-tokens",
    COST: "run/finalization-cost-usd",
}
SPLIT, HELPERS = "run_in_parallel", "helpers"  # the tool; the purpose that requests of helpers are counted under
LOCAL = "local_budget_exhausted"  # a budget's refusal: no provider's failure, and no model is asked after it
REVIEWS = frozenset({"self_review", "reviewer"})  # requests whose failure fails nothing else
UNSPENT = frozenset({LOCAL, "upstream_rate_limited", "auth_refused", "request_invalid", "input_too_large"})
UNUSABLE = frozenset({"output_truncated", "content_refused"})  # an entry reply that leaves the bare question


class Tally(msgspec.Struct, frozen=True):
    """What a Run's events add up to."""

    limits: dict[str, Number | None] = {}
    models: tuple[str, ...] = ()  # in the order in which they may be asked
    contract: Contract = Contract("")
    admitted_at: int = 0
    used: dict[str, Number] = {}
    purposes: dict[str, int] = {}
    cost_usd: Number | None = 0  # None once a request was answered whose price nobody knows
    phase: str = "research"
    phase_policy: str | None = None  # that the latest change of phase named
    requests: dict[str, Request] = {}
    calls: dict[str, CallTally] = {}
    helpers: dict[str, HelperTally] = {}  # Run id → part
    documents: dict[str, str] = {}  # handle → document id
    reads: tuple[ReadTally, ...] = ()
    flagged: frozenset[tuple[str, int]] = frozenset()
    facts: tuple[Fact, ...] = ()
    candidates: dict[str, Judged] = {}
    accepted: str | None = None  # the latest accepted candidate
    correcting: bool = False  # the latest judgement was a rejection in finalize_only
    delivered: tuple[tuple[str, str], ...] = ()  # (publication, who assembled it)
    finished: bool = False
    no_answer: bool = False
    cancelled: bool = False
    input_refused: str | None = None  # the policy that the latest view of this phase did not fit
    paused: bool = False
    idle_ms: int = 0
    epoch: int = 0
    holder: str = ""
    last_at: int = 0
    settled: e.RunSettled | None = None

    def left(self, policy: str) -> Number | None:
        """What a limit leaves, None when it is off."""
        limit = self.limits[policy]
        return None if limit is None else limit - self.used.get(policy, 0)

    def limit(self, policy: str) -> Number:
        """The value of a limit that is never off."""
        return self.limits[policy] or 0

    def active_ms(self, at: int) -> int:
        """How long the Run had been worked on at a time."""
        return max(0, at - self.admitted_at - self.idle_ms)

    def left_to_spend(self, policy: str, *, finalizing: bool) -> Number | None:
        """What a request may spend: research leaves the share that is kept for finalization."""
        left = self.left(policy)
        return None if left is None else left - (0 if finalizing else self.limits[KEPT[policy]] or 0)

    def failures(self) -> list[Request]:
        """Failed requests since the latest reply. An entry reply that cannot be used is no failure."""
        requests = self.own()
        last = max((n for n, request in enumerate(requests) if request.status == "settled"), default=-1)
        return [
            request
            for request in requests[last + 1 :]
            if request.status == "failed" and not (request.purpose == "entry" and request.category in UNUSABLE)
        ]

    def own(self) -> list[Request]:
        """The requests of the work itself, reviews left out."""
        return [request for request in self.requests.values() if request.purpose not in REVIEWS]

    def asked(self, event: e.ModelCallReserved) -> str:
        """The model that a request goes to; one of an old ledger names none, and there was only one."""
        return event.model or self.models[0]

    def further(self, failed: Request) -> str | None:
        """The model that a failed request may go to instead, None when there is none."""
        place = self.models.index(failed.model) + 1 if failed.model in self.models else len(self.models)
        return self.models[place] if failed.category != LOCAL and place < len(self.models) else None

    def reserved(self) -> tuple[list[str], list[str]]:
        """Requests and calls that were debited and have no receipt."""
        return (
            [name for name, request in self.requests.items() if request.status == "reserved"],
            [name for name, call in self.calls.items() if call.status == "reserved"],
        )

    def silences(self) -> int:
        """How many replies in a row made no call, up to now; failed requests are no replies."""
        replies = [made for made in self.own() if made.status == "settled" and made.purpose != "entry"]
        return next((n for n, reply in enumerate(reversed(replies)) if not reply.silent), len(replies))

    def evidence(self, evidence_id: str) -> ReadTally | None:
        """The reading that issued an evidence id."""
        digits = evidence_id[1:]
        number = int(digits) if digits.isascii() and digits.isdigit() else 0
        return next((read for read in self.reads if read.first <= number < read.first + read.count), None)

    def shown(self, read: ReadTally) -> bool:
        """Whether a request sent after a reading had its passages in view."""
        after = False
        for name, request in self.requests.items():
            if after and read.call_id not in request.dropped:
                return True
            after = after or name == self.calls[read.call_id].request
        return False
