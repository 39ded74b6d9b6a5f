"""Owns how long the content of a settled Run is kept.

Never: deleting anything by itself.
"""

from __future__ import annotations

from counterfoil.core.law.policy import Policy

RETENTION_DAYS = "trace/retention-days"
POLICIES = (
    Policy(
        id=RETENTION_DAYS,
        owner="trace",
        unit="days",
        default=365,
        hard_maximum=36_500,
        scope="store",
        refusal_code="CONTENT_PURGED",
        counts="days after which a purge of old Runs takes the content of one",
        stops="reading that content; its chain stays provable",
        consumer="`counterfoil purge --expired`",
    ),
)
