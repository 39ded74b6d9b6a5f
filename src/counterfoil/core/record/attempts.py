"""Owns whose turn it is: which model of the chain the next request goes to, as a function of the state.

The chain is walked forward only: a model that was given up is not asked again in its Run.
Never: limits or waits of its own; policies and ``remedies`` hold them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from counterfoil.core.exchange import Purpose
from counterfoil.core.law import budget as ids
from counterfoil.core.law.remedies import remedy_of
from counterfoil.core.record.snapshot import Admitted
from counterfoil.core.record.state import RunState, Turn

LOCAL_REFUSAL = "local_budget_exhausted"


def chain_of(snapshot: Admitted) -> tuple[str, ...]:
    """The models of a Run in the order in which they are asked."""
    return (snapshot.model, *(fallback.spec for fallback in snapshot.fallbacks))


def standing(state: RunState) -> int:
    """The place in the chain of the model that was asked last, 0 before any was."""
    model = state.turns[-1].model if state.turns else ""
    return chain_of(state.snapshot).index(model) if model else 0


def failed_attempts(state: RunState, purpose: Purpose) -> int:
    """How often the request under way has failed at the model that was asked last.

    An attempt of unknown outcome does not begin the count again.
    """
    model = state.turns[-1].model if state.turns else ""
    failed = (turn for turn in _since_reply(state) if turn.status == "failed")
    return sum(turn.purpose == purpose and turn.model == model for turn in failed)


def next_attempt(state: RunState, purpose: Purpose, now: int) -> tuple[int, int] | None:
    """After a failure: the place in the chain of the model to ask, and when (milliseconds); None: nobody is left.

    That is the same model once more, when it may be asked again, or the next one at once. A model whose attempt was
    lost, so that nobody knows how it ended, is asked again.
    """
    place, failed = standing(state), next(turn for turn in _since_reply(state) if turn.status == "failed")
    if failed.model != state.turns[-1].model:
        return place, now
    if state.retry_at is not None and failed_attempts(state, purpose) < state.budget.require(ids.MODEL_ATTEMPTS):
        return place, max(now, state.retry_at)
    more = place + 1 < len(chain_of(state.snapshot)) and remedy_of(failed.category).kind != "none"
    return (place + 1, now) if more else None


def cut_short(state: RunState) -> bool:
    """Whether a reply to the request under way was cut off at its longest, so that the model is told to be shorter."""
    return any(turn.category == "output_truncated" for turn in _since_reply(state))


def _since_reply(state: RunState) -> Iterator[Turn]:
    return takewhile(lambda turn: turn.status != "settled", reversed(state.turns))
