"""Runs that are about to be reviewed, for tests of reviews."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace
from tests.unit.core.record.folding import after, researching, turn

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.law.policy import Number
from counterfoil.core.record import events as e
from counterfoil.core.record.snapshot import FallbackModel, ReviewTerms
from counterfoil.core.record.state import RunState


def worked(calls: int, limits: Mapping[str, Number] | None = None, *, reviewer: bool = False) -> RunState:
    """A Run that made so many calls; its model looks at its own work."""
    state = researching(limits)
    critic = FallbackModel("critic", "test") if reviewer else None
    state = replace(state, snapshot=replace(state.snapshot, reviews=ReviewTerms(True, critic)))
    state = after(state, *turn(1, *["search_public_sources"] * calls))
    return after(state, *(e.ToolCallSettled(f"c{n}", {}) for n in range(1, calls + 1)))


def pending(calls: int = 4, limits: Mapping[str, Number] | None = None, *, reviewer: bool = False) -> RunState:
    """The same with a first answer that nobody has judged."""
    state = worked(calls, limits, reviewer=reviewer)
    state = after(state, *turn(2, "publish_answer", first_call=calls + 1))
    candidate = Candidate("P1", "It costs $18.", finish=True)
    return after(state, e.PublicationProposed(candidate, f"c{calls + 1}", "run/publication-attempts"))


def accepted(calls: int = 4, limits: Mapping[str, Number] | None = None) -> RunState:
    """A Run with a reviewer whose answer is accepted, with its finish."""
    call = f"c{calls + 1}"
    return after(
        pending(calls, limits, reviewer=True),
        e.PublicationAccepted("P1", (), ()),
        e.PublicationDelivered("P1", "model"),
        e.ToolCallSettled(call, {"accepted": True}),
        e.FinishProposed(call, "published"),
        e.FinishAccepted(call),
    )
