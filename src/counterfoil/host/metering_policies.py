"""Owns the limits of forwarding: how large and how long a request of another program may be.

Never: what it may spend; those limits are the Run's own.
"""

from __future__ import annotations

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Policy

CONSUMER = "counterfoil proxy"

POLICIES = (
    Policy(
        id=ids.PROXY_REQUEST_BYTES,
        owner="proxy",
        unit="bytes",
        default=20_000_000,
        hard_maximum=200_000_000,
        scope="request",
        refusal_code="REQUEST_TOO_LARGE",
        counts="bytes of one request's body",
        stops="that request",
        consumer=CONSUMER,
    ),
    Policy(
        id=ids.PROXY_REPLY_BYTES,
        owner="proxy",
        unit="bytes",
        default=64_000_000,
        hard_maximum=500_000_000,
        scope="request",
        refusal_code="USAGE_UNKNOWN",
        counts="bytes of one answer, or of one event of a stream, that are held to read its usage",
        stops="that reading: the rest is passed on, and the worst case stands",
        consumer=CONSUMER,
    ),
    Policy(
        id=ids.UNSEEN_INPUT_TOKENS,
        owner="proxy",
        unit="tokens",
        default=100_000,
        minimum=0,
        hard_maximum=10_000_000,
        scope="request",
        refusal_code="INPUT_TOKENS_EXHAUSTED",
        counts="input tokens reserved for what a request names and does not hold: images, files, an earlier response",
        stops="a request for which this much is not left",
        consumer=CONSUMER,
    ),
    Policy(
        id=ids.UPSTREAM_SECONDS,
        owner="proxy",
        unit="seconds",
        default=600,
        hard_maximum=3600,
        scope="request",
        refusal_code="UPSTREAM_TIMEOUT",
        counts="time of one forwarded request, to the end of its answer",
        stops="that request",
        consumer=CONSUMER,
    ),
)
