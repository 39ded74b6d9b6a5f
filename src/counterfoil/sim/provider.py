"""Owns the simulated model behind the model port: its provider's faults and latency, then what an adversary replies.

Never: state of its own between requests beyond what the world counts.
"""

from __future__ import annotations

from counterfoil.core.errors import Category, ModelError
from counterfoil.core.exchange import Completion, ModelLimits, Purpose, TokenUsage, ToolSpec, View
from counterfoil.core.law.policy import Number
from counterfoil.core.view.size import view_bytes
from counterfoil.sim.adversaries import REPLIES, looks_again, reviews
from counterfoil.sim.dice import dice
from counterfoil.sim.look import Look
from counterfoil.sim.plan import FaultKind
from counterfoil.sim.process import MODEL, Process

_ERRORS: dict[FaultKind, tuple[str, Category, int | None]] = {
    "rate_limited": ("RATE_LIMITED", "upstream_rate_limited", None),
    "rate_limited_until": ("RATE_LIMITED", "upstream_rate_limited", 1_500),
    "rate_limited_for_ages": ("RATE_LIMITED", "upstream_rate_limited", 7_200_000),
    "unavailable": ("UPSTREAM_UNAVAILABLE", "upstream_unavailable", None),
    "cut": ("STREAM_INTERRUPTED", "stream_interrupted", None),
    "truncated": ("OUTPUT_TRUNCATED", "output_truncated", None),
    "auth_refused": ("KEY_REFUSED", "auth_refused", None),
    "content_refused": ("CONTENT_REFUSED", "content_refused", None),
    "locally_refused": ("PROVIDER_CALL_BUDGET_EXCEEDED", "local_budget_exhausted", None),
}


_BYTES_PER_TOKEN = 10
_USD_PER_INPUT, _USD_PER_OUTPUT = 2e-6, 1e-5


class SimModel:
    """A model in one process of a simulated Run, or of its helper; ``place`` in its chain."""

    label = "simulated, no language model"

    def __init__(self, process: Process, seed: int, place: int = 0, helper: str = "") -> None:
        self._process = process
        self._helper = helper
        self._seed = seed
        plan = process.life.plan
        self._faults = {fault.attempt: fault.kind for fault in plan.faults}
        self.spec = f"sim:{plan.adversary}" + (f":{place}" if place else "")
        self.purposes = frozenset({"research", "finalize", "self_review", *(("entry",) if plan.entry else ())})

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        """What an honest request of that size may spend; liars claim more afterwards."""
        return TokenUsage(size_bytes // _BYTES_PER_TOKEN, output_tokens_max)

    def usd(self, usage: TokenUsage) -> float | None:
        """Its price, in a world that knows one."""
        if not self._process.life.plan.priced:
            return None
        return usage.input * _USD_PER_INPUT + usage.output * _USD_PER_OUTPUT

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """What the adversary says, unless its provider fails first."""
        life, process = self._process.life, self._process
        seat = process.seat(self._helper)
        offered = tuple(tool.name for tool in tools)
        worst = self._worst(view, limits)
        attempt = seat.cause(
            seat.effect("model", model=self.spec, offered=offered, view=view, limits=limits, worst=worst)
        )
        await process.moment(MODEL)
        roll = dice(self._seed, "reply", life.plan.number, attempt, *filter(None, (self._helper,)))
        kind = self._faults.get(attempt)
        if kind is not None:
            life.visited[f"fault: {kind}"] += 1
        latency = limits.attempt_ms_max * 2 if kind == "slow" else roll.randint(1, life.plan.latency_ms)
        await process.passes(latency)
        if kind == "defect":
            raise ValueError("the adapter of this provider has a defect \udc80")
        if kind is not None and kind != "slow":
            code, category, wait_ms = _ERRORS[kind]
            raise ModelError(f"the provider says {code}", code=code, category=category, retry_after_ms=wait_ms)
        return self.reply(Look(view, tools, roll, life.plan.splits))

    def reply(self, look: Look) -> Completion:
        """What the adversary says."""
        adversary = self._process.life.plan.adversary
        return looks_again(look, adversary) if look.view.purpose == "self_review" else REPLIES[adversary](look)

    def _worst(self, view: View, limits: ModelLimits) -> dict[str, Number]:
        """What the request that arrived may spend, by policy."""
        usage = self.worst(view.purpose, view_bytes(view), limits.output_tokens_max)
        usd = self.usd(usage)
        return {"run/input-tokens": usage.input, "run/output-tokens": usage.output} | (
            {} if usd is None else {"run/cost-usd": usd}
        )


class SimReviewer(SimModel):
    """A reviewer in one process of a simulated Run, beside the chain."""

    def __init__(self, process: Process, seed: int) -> None:
        super().__init__(process, seed)
        self.spec = "sim:reviewer"
        self.purposes = frozenset({"reviewer"})

    def reply(self, look: Look) -> Completion:
        """What it thinks, or something that is no opinion at all."""
        return reviews(look)
