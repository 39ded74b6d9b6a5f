"""Owns the diagnosis: every stage's causes, what explains most first.

Never: a cause without events that show it, or a verdict on a Run that did what was asked.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.diagnosis import (
    budget,
    calculation,
    orchestration,
    provider,
    reading,
    retrieval,
    security,
    state,
    synthesis,
)
from counterfoil.core.diagnosis.account import Account, Cause

# At one weight, what stands nearer to the root comes first: a later stage cannot mend what an earlier one spoilt.
ORDER = ("security", "provider", "retrieval", "reading", "state", "calculation", "synthesis", "budget", "orchestration")
_STAGES = (retrieval, reading, state, orchestration, calculation, synthesis, provider, budget, security)


class Diagnosis(msgspec.Struct, frozen=True):
    """What is wrong with a Run. ``causes``: what explains most first; empty when nothing is."""

    run_id: str
    status: str
    stop_reason: str | None
    causes: tuple[Cause, ...]

    @property
    def verdict(self) -> Cause | None:
        """The cause that explains most."""
        return self.causes[0] if self.causes else None


def diagnose(run: Account) -> Diagnosis:
    """Localise what went wrong by rules over the ledger."""
    found = [cause for stage in _STAGES for cause in stage.causes(run)]
    ranked = sorted(found, key=lambda cause: (-cause.weight, ORDER.index(cause.stage), cause.events))
    settled = run.state.settled
    return Diagnosis(
        run.state.run_id,
        settled.status if settled else "paused" if run.state.paused else "running",
        settled.stop_reason if settled else None,
        tuple(ranked),
    )
