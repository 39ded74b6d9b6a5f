"""Owns what limits did to a Run: research cut short, no room to correct, a view that did not fit, a local refusal.

Never: calling a limit that nobody reached a cause.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.diagnosis.account import Account, Cause
from counterfoil.core.law.budget import READS, SEARCHES, TOOL_CALLS
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record.attempts import LOCAL_REFUSAL

_GATHERING = (SEARCHES, READS, TOOL_CALLS)  # what evidence costs
_SPENT = ("finalization_requests_exhausted", "corrections_exhausted", "hard_deadline", "expired")


def causes(run: Account) -> Iterator[Cause]:
    """Causes in the budget."""
    settled = run.state.settled
    for seq, event in run.of(e.ModelCallFailed):
        if event.category == LOCAL_REFUSAL:
            yield Cause(
                "budget",
                "LOCAL_REFUSAL",
                f"our own limit refused a model request, no provider did: {event.message}",
                (seq,),
                event.hint or "raise that limit",
                3,
            )
    for seq, refused in run.of(e.InputRefused):
        yield Cause(
            "budget",
            "INPUT_REFUSED",
            f"a view of {refused.size_bytes} bytes did not fit {refused.policy}",
            (seq,),
            f"raise {refused.policy}, or ask less at once",
            3 if run.state.accepted is None else 2,
        )
    for seq, change in run.of(e.PhaseChanged):
        if change.to is Phase.FINALIZE_ONLY and change.policy and not run.complete():
            yield Cause(
                "budget",
                "RESEARCH_CUT_SHORT",
                f"research ended before everything was found: {change.why}",
                (seq,),
                f"raise {change.policy}, or ask for less",
                3 if run.unanswered() else 2,
            )
    yield from _gathering_spent(run)
    if settled is not None and settled.stop_reason in _SPENT and run.state.accepted is None:
        yield Cause(
            "budget",
            settled.stop_reason.upper(),
            f"the Run ended by {settled.policy or settled.stop_reason} without an accepted answer",
            run.ending(),
            f"raise {settled.policy}" if settled.policy else "give the Run more time",
            2,
        )
    for seq, taken in run.events:
        if isinstance(taken, e.RunRecovered | e.RunResumed) and taken.narrowed:
            named = ", ".join(f"{policy}={value:g}" for policy, value in taken.narrowed.items())
            yield Cause(
                "budget",
                "NARROWED",
                f"when it was taken up again the deployment allowed less: {named}",
                (seq,),
                "resume where the limits are those of its admission",
                2 if not run.complete() else 1,
            )


def _gathering_spent(run: Account) -> Iterator[Cause]:
    """What evidence costs, spent with cells unanswered."""
    for policy in _GATHERING:
        left = run.state.budget.left(policy)
        if left is not None and left <= 0 and run.unanswered():
            yield Cause(
                "budget",
                "GATHERING_SPENT",
                f"{policy} was spent with cells unanswered: "
                + ", ".join(f"{cell.row} / {cell.field}" for cell in run.unanswered()),
                tuple(seq for seq, event in run.of(e.ToolCallReserved) if policy in event.debits)[-1:],
                f"raise {policy}, or ask for less",
                2,
            )
