"""Owns what became of a world, or of several together: counts, endings, places visited, the first failure.

Never: playing one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import msgspec


class Failure(msgspec.Struct, frozen=True):
    """An invariant that did not hold, where, and the events before it."""

    run: int
    invariant: str
    what: str
    step: int  # commits of the Run and its helpers so far
    events: tuple[str, ...]


class Played(msgspec.Struct, frozen=True):
    """What became of a world. ``digest`` covers every event of every Run, byte for byte, blobs filled in."""

    runs: int
    steps: int
    turns: int
    crashes: int
    outcomes: dict[str, int]  # stop reason, or "refused at admission"
    visited: dict[str, int]
    digest: str
    failure: Failure | None = None

    @classmethod
    def together(cls, played: Sequence[Played]) -> Played:
        """Several as one: sums, and the first failure."""
        outcomes: Counter[str] = Counter()
        visited: Counter[str] = Counter()
        for one in played:
            outcomes.update(one.outcomes)
            visited.update(one.visited)
        return cls(
            runs=sum(one.runs for one in played),
            steps=sum(one.steps for one in played),
            turns=sum(one.turns for one in played),
            crashes=sum(one.crashes for one in played),
            outcomes=dict(outcomes),
            visited=dict(visited),
            digest=hashlib.sha256("".join(one.digest for one in played).encode()).hexdigest(),
            failure=next((one.failure for one in played if one.failure), None),
        )
