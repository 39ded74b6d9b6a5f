"""Owns the limits of one request to a provider that the Host cannot see from outside.

Never: attempts or waits between them; those are the Run's.
"""

from __future__ import annotations

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Derivation, Policy

STALL_SECONDS = "model/stall-seconds"

POLICIES = (
    Policy(
        id=STALL_SECONDS,
        owner="model",
        unit="seconds",
        default=60,
        hard_maximum=3600,
        scope="request",
        refusal_code="MODEL_STALLED",
        counts="time in which a provider sends no byte of a reply, and time to connect to it",
        stops="that attempt",
        consumer="a request to a language model",
        derived=Derivation("at_most", (ids.ATTEMPT_SECONDS,)),
    ),
)
