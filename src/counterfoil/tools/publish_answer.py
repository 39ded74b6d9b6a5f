"""Owns the publish tool: a candidate answer for the Host's checks.

Never: judging it (the validators do) or delivering what was not accepted.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate, Gap
from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.evidence.facts import Calculation, FactDraft
from counterfoil.core.exchange import ProposedCall, ToolSpec
from counterfoil.core.law import budget as ids
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.events import PublicationProposed
from counterfoil.core.record.recording import recorded
from counterfoil.core.record.state import PUBLISH_TOOL, RunState
from counterfoil.ports.tool import Judged, Refused


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer with what it rests on. ``finish`` ends the Run if the answer is accepted."""

    body: str
    facts: tuple[FactDraft, ...] = ()
    calculations: tuple[Calculation, ...] = ()
    gaps: tuple[Gap, ...] = ()
    finish: bool = False


class PublishAnswer:
    """Submits a candidate. In research it debits an attempt; in finalization the first is free."""

    spec = ToolSpec(
        name=PUBLISH_TOOL,
        description=(
            "Submit the answer: Markdown with evidence IDs [E7] and calculations [C1] behind each claim. It is checked "
            "by code; a rejected one comes back with every finding. Declare what is missing in gaps."
        ),
        parameters=schema_of(Arguments),
        effect="pure",
        phases=("research", "finalize_only"),
        actions=("publish",),
    )

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Judged:
        """Record the facts that come with it and hand the candidate to the checks."""
        try:
            asked = decode(call, Arguments)
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        charged = _allowance(state)
        shortage = state.budget.shortage({charged: 1}) if charged else None
        if shortage:
            hint = "finish with the limitations"
            return Refused(shortage.code, shortage.sentence(), hint, shortage.policy, "local_budget_exhausted")
        events, _content = recorded(asked.facts, state, call.id)
        candidate = Candidate(
            id=f"P{len(state.publications) + 1}",
            body=asked.body,
            calculations=asked.calculations,
            gaps=asked.gaps,
            finish=asked.finish,
        )
        return Judged((*events, PublicationProposed(candidate, call.id, charged)))


def _allowance(state: RunState) -> str | None:
    """What the next Publication debits."""
    if state.phase is Phase.RESEARCH:
        return ids.PUBLICATION_ATTEMPTS
    return ids.CORRECTIONS if state.corrections_open else None
