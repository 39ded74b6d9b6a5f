"""Owns the limits of the quality controls: repeated failures, reminders, the self-review before a first Publication.

Never: authority; none of them decides an outcome.
"""

from __future__ import annotations

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Derivation, Policy

POLICIES = (
    Policy(
        id=ids.SAME_CALL_FAILURES,
        owner="quality",
        unit="attempts",
        default=2,
        minimum=1,
        hard_maximum=5,
        refusal_code="SAME_CALL_FAILED",
        counts="failures in a row of one call with the same arguments",
        stops="a further attempt of that very call, until another one of it has succeeded",
    ),
    Policy(
        id=ids.NEEDS_REWRITES,
        owner="quality",
        unit="calls",
        default=3,
        hard_maximum=100,
        refusal_code="NEEDS_REWRITTEN",
        counts="changes of the list of needs in a row while no evidence arrives",
        stops="nothing; the model is told so, once",
    ),
    Policy(
        id=ids.REMINDER_TURNS,
        owner="quality",
        unit="requests",
        default=15,
        hard_maximum=1000,
        refusal_code="REMINDER_DUE",
        counts="turns of work after which the model is asked to look again at what is open",
        stops="nothing",
    ),
    Policy(
        id=ids.REMINDER_CALLS,
        owner="quality",
        unit="calls",
        default=40,
        hard_maximum=1000,
        refusal_code="REMINDER_DUE",
        counts="tool calls after which the model is asked the same, however few turns they took",
        stops="nothing",
    ),
    Policy(
        id=ids.NOTICE_STEPS,
        owner="quality",
        unit="requests",
        default=3,
        minimum=0,
        hard_maximum=100,
        refusal_code="RESEARCH_ENDS_SOON",
        counts="model requests or tool calls left for research when the model is told what is open and unpublished",
        stops="nothing",
    ),
    Policy(
        id=ids.NOTICE_SECONDS,
        owner="quality",
        unit="seconds",
        default=None,
        minimum=0,
        hard_maximum=86400,
        refusal_code="RESEARCH_ENDS_SOON",
        counts="time left for research when the model is told the same",
        stops="nothing",
        derived=Derivation("percent", (ids.ACTIVE_SECONDS,), percent=10),
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
    ),
    Policy(
        id=ids.REVIEW_TOOL_CALLS,
        owner="quality",
        unit="calls",
        default=4,
        hard_maximum=100,
        refusal_code="SELF_REVIEW_NOT_DUE",
        counts="tool calls from which on a Run reviews itself",
        stops="the self-review of a smaller Run",
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
    ),
)
