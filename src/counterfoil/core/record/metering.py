"""Owns what a metered Run decides: whether a client's request may be forwarded, at which worst case, and for how long.

The counterpart of ``decide`` for a Run whose requests another program chooses. Pure, as that is.
Never: raising a limit, or a request whose worst case does not fit what is left.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law import budget as ids
from counterfoil.core.law.budget import Shortage
from counterfoil.core.law.policy import Number
from counterfoil.core.record.decide import active_ms, expired
from counterfoil.core.record.outcome import StopReason
from counterfoil.core.record.state import RunState

Price = Callable[[TokenUsage], float | None]  # USD; None where nobody knows

# What a budget of forwarded requests may name; nothing else is spent by one.
BUDGETS = (ids.MODEL_REQUESTS, ids.INPUT_TOKENS, ids.OUTPUT_TOKENS, ids.COST_USD, ids.ACTIVE_SECONDS)


class Asked(msgspec.Struct, frozen=True):
    """What a client's request may spend, as far as it can be told from the request.

    ``output_tokens``: of one reply at most; None where the client named no maximum. ``replies``: asked for at once.
    """

    endpoint: str
    model: str
    size_bytes: int
    input_tokens: int
    output_tokens: int | None
    replies: int = 1


class Forward(msgspec.Struct, frozen=True):
    """The request may go, and spend ``worst`` (policy id → units) at most.

    ``output_tokens_max``: what each reply must be held to, None where no limit depends on it or the client named one.
    """

    worst: dict[str, Number]
    output_tokens_max: int | None


class Refuse(msgspec.Struct, frozen=True):
    """The request may not go: ``policy`` allows ``limit``, ``spent`` is debited. ``asked`` None: it is no amount."""

    policy: str
    limit: Number
    spent: Number
    asked: Number | None
    hint: str

    def sentence(self) -> str:
        """The refusal as a person reads it."""
        more = "" if self.asked is None else f", {self.asked:g} more asked for"
        return f"the budget of this Run is spent: {self.policy} allows {self.limit:g}, {self.spent:g} used{more}"


def judge(state: RunState, asked: Asked, usd: Price, now: int) -> Forward | Refuse:
    """Whether ``asked`` may be forwarded ``now`` (milliseconds): requests, time, tokens and money are seen together."""
    if (over := _time_over(state, now)) is not None:
        return over
    most, capped = _output(state, asked)
    if (short := state.budget.shortage({ids.MODEL_REQUESTS: 1, **_tokens(asked, most)})) is not None:
        return _refuse(state, short)
    worst = _tokens(asked, most)
    if (left := state.budget.left(ids.COST_USD)) is not None:
        cost = usd(TokenUsage(asked.input_tokens, most * asked.replies))
        while asked.output_tokens is None and most > 1 and cost is not None and cost > left:
            most //= 2  # the longest reply, by halves, that what is left can pay
            cost = usd(TokenUsage(asked.input_tokens, most * asked.replies))
        if cost is None:
            return _unpriced(state, asked)
        worst = {**_tokens(asked, most), ids.COST_USD: cost}
        if (short := state.budget.shortage(worst)) is not None:
            return _refuse(state, short)
    return Forward(worst, most if capped and asked.output_tokens is None else None)


def _tokens(asked: Asked, most: int) -> dict[str, Number]:
    """The tokens of a request whose replies have ``most`` each; what is not spent is not asked for."""
    tokens: dict[str, Number] = {ids.INPUT_TOKENS: asked.input_tokens, ids.OUTPUT_TOKENS: most * asked.replies}
    return {policy: units for policy, units in tokens.items() if units}


def forwarded_ms(state: RunState, most_ms: Number, now: int) -> int:
    """How long a request that begins ``now`` may take: ``most_ms``, and no longer than the Run has time."""
    left = [most_ms, _limit_ms(state, ids.EXPIRES_SECONDS) - (now - state.admitted_at)]
    if state.budget.limit(ids.ACTIVE_SECONDS) is not None:
        left.append(_limit_ms(state, ids.ACTIVE_SECONDS) - metered_ms(state, now))
    return int(max(1, min(left)))


def spent(state: RunState, now: int) -> tuple[StopReason, str] | None:
    """Why no request can be forwarded any more, whatever it asks for; the reason and the policy."""
    if expired(state, now):
        return "expired", ids.EXPIRES_SECONDS
    if (over := _time_over(state, now)) is not None:
        return "hard_deadline", over.policy
    short = state.budget.spent_of(BUDGETS[:-1])
    return None if short is None else ("budget_spent", short.policy)


def metered_ms(state: RunState, now: int) -> int:
    """Milliseconds in which at least one request was under way."""
    proxied = state.proxied
    waiting = now - proxied.idle_since if proxied and not proxied.under_way else 0
    return max(0, active_ms(state, now) - waiting)


def _limit_ms(state: RunState, policy: str) -> Number:
    return state.budget.require(policy) * 1000


def _time_over(state: RunState, now: int) -> Refuse | None:
    if expired(state, now):
        limit = state.budget.require(ids.EXPIRES_SECONDS)
        hint = "begin another Run: counterfoil proxy without --resume"
        return Refuse(ids.EXPIRES_SECONDS, limit, (now - state.admitted_at) / 1000, None, hint)
    active = metered_ms(state, now)
    if state.budget.limit(ids.ACTIVE_SECONDS) is not None and active >= _limit_ms(state, ids.ACTIVE_SECONDS):
        return Refuse(
            ids.ACTIVE_SECONDS, state.budget.require(ids.ACTIVE_SECONDS), active / 1000, None, _hint(state, False)
        )
    return None


def _output(state: RunState, asked: Asked) -> tuple[int, bool]:
    """The most that one reply may have, and whether a limit depends on it."""
    if asked.output_tokens is not None:
        return asked.output_tokens, True
    most, left = int(state.budget.require(ids.REQUEST_OUTPUT_TOKENS)), state.budget.left(ids.OUTPUT_TOKENS)
    if left is None:
        return most, state.budget.limit(ids.COST_USD) is not None
    return max(1, min(most, int(left) // asked.replies)), True


def _unpriced(state: RunState, asked: Asked) -> Refuse:
    limit = state.budget.require(ids.COST_USD)
    hint = f"nobody knows the price of {asked.model!r}, so no budget in USD can hold: ask for a model with a known one"
    return Refuse(ids.COST_USD, limit, state.budget.used.get(ids.COST_USD, 0), None, hint)


def _refuse(state: RunState, short: Shortage) -> Refuse:
    return Refuse(short.policy, short.limit, short.used, short.asked, _hint(state, short.limit - short.used > 0))


def _hint(state: RunState, smaller: bool) -> str:
    """What to do next: requests under way hold their worst case until they are answered."""
    under_way = len(state.proxied.under_way) if state.proxied else 0
    said = []
    if under_way:
        said.append(f"{under_way} request(s) under way hold their worst case until they are answered")
    if smaller:
        said.append("a smaller request, or a lower maximum of output tokens, may fit what is left")
    return "; ".join([*said, "this is no fault of the provider: do not retry; begin another Run for more"])
