"""Owns the limits of the quality controls: repeated failures, and the self-review before a first Publication.

Never: authority; none of them decides an outcome.
"""

from __future__ import annotations

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Policy

_SELF_REVIEW = "the self-review, which this version does not make"

POLICIES = (
    Policy(
        id="quality/same-call-failures",
        owner="quality",
        unit="attempts",
        default=2,
        hard_maximum=5,
        refusal_code="SAME_CALL_FAILED",
        counts="failures in a row of one call with the same arguments",
        stops="a further attempt of that very call, until another one of it has succeeded",
        consumer="the rule against blind repetition, which this version does not have",
    ),
    Policy(
        id=ids.SELF_REVIEWS,
        owner="quality",
        unit="requests",
        default=1,
        minimum=0,
        hard_maximum=1,
        refusal_code="SELF_REVIEW_DONE",
        counts="requests in which the model looks at its own work before its first Publication",
        stops="a further one",
        consumer=_SELF_REVIEW,
    ),
    Policy(
        id="quality/review-tool-calls",
        owner="quality",
        unit="calls",
        default=4,
        hard_maximum=100,
        refusal_code="SELF_REVIEW_NOT_DUE",
        counts="tool calls from which on a Run reviews itself",
        stops="the self-review of a smaller Run",
        consumer=_SELF_REVIEW,
    ),
    Policy(
        id=ids.REVIEW_STEPS_LEFT,
        owner="quality",
        unit="requests",
        default=3,
        hard_maximum=20,
        refusal_code="SELF_REVIEW_TOO_LATE",
        counts="exploration requests that must be left for a self-review",
        stops="the self-review of a Run that has fewer",
        consumer=_SELF_REVIEW,
    ),
)
