"""Owns the rule that turns an ending into an outcome: delivered, finished and reviewed are separate facts.

Never: the model's own word for it; that is advice.
"""

from __future__ import annotations

from counterfoil.core.answer.conflicts import cell_states
from counterfoil.core.law import budget as ids
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.attempts import LOCAL_REFUSAL
from counterfoil.core.record.events import RunSettled
from counterfoil.core.record.outcome import Status, StopReason
from counterfoil.core.record.state import RunState

EVIDENCE_BUDGETS = (ids.SEARCHES, ids.READS, ids.TOOL_CALLS)
BUDGET_ENDINGS: frozenset[StopReason] = frozenset(
    {"finalization_requests_exhausted", "hard_deadline", "expired", "budget_spent"}
)


def settlement_of(state: RunState, reason: StopReason, policy: str | None) -> RunSettled:
    """The last event of a Run. ``delivered`` presumes that the Host's report went out if nothing was accepted."""
    error = None
    refused = reason in BUDGET_ENDINGS and (state.provider_error or {}).get("code") == LOCAL_REFUSAL
    if reason == "provider_failed" or refused:
        error = state.provider_error
    return RunSettled(
        status=_status(state, reason),
        stop_reason=reason,
        policy=policy,
        delivered=True,
        finished=state.finish_accepted,
        review=state.review.verdict if state.review else "inconclusive" if state.reviewing else "not_run",
        error=error,
    )


def has_gaps(state: RunState) -> bool:
    """Whether something asked for is not in the answer."""
    accepted = state.accepted
    if accepted and accepted.candidate.gaps:
        return True
    if any(cell.state != "found" and cell.state != "conflict" for cell in cell_states(state.contract, state.facts, ())):
        return True
    return accepted is None


def evidence_budget_spent(state: RunState) -> bool:
    """Whether a limit, rather than a choice, ended the search for evidence."""
    shortage = state.budget.spent_of(EVIDENCE_BUDGETS)
    moved = state.phase is Phase.FINALIZE_ONLY and state.phase_policy not in (None, ids.PUBLICATION_ATTEMPTS)
    return moved or shortage is not None or state.budget.exploration_shortage() is not None


def _status(state: RunState, reason: StopReason) -> Status:
    if reason == "cancelled":
        return "cancelled"
    if state.proxied is not None:  # it was to last as long as its budget
        return "budget_exhausted_partial" if reason in BUDGET_ENDINGS else "partial"
    if state.accepted is None and not state.no_answer:
        if not state.evidence_count:
            return "failed"
        return "budget_exhausted_partial" if reason in BUDGET_ENDINGS else "partial"
    gaps = has_gaps(state)
    if gaps and evidence_budget_spent(state):
        return "budget_exhausted_partial"
    if not state.finish_accepted:
        return "budget_exhausted_partial" if reason in BUDGET_ENDINGS else "partial"
    return "completed_with_gaps" if gaps else "completed"
