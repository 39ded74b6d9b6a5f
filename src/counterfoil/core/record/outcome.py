"""Owns the closed sets of endings. The rule that picks one stands in ``settlement``."""

from __future__ import annotations

from typing import Literal

Status = Literal[
    "completed", "completed_with_gaps", "budget_exhausted_partial", "partial", "failed", "cancelled", "refused"
]
StopReason = Literal[
    "finish_accepted",
    "finalization_requests_exhausted",
    "corrections_exhausted",
    "hard_deadline",
    "expired",
    "budget_spent",
    "model_stopped",
    "provider_failed",
    "revoked",
    "cancelled",
    "contract_mismatch",
    "internal",
]
Review = Literal["not_run", "passed", "failed", "inconclusive"]
