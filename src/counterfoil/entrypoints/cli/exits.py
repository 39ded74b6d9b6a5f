"""Owns the exit codes: which there are, what each means, and which one a Run's status gives.

Never: anything heavier than this; ``--help`` and every error path import it.
"""

from __future__ import annotations

DONE, FAILED, USAGE, REFUSED, PARTIAL, CANCELLED = 0, 1, 2, 3, 10, 130
MEANING = {
    DONE: "completed (gaps are named)",
    PARTIAL: "something delivered but partial",
    FAILED: "failed",
    USAGE: "cannot be understood",
    REFUSED: "understood and refused",
    CANCELLED: "cancelled, or paused",
}
OF_STATUS = {
    "completed": DONE,
    "completed_with_gaps": DONE,
    "budget_exhausted_partial": PARTIAL,
    "partial": PARTIAL,
    "failed": FAILED,
    "refused": REFUSED,
    "cancelled": CANCELLED,
    "paused": CANCELLED,
}
