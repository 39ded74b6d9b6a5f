"""Owns when a Run is reviewed: the author's one look at its first answer, and a reviewer's at the accepted one.

Never: an ending. A review that fails, is lost or cannot be paid leaves everything as it would have been without.
"""

from __future__ import annotations

from counterfoil.core.exchange import REVIEWS
from counterfoil.core.law import budget as ids
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.attempts import LOCAL_REFUSAL
from counterfoil.core.record.state import FINISH_TOOL, PUBLISH_TOOL, Publication, RunState, Turn

CARRIED_OUT = frozenset({"settled", "failed", "unknown", "judging"})  # a refused call was not made
DELIVERABLE_ACTION = "export"  # what a tool declares that hands a file over
DELIVERABLE_CALLS = 2  # from so many calls on a Run that made a deliverable is reviewed


def self_review_due(state: RunState) -> bool:
    """Whether the author looks at its pending answer first, by what the Run did and by the requests that are left.

    Publishing and finishing are no work of their own. Chat makes no call and an operation on one file makes one, so
    neither gets here.
    """
    first = state.phase is Phase.RESEARCH and len(state.publications) == 1 and state.self_reviewed is None
    if not first or not state.snapshot.reviews.self_review or not state.budget.known(ids.SELF_REVIEWS):
        return False
    left = (state.budget.left(ids.MODEL_REQUESTS) or 0) - state.budget.require(ids.FINAL_RESERVE)
    if left < state.budget.require(ids.REVIEW_STEPS_LEFT) or state.budget.exploration_shortage() is not None:
        return False
    own = (PUBLISH_TOOL, FINISH_TOOL)
    made = [c.call.tool for c in state.calls.values() if c.status in CARRIED_OUT and c.call.tool not in own]
    hands_over = {tool.name for tool in state.snapshot.tools if DELIVERABLE_ACTION in tool.actions}
    delivered = any(c.call.tool in hands_over and c.status == "settled" for c in state.calls.values())
    return len(made) >= state.budget.require(ids.REVIEW_TOOL_CALLS) or (delivered and len(made) >= DELIVERABLE_CALLS)


def self_review_of(state: RunState, pending: Publication) -> Turn | None:
    """The answered request in which the author looked at ``pending``; None when it did not, or got no answer."""
    if state.self_reviewed != pending.candidate.id:
        return None
    looked = next((turn for turn in reversed(state.turns) if turn.purpose == "self_review"), None)
    return looked if looked and looked.status == "settled" else None


def went_on(state: RunState, looked: Turn) -> bool:
    """Whether the author did something when it had looked: a call was carried out, or another answer handed in."""
    return any(state.calls[call].status in CARRIED_OUT for call in looked.calls)


def open_work(state: RunState, looked: Turn) -> tuple[str, ...]:
    """Calls of that reply which come next; none from a finish on, for it stands by the answer as it is."""
    still_open = [call for call in looked.calls if call in state.open_calls]
    finish = next((n for n, call in enumerate(still_open) if state.calls[call].call.tool == FINISH_TOOL), None)
    return tuple(still_open[:finish])


def reviewer_due(state: RunState) -> bool:
    """Whether a reviewer is configured, and there is an accepted answer that it has not been asked about."""
    return state.snapshot.reviews.reviewer is not None and state.accepted is not None and state.reviewing is None


def reviewer_unpaid(state: RunState) -> str | None:
    """The policy that leaves no request for a reviewer; the reserve is its to use once nothing else needs it."""
    error = state.provider_error or {}
    if error.get("code") == LOCAL_REFUSAL:  # nothing follows a budget's refusal
        return str(error.get("policy") or ids.MODEL_REQUESTS)
    if (state.budget.left(ids.MODEL_REQUESTS) or 0) <= 0:
        return ids.MODEL_REQUESTS
    short = state.budget.spending_shortage(finalizing=True)
    return short.policy if short else None


def reviewer_turn(state: RunState) -> Turn | None:
    """The request that went to the reviewer, None when none did."""
    return next((turn for turn in reversed(state.turns) if turn.purpose == "reviewer"), None)


def spoken(turn: Turn) -> bool:
    """Whether later views show this turn: a reply of the work itself, or a self-review that went on working."""
    if turn.status != "settled" or turn.purpose in ("entry", "reviewer"):
        return False
    return turn.purpose not in REVIEWS or bool(turn.calls)
