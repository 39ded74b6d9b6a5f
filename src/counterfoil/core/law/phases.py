"""Owns the phases of a Run and every legal move between them, as data.

The diagram in docs/ARCHITECTURE.md is drawn from ``MOVES``; a pair that is missing is a bug, not a case.
"""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """Where a Run stands."""

    RESEARCH = "research"
    FINALIZE_ONLY = "finalize_only"
    SETTLED = "settled"


MOVES: frozenset[tuple[Phase, Phase]] = frozenset(
    {
        (Phase.RESEARCH, Phase.FINALIZE_ONLY),
        (Phase.RESEARCH, Phase.SETTLED),
        (Phase.FINALIZE_ONLY, Phase.SETTLED),
    }
)
