"""Owns what a report says of the review of its answer: the verdict, its reasons, and what was counted.

Never: the status, the answer or its findings; those stand whatever a reviewer thinks.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.exchange import Json
from counterfoil.core.record.state import RunState


def review_notes(state: RunState) -> Json | None:
    """Who reviewed, what it said, what was counted, and what the two come to; None where nobody did."""
    review, reviewer = state.review, state.snapshot.reviews.reviewer
    if review is None:
        return None
    return {
        "reviewer": reviewer.spec if reviewer else None,
        "publication": review.publication,
        "said": review.said,
        "why": list(review.why),
        "measured": [{"asked": c.asked, "measured": c.measured, "met": c.met} for c in review.measured],
    }


def review_warnings(state: RunState) -> Iterator[Json]:
    """One line for a review that the answer did not pass."""
    review = state.review
    if review is not None and review.verdict != "passed":
        why = "; ".join(review.why) or "the reviewer gave no reason"
        yield {"code": f"REVIEW_{review.verdict.upper()}", "handle": None, "excerpt": why}
