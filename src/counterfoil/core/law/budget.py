"""Owns the budget of a Run: limits, what is used, and whether one more unit is lawful.

Never: durations (the clock belongs to ``decide``) or raising a limit.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from counterfoil.core.law.policy import Number, PolicyValue

# The ids that the pure core itself reasons about; each is declared beside its owner.
MODEL_REQUESTS = "run/model-requests"
FINAL_RESERVE = "run/finalization-request-reserve"
PUBLICATION_ATTEMPTS = "run/publication-attempts"
CORRECTIONS = "run/corrections"
ACTIVE_SECONDS = "run/active-seconds"
FINALIZATION_SECONDS = "run/finalization-seconds"
EXPIRES_SECONDS = "run/expires-seconds"
TOOL_CALLS = "run/tool-calls"
INPUT_TOKENS = "run/input-tokens"
OUTPUT_TOKENS = "run/output-tokens"
REQUEST_OUTPUT_TOKENS = "run/request-output-tokens"
MODEL_ATTEMPTS = "model/attempts"
ATTEMPT_SECONDS = "model/attempt-seconds"
CALLS_PER_REPLY = "run/calls-per-reply"
WAIT_SECONDS = "model/wait-seconds-max"
LEASE_SECONDS = "run/lease-seconds"
SEARCHES = "web/searches"
RESULTS_PER_SEARCH = "web/results-per-search"
REGISTRY_CAPACITY = "web/registry-capacity"
WINDOW_SECONDS = "web/window-seconds"
HANDLE_LIFETIME = "web/handle-lifetime-seconds"
READS = "reader/reads"
SEGMENT_CHARS = "reader/segment-chars"
PASSAGE_CHARS = "reader/passage-chars"
FILE_BYTES = "reader/file-bytes"
INPUT_BYTES = "context/input-bytes"
COST_USD = "run/cost-usd"
FINAL_INPUT_TOKENS = "run/finalization-input-tokens"
FINAL_OUTPUT_TOKENS = "run/finalization-output-tokens"
FINAL_COST_USD = "run/finalization-cost-usd"
HELPER_PARTS_MIN = "helpers/parts-min"
HELPER_PARTS_MAX = "helpers/parts-max"
HELPER_REQUESTS = "helpers/model-requests"
SELF_REVIEWS = "quality/self-reviews"
REVIEW_TOOL_CALLS = "quality/review-tool-calls"
REVIEW_STEPS_LEFT = "quality/review-steps-left"
SAME_CALL_FAILURES = "quality/same-call-failures"
NEEDS_REWRITES = "quality/needs-rewrites"
REMINDER_TURNS = "quality/reminder-turns"
REMINDER_CALLS = "quality/reminder-calls"
NOTICE_STEPS = "quality/finalization-notice-steps"
NOTICE_SECONDS = "quality/finalization-notice-seconds"
PROXY_REQUEST_BYTES = "proxy/request-bytes"
PROXY_REPLY_BYTES = "proxy/reply-bytes"
UNSEEN_INPUT_TOKENS = "proxy/unseen-input-tokens"
UPSTREAM_SECONDS = "proxy/upstream-seconds"

# What a request may spend besides being one: the policy, and what of it is kept for finalization.
SPENDS = {INPUT_TOKENS: FINAL_INPUT_TOKENS, OUTPUT_TOKENS: FINAL_OUTPUT_TOKENS, COST_USD: FINAL_COST_USD}


class Shortage(msgspec.Struct, frozen=True):
    """Why one more is not lawful: the policy, what it allows, what is used, what was asked."""

    policy: str
    code: str
    limit: Number
    used: Number
    asked: Number

    def sentence(self) -> str:
        """The shortage as a person reads it."""
        return f"{self.policy} allows {self.limit:g}, {self.used:g} used, {self.asked:g} more asked for"


class Budget(msgspec.Struct, frozen=True):
    """Limits and usage by policy id. Requests are also counted by purpose; all debit one total."""

    limits: dict[str, PolicyValue]
    used: dict[str, Number] = {}
    requests: dict[str, int] = {}

    def narrowed(self, values: Mapping[str, Number]) -> Budget:
        """The budget under lower limits (policy id → value)."""
        limits = {
            policy: msgspec.structs.replace(self.limits[policy], value=value, origin="explicit")
            for policy, value in values.items()
        }
        return msgspec.structs.replace(self, limits={**self.limits, **limits})

    def limit(self, policy: str) -> Number | None:
        """The limit, None when it is off."""
        return self.limits[policy].value

    def known(self, policy: str) -> Number | None:
        """The limit, None also where the Run was admitted before there was such a one."""
        value = self.limits.get(policy)
        return None if value is None else value.value

    def require(self, policy: str) -> Number:
        """The limit of a policy that cannot be off."""
        value = self.limits[policy].value
        if value is None:
            raise ValueError(f"{policy} has no value")
        return value

    def left(self, policy: str) -> Number | None:
        """What is left, None when the limit is off."""
        limit = self.limit(policy)
        return None if limit is None else limit - self.used.get(policy, 0)

    def debit(self, debits: Mapping[str, Number]) -> Budget:
        """The budget after ``debits`` (policy id → units)."""
        used = dict(self.used)
        for policy, units in debits.items():
            used[policy] = used.get(policy, 0) + units
        return msgspec.structs.replace(self, used=used)

    def debit_request(self, purpose: str, worst: Mapping[str, Number]) -> Budget:
        """The budget after one model request was reserved, which may spend ``worst`` (policy id → units)."""
        requests = {**self.requests, purpose: self.requests.get(purpose, 0) + 1}
        return msgspec.structs.replace(self.debit({MODEL_REQUESTS: 1, **worst}), requests=requests)

    def settle_request(self, worst: Mapping[str, Number], spent: Mapping[str, Number]) -> Budget:
        """The budget once it is known what a request spent: that takes the place of the worst case."""
        known = dict.fromkeys((*worst, *spent))
        return self.debit({policy: spent.get(policy, 0) - worst.get(policy, 0) for policy in known})

    def carved(self, units: Mapping[str, Number]) -> Budget:
        """The budget after ``units`` (policy id → units) went to a helper; below zero, they came back."""
        asked = int(units.get(MODEL_REQUESTS, 0))
        requests = {**self.requests, "helpers": self.requests.get("helpers", 0) + asked}
        return msgspec.structs.replace(self.debit(units), requests=requests)

    def left_to_spend(self, policy: str, *, finalizing: bool) -> Number | None:
        """What one more request may spend of ``policy``: research leaves the share that is kept for finalization."""
        left = self.left(policy)
        kept = self.limits.get(SPENDS[policy])  # absent in Runs admitted before there was such a share
        if left is None or finalizing or kept is None or kept.value is None:
            return left
        return left - kept.value

    def shortage(self, debits: Mapping[str, Number]) -> Shortage | None:
        """The first policy that ``debits`` would overdraw."""
        for policy, units in debits.items():
            left = self.left(policy)
            if left is not None and units > left:
                value = self.limits[policy]
                return Shortage(policy, value.refusal_code, value.value or 0, self.used.get(policy, 0), units)
        return None

    def exploration_shortage(self) -> Shortage | None:
        """Whether a request before finalization is still lawful: exploration = total − reserve."""
        limit = self.require(MODEL_REQUESTS) - self.require(FINAL_RESERVE)
        used = self.used.get(MODEL_REQUESTS, 0)
        if used >= limit:
            return Shortage(MODEL_REQUESTS, "EXPLORATION_REQUESTS_EXHAUSTED", limit, used, 1)
        return self.spending_shortage(finalizing=False)

    def spending_shortage(self, *, finalizing: bool) -> Shortage | None:
        """The first of tokens and money of which nothing is left for one more request."""
        for policy in SPENDS:
            left = self.left_to_spend(policy, finalizing=finalizing)
            if left is not None and left <= 0:
                value, used = self.limits[policy], self.used.get(policy, 0)
                return Shortage(policy, value.refusal_code, used + left, used, 1)
        return None

    def spent_of(self, policies: tuple[str, ...]) -> Shortage | None:
        """The first of ``policies`` with nothing left."""
        for policy in policies:
            left = self.left(policy)
            if left is not None and left <= 0:
                return self.shortage({policy: 1})
        return None
