"""Owns the needs tool: the model's own list of what is still to be found out.

Never: authority. No status completes, blocks or allows anything, and dropping a need drops nothing of the contract.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.exchange import ProposedCall, ToolSpec
from counterfoil.core.record.notes import Need, NeedsSet
from counterfoil.core.record.state import RunState
from counterfoil.ports.tool import Refused, Settled


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole list, in place of the one before."""

    items: tuple[Need, ...]


class SetResearchNeeds:
    """Keeps the list; one that is the same as before leaves no event."""

    spec = ToolSpec(
        name="set_research_needs",
        description=(
            "Keep a short list of what is still to be found out: each need with an id and your own status. It replaces "
            "the list before. These are notes for you: no status answers the question or ends the Run. Change it when "
            "a finding, failure or conflict changed what is missing."
        ),
        parameters=schema_of(Arguments),
        effect="pure",
        phases=("research",),
    )

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Settled:
        """Check the list, and keep it if it is another one."""
        try:
            items = decode(call, Arguments).items
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        empty = [place for place, item in enumerate(items, 1) if not item.id.strip() or not item.need.strip()]
        if empty:
            return Refused("ARGUMENTS_INVALID", f"item {empty[0]} has no id or no need", hint="give both a text")
        if len({item.id for item in items}) < len(items):
            return Refused("ARGUMENTS_INVALID", "two items have one id", hint="give each need an id of its own")
        changed = items != state.needs
        events = (NeedsSet(items, call.id),) if changed else ()
        return Settled({"needs": len(items), "changed": changed}, events)
