"""Owns the limits of fetching a page from the network.

Never: fetching anything.
"""

from __future__ import annotations

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Derivation, Policy

CONSUMER = "fetching from the network, which this version does not do"

POLICIES = (
    Policy(
        id="web/fetch-seconds",
        owner="web",
        unit="seconds",
        default=20,
        hard_maximum=300,
        scope="call",
        refusal_code="FETCH_TIMEOUT",
        counts="time of one fetch, redirects included",
        stops="that fetch",
        derived=Derivation("at_most", (ids.WINDOW_SECONDS,)),
        consumer=CONSUMER,
    ),
    Policy(
        id="web/fetch-bytes",
        owner="web",
        unit="bytes",
        default=20_000_000,
        hard_maximum=200_000_000,
        scope="call",
        refusal_code="FETCH_TOO_LARGE",
        counts="bytes of one page, unpacked",
        stops="that fetch",
        consumer=CONSUMER,
    ),
)
