"""Owns the facts tool: values for cells, each checked against its quote before it counts.

Never: deciding what is worth recording.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.evidence.calculations import FORMULA_HELP
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.exchange import ProposedCall, ToolSpec
from counterfoil.core.record.recording import recorded
from counterfoil.core.record.state import FACTS_TOOL, RunState
from counterfoil.ports.tool import Failed, Refused, Settled


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts to record."""

    facts: tuple[FactDraft, ...]


class RecordFacts:
    """Records what passes and says of each other fact why it did not."""

    spec = ToolSpec(
        name=FACTS_TOOL,
        description=(
            "Record values for cells of the contract. `stated` needs value, quote (verbatim) and evidence_id, and the "
            "column header for a table cell; `calculation` needs value, formula and inputs; `not_found` needs the "
            f"search calls behind it. Formulas: {FORMULA_HELP}"
        ),
        parameters=schema_of(Arguments),
        effect="pure",
        phases=("research",),
    )

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Settled | Failed:
        """Check every fact."""
        try:
            asked = decode(call, Arguments)
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        if not asked.facts:
            return Refused("ARGUMENTS_INVALID", "facts is empty", hint="name at least one fact")
        events, content = recorded(asked.facts, state, call.id)
        if content["refused"] and not content["recorded"]:
            why = "no fact passed the checks"
            hint = "quote verbatim from a passage that you have read"
            return Failed("FACTS_REFUSED", "request_invalid", why, hint, content, events)
        return Settled(content, events)
