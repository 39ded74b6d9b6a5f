"""Owns the limits of an audit.

Never: auditing; the catalogue is composed by commands that hold nothing against anything.
"""

from __future__ import annotations

from counterfoil.core.law.policy import Policy

DRAFT_BYTES = "audit/draft-bytes"
POLICIES = (
    Policy(
        id=DRAFT_BYTES,
        owner="audit",
        unit="bytes",
        default=1_000_000,
        hard_maximum=50_000_000,
        scope="document",
        refusal_code="DRAFT_TOO_LARGE",
        counts="bytes of a draft that is audited",
        stops="the audit, before it begins; a draft is never cut",
    ),
)
