"""Owns the limits of market data.

Never: requesting any.
"""

from __future__ import annotations

from counterfoil.core.law.policy import Policy

POLICIES = (
    Policy(
        id="market/requests",
        owner="market",
        unit="requests",
        default=20,
        hard_maximum=200,
        refusal_code="MARKET_REQUESTS_EXHAUSTED",
        counts="price series requested",
        stops="new series",
        settable_by="caller",
        consumer="get_price_series, which this version does not have",
    ),
)
