"""Owns the arithmetic of shared budgets: what a part gets of what is left, and what it gives back.

Never: more than is left for research. What is kept for finalization is no part of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from counterfoil.core.law import budget as ids
from counterfoil.core.law.budget import SPENDS, Budget
from counterfoil.core.law.policy import Number

MICRO = 1_000_000  # money is carved in whole millionths of a dollar, everything else in whole units


def carve(budget: Budget, consumed: Sequence[str], shares: Sequence[Fraction]) -> tuple[dict[str, Number], ...]:
    """What each part may use at most (policy id → units): its share of what is left for research, rounded down.

    ``consumed``: the policies that calls of tools debit. Requests are also held to helpers/model-requests. A limit that
    is off is not carved. The sum over all parts is never more than what is left.
    """
    rooms = {ids.MODEL_REQUESTS: budget.require(ids.MODEL_REQUESTS) - budget.require(ids.FINAL_RESERVE)}
    rooms[ids.MODEL_REQUESTS] -= budget.used.get(ids.MODEL_REQUESTS, 0)
    for policy in dict.fromkeys((ids.TOOL_CALLS, *consumed)):
        if (left := budget.left(policy)) is not None:
            rooms[policy] = left
    for policy in SPENDS:
        if (left := budget.left_to_spend(policy, finalizing=False)) is not None:
            rooms[policy] = left
    return tuple(
        {policy: _part(budget, policy, share * Fraction(max(0, room))) for policy, room in rooms.items()}
        for share in shares
    )


def _part(budget: Budget, policy: str, units: Fraction) -> Number:
    if policy == ids.COST_USD:
        return math.floor(units * MICRO) / MICRO
    most = budget.known(ids.HELPER_REQUESTS) if policy == ids.MODEL_REQUESTS else None
    return math.floor(units if most is None else min(units, Fraction(most)))


def unused(carved: Mapping[str, Number], used: Mapping[str, Number]) -> dict[str, Number]:
    """What is left of a carve after ``used`` (policy id → units); below zero where more was used."""
    return {policy: units - used.get(policy, 0) for policy, units in carved.items()}
