"""Owns the finish tool: the model proposes to end, the Host verifies by rule.

Never: the outcome itself; the Host computes it, the model's word for it is advice.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.exchange import ProposedCall, ToolSpec
from counterfoil.core.record.events import FinishAccepted, FinishProposed, FinishRefused
from counterfoil.core.record.state import FINISH_TOOL, RunState
from counterfoil.ports.tool import Failed, Refused, Settled


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The model's word for the outcome, and what the answer does not cover."""

    outcome: str = ""
    limitations: tuple[str, ...] = ()


class FinishResearch:
    """Accepts a finish when a Publication was accepted, or as "no answer" when limitations are stated."""

    spec = ToolSpec(
        name=FINISH_TOOL,
        description=(
            "End the Run. Lawful once a Publication was accepted; without one, state the limitations and the Run "
            "ends with no answer."
        ),
        parameters=schema_of(Arguments),
        effect="pure",
        phases=("research", "finalize_only"),
    )

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Settled | Failed:
        """Verify the proposal."""
        try:
            asked = decode(call, Arguments)
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        proposed = FinishProposed(call.id, asked.outcome, asked.limitations)
        if state.accepted is None and not any(text.strip() for text in asked.limitations):
            why = "no Publication was accepted and no limitation is stated"
            refused = FinishRefused(call.id, "NOTHING_TO_FINISH_WITH", why)
            hint = "publish an answer, or say in limitations what could not be answered and why"
            return Failed(refused.code, "request_invalid", why, hint, events=(proposed, refused))
        accepted = FinishAccepted(call.id, no_answer=state.accepted is None)
        return Settled({"accepted": True}, (proposed, accepted))
