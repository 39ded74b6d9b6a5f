"""Owns what one model request may spend of bytes, tokens and money, looked at together before it is sent.

Never: debiting (the journal's events do) or raising a limit.
"""

from __future__ import annotations

from bisect import bisect_right

import msgspec

from counterfoil.core.exchange import Purpose, TokenUsage, View
from counterfoil.core.law import budget as ids
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.demands import REPLY_TOKENS_LEAST, input_room
from counterfoil.core.law.policy import Number
from counterfoil.core.view.fit import Fitted, fit_view
from counterfoil.core.view.transcript import Transcript
from counterfoil.ports.model import Model, window_of


class Paid(msgspec.Struct, frozen=True):
    """A view that fits, and the most that its request may spend (policy id → units)."""

    fitted: Fitted
    worst: dict[str, Number]
    output_tokens_max: int


class Unpaid(msgspec.Struct, frozen=True):
    """The policy that even the shortest form of a view exceeds; ``window_tokens`` where the model itself holds less."""

    policy: str
    window_tokens: int | None = None


class Purse:
    """What is left for one request of ``purpose`` to ``model``; research leaves what is kept for finalization.

    ``tools_bytes``: what the request says of tools beside the view.
    """

    def __init__(self, budget: Budget, model: Model, purpose: Purpose, tools_bytes: int = 0) -> None:
        self._model, self._purpose = model, purpose
        self._window = window_of(model)
        finalizing = purpose in ("finalize", "reviewer")  # nothing comes after a review
        self._input = budget.left_to_spend(ids.INPUT_TOKENS, finalizing=finalizing)
        self._usd = budget.left_to_spend(ids.COST_USD, finalizing=finalizing)
        self._bytes = int(budget.require(ids.INPUT_BYTES)) - tools_bytes
        output = budget.left_to_spend(ids.OUTPUT_TOKENS, finalizing=finalizing)
        most = int(budget.require(ids.REQUEST_OUTPUT_TOKENS))
        self._output = most if output is None else min(most, int(output))

    def pay(self, view: View, past: Transcript | None = None, size_bytes: int | None = None) -> Paid | Unpaid:
        """``view`` fitted into what is left; else what even its shortest form exceeds.

        ``past``: the turns that it begins with. ``size_bytes``: its size, where that is known already.
        """
        fitted = fit_view(view, self._bytes, past, size_bytes)
        if fitted is None:
            return Unpaid(ids.INPUT_BYTES)
        room = None if self._window is None else input_room(self._window, self._output)
        for tokens, unpaid in ((room, Unpaid(ids.INPUT_BYTES, self._window)), (self._input, Unpaid(ids.INPUT_TOKENS))):
            if tokens is not None and self._usage(fitted.size_bytes).input > tokens:
                fitted = fit_view(view, self._bytes_within(tokens, fitted.size_bytes), past)
                if fitted is None:
                    return unpaid
        usage, output = self._usage(fitted.size_bytes), self._output
        if usage.output > output:
            return Unpaid(ids.OUTPUT_TOKENS)
        if self._window is not None and usage.input + output > self._window:
            output = int(self._window - usage.input)
            usage = self._model.worst(self._purpose, fitted.size_bytes, output)
        worst: dict[str, Number] = {ids.INPUT_TOKENS: usage.input, ids.OUTPUT_TOKENS: usage.output}
        if self._usd is not None:
            affordable = self._affordable(fitted.size_bytes, output, self._usd)
            if affordable is None:
                return Unpaid(ids.COST_USD)
            output, worst = affordable
        return Paid(fitted, {policy: units for policy, units in worst.items() if units}, output)

    def _usage(self, size_bytes: int) -> TokenUsage:
        return self._model.worst(self._purpose, size_bytes, self._output)

    def _bytes_within(self, tokens: Number, size_bytes: int) -> int:
        """The size of view that takes no more than ``tokens`` of input, found by halves; below ``size_bytes``."""
        sizes = range(size_bytes)
        return max(0, bisect_right(sizes, tokens, key=lambda size: self._usage(size).input) - 1)

    def _affordable(self, size_bytes: int, output: int, left: Number) -> tuple[int, dict[str, Number]] | None:
        """The longest reply, by halves, that ``left`` USD can pay, and what it may spend; None when none is."""
        while True:
            usage = self._model.worst(self._purpose, size_bytes, output)
            usd = self._model.usd(usage)
            if usd is not None and usd <= left:
                return output, {ids.INPUT_TOKENS: usage.input, ids.OUTPUT_TOKENS: usage.output, ids.COST_USD: usd}
            if usd is None or output <= REPLY_TOKENS_LEAST:
                return None
            output = max(REPLY_TOKENS_LEAST, output // 2)
