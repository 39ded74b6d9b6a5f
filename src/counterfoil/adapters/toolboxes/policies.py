"""Owns the limits of tools that others wrote: how long one call may take, and how much it may return.

Never: calling anything.
"""

from __future__ import annotations

from counterfoil.core.law.policy import Policy

TOOL_SECONDS = "tools/seconds"
RESULT_BYTES = "tools/result-bytes"

POLICIES = (
    Policy(
        id=TOOL_SECONDS,
        owner="tools",
        unit="seconds",
        default=60,
        minimum=0.1,
        hard_maximum=3600,
        scope="call",
        refusal_code="TOOL_TIMEOUT",
        counts="time that one call of a tool of yours may take",
        stops="that call; a thread that it began goes on by itself",
        consumer="tools added in Python",
        settable_by="caller",
    ),
    Policy(
        id=RESULT_BYTES,
        owner="tools",
        unit="bytes",
        default=65_536,
        hard_maximum=1_048_576,
        scope="call",
        refusal_code="RESULT_TOO_LARGE",
        counts="bytes, as JSON, that one call of a tool of yours may return",
        stops="a larger result; nothing is cut",
        consumer="tools added in Python",
        settable_by="caller",
    ),
)
