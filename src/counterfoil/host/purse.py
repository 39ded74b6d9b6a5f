"""Owns what one model request may spend of bytes, tokens and money, looked at together before it is sent.

Never: debiting (the journal's events do) or raising a limit.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.exchange import Purpose, View
from counterfoil.core.law import budget as ids
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.policy import Number
from counterfoil.core.view.fit import Fitted, fit_view
from counterfoil.ports.model import Model

REPLY_TOKENS_LEAST = 512  # a reply that is capped shorter than this is not worth paying for


class Paid(msgspec.Struct, frozen=True):
    """A view that fits, and the most that its request may spend (policy id → units)."""

    fitted: Fitted
    worst: dict[str, Number]
    output_tokens_max: int


class Purse:
    """What is left for one request of ``purpose``; research leaves what is kept for finalization."""

    def __init__(self, budget: Budget, model: Model, purpose: Purpose) -> None:
        self._model, self._purpose = model, purpose
        finalizing = purpose == "finalize"
        self._input = budget.left_to_spend(ids.INPUT_TOKENS, finalizing=finalizing)
        self._usd = budget.left_to_spend(ids.COST_USD, finalizing=finalizing)
        self._bytes = int(budget.require(ids.INPUT_BYTES))
        output = budget.left_to_spend(ids.OUTPUT_TOKENS, finalizing=finalizing)
        most = int(budget.require(ids.REQUEST_OUTPUT_TOKENS))
        self._output = most if output is None else min(most, int(output))

    def pay(self, view: View, size_bytes: int | None = None) -> Paid | str:
        """``view`` fitted into what is left; else the policy that even its shortest form exceeds.

        ``size_bytes``: its size, where that is known already.
        """
        fitted = fit_view(view, self._bytes, size_bytes)
        if fitted is None:
            return ids.INPUT_BYTES
        usage = self._model.worst(self._purpose, fitted.size_bytes, self._output)
        if self._input is not None and usage.input > self._input:
            fitted = fit_view(view, int(fitted.size_bytes * self._input // usage.input))
            if fitted is None:
                return ids.INPUT_TOKENS
            usage = self._model.worst(self._purpose, fitted.size_bytes, self._output)
            if usage.input > self._input:
                return ids.INPUT_TOKENS
        output = self._output
        if usage.output > output:
            return ids.OUTPUT_TOKENS
        worst: dict[str, Number] = {ids.INPUT_TOKENS: usage.input, ids.OUTPUT_TOKENS: usage.output}
        if self._usd is not None:
            affordable = self._affordable(fitted.size_bytes, self._usd)
            if affordable is None:
                return ids.COST_USD
            output, worst = affordable
        return Paid(fitted, {policy: units for policy, units in worst.items() if units}, output)

    def _affordable(self, size_bytes: int, left: Number) -> tuple[int, dict[str, Number]] | None:
        """The longest reply, by halves, that ``left`` USD can pay, and what it may spend; None when none is."""
        output = self._output
        while True:
            usage = self._model.worst(self._purpose, size_bytes, output)
            usd = self._model.usd(usage)
            if usd is not None and usd <= left:
                return output, {ids.INPUT_TOKENS: usage.input, ids.OUTPUT_TOKENS: usage.output, ids.COST_USD: usd}
            if usd is None or output <= REPLY_TOKENS_LEAST:
                return None
            output = max(REPLY_TOKENS_LEAST, output // 2)
