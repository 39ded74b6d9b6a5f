"""Owns which tools a model sees in a turn, and why each other one is hidden.

Never: granting anything; invocation checks again with ``refusal_for``.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from counterfoil.core.exchange import ToolSpec
from counterfoil.core.law.budget import ACTIVE_SECONDS, FINALIZATION_SECONDS, TOOL_CALLS, WINDOW_SECONDS, Budget
from counterfoil.core.law.phases import Phase


class Removal(msgspec.Struct, frozen=True):
    """Why a tool is not offered: a code, a sentence, and the policy behind it if one is."""

    code: str
    why: str
    policy: str | None = None


class Projection(msgspec.Struct, frozen=True):
    """The tools of a turn."""

    offered: tuple[ToolSpec, ...]
    removed: tuple[tuple[str, Removal], ...]


def project(
    tools: Iterable[ToolSpec], phase: Phase, budget: Budget, forbidden: tuple[str, ...], active_ms: int
) -> Projection:
    """Split ``tools`` into those that may be called now and those that may not."""
    offered, removed = [], []
    for tool in tools:
        removal = removal_of(tool, phase, budget, forbidden, active_ms)
        if removal is None:
            offered.append(tool)
        else:
            removed.append((tool.name, removal))
    return Projection(tuple(offered), tuple(removed))


def lawful(tools: Iterable[ToolSpec], forbidden: tuple[str, ...]) -> tuple[ToolSpec, ...]:
    """Those of ``tools`` that the task does not forbid for all of the Run."""
    return tuple(tool for tool in tools if not any(action in forbidden for action in tool.actions))


def removal_of(
    tool: ToolSpec, phase: Phase, budget: Budget, forbidden: tuple[str, ...], active_ms: int
) -> Removal | None:
    """Why ``tool`` may not be called now, None when it may."""
    actions = [action for action in tool.actions if action in forbidden]
    if actions:
        return Removal("ACTION_FORBIDDEN", f"the task forbids {', '.join(actions)}")
    if phase.value not in tool.phases:
        return Removal("PHASE_FORBIDS", f"not available in phase {phase.value}")
    spent = budget.spent_of((*tool.debits, *((TOOL_CALLS,) if tool.debits else ())))
    if spent:
        return Removal(spent.code, spent.sentence(), spent.policy)
    research = budget.require(ACTIVE_SECONDS) - budget.require(FINALIZATION_SECONDS)
    if tool.gathers_evidence and active_ms >= research * 1000:
        return Removal("RESEARCH_TIME_OVER", "the rest of the time is kept for finalization", FINALIZATION_SECONDS)
    if tool.gathers_evidence and active_ms >= budget.require(WINDOW_SECONDS) * 1000:
        return Removal("WEB_WINDOW_OVER", "the time for gathering evidence is over", WINDOW_SECONDS)
    return None
