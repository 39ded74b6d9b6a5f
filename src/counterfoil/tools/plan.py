"""Owns the plan tool: what kind of work this is, and what the model will hold its own result to.

Never: authority. The contract and the checks decide what an answer must be; a plan cannot lower either.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.exchange import ProposedCall, ToolSpec
from counterfoil.core.record.notes import PlanRecorded, WorkKind, WorkPlan
from counterfoil.core.record.state import RunState
from counterfoil.ports.tool import Refused, Settled


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan, in place of the one before."""

    kind: WorkKind
    success_criteria: tuple[str, ...]
    deliverables: tuple[str, ...] = ()


class MakePlan:
    """Records the plan; the same one again leaves no event."""

    spec = ToolSpec(
        name="plan",
        description=(
            "Say what kind of work this is, by which criteria you will know that it succeeded, and what you will "
            "deliver. Worth it for work of several steps; it is a note and decides nothing."
        ),
        parameters=schema_of(Arguments),
        effect="pure",
        phases=("research",),
    )

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Settled:
        """Check the plan, and keep it if it is another one."""
        try:
            asked = decode(call, Arguments)
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        if not any(text.strip() for text in asked.success_criteria):
            return Refused("ARGUMENTS_INVALID", "success_criteria is empty", hint="name at least one criterion")
        plan = WorkPlan(asked.kind, asked.success_criteria, asked.deliverables)
        changed = plan != state.plan
        events = (PlanRecorded(plan, call.id),) if changed else ()
        return Settled({"criteria": len(plan.success_criteria), "changed": changed}, events)
