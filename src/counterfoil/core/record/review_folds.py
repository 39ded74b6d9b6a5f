"""Owns the folds of reviews: which Publication was looked at, which was withdrawn, what the reviewer made of it.

Never: a change to budget, evidence, acceptance or an ending.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from counterfoil.core.record import reviews as r
from counterfoil.core.record.state import RunState


def _self_review_asked(state: RunState, event: r.SelfReviewAsked, _at: int) -> RunState:
    return replace(state, self_reviewed=event.publication)


def _withdrawn(state: RunState, event: r.PublicationWithdrawn, _at: int) -> RunState:
    publications = tuple(
        replace(p, status="withdrawn") if p.candidate.id == event.publication else p for p in state.publications
    )
    return replace(state, publications=publications)


def _reviewer_asked(state: RunState, event: r.ReviewerAsked, _at: int) -> RunState:
    return replace(state, reviewing=event)


def _review_settled(state: RunState, event: r.ReviewSettled, _at: int) -> RunState:
    return replace(state, review=event)


def unasked(state: RunState, policy: str) -> RunState:
    """The state once a review's request turned out too large for ``policy``: nothing else fails with it."""
    return replace(state, reviewing=replace(state.reviewing, refused=policy)) if state.reviewing else state


# Any: each fold takes its own event type; mypy cannot tie a dict's keys to its values.
REVIEW_FOLDS: dict[type, Callable[[RunState, Any, int], RunState]] = {
    r.SelfReviewAsked: _self_review_asked,
    r.PublicationWithdrawn: _withdrawn,
    r.ReviewerAsked: _reviewer_asked,
    r.ReviewSettled: _review_settled,
}
