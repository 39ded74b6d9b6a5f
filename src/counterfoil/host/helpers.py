"""Owns the limits of helpers: how many parts work may be split into, and what one part may use.

Never: more than the parent has; the path proof compares.
"""

from __future__ import annotations

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Derivation, Policy

CONSUMER = "run_in_parallel"

POLICIES = (
    Policy(
        id=ids.HELPER_PARTS_MIN,
        owner="helpers",
        unit="parts",
        default=2,
        minimum=2,
        hard_maximum=4,
        scope="call",
        refusal_code="PARTS_TOO_FEW",
        counts="the least parts that work is split into",
        stops="a split into fewer",
        consumer=CONSUMER,
    ),
    Policy(
        id=ids.HELPER_PARTS_MAX,
        owner="helpers",
        unit="parts",
        default=4,
        minimum=2,
        hard_maximum=4,
        scope="call",
        refusal_code="PARTS_TOO_MANY",
        counts="the most parts that work is split into",
        stops="a split into more",
        consumer=CONSUMER,
    ),
    Policy(
        id=ids.HELPER_REQUESTS,
        owner="helpers",
        unit="requests",
        default=None,
        hard_maximum=1000,
        refusal_code="HELPER_REQUESTS_EXHAUSTED",
        counts="model requests that one part may carve out of its parent's",
        stops="that part",
        derived=Derivation("percent", (ids.MODEL_REQUESTS,), percent=20),
        consumer=CONSUMER,
    ),
)
