"""Owns the recording of proposed facts: each is checked against the state and becomes an event either way.

Never: the checks themselves (see ``core.answer.fact_check``).
"""

from __future__ import annotations

from collections.abc import Sequence

from counterfoil.core.answer.fact_check import FactContext, check_fact
from counterfoil.core.evidence.facts import Fact, FactDraft
from counterfoil.core.exchange import Json
from counterfoil.core.law.budget import PASSAGE_CHARS
from counterfoil.core.record.events import Event, FactRecorded, FactRefused
from counterfoil.core.record.state import RunState


def recorded(drafts: Sequence[FactDraft], state: RunState, call_id: str) -> tuple[tuple[Event, ...], Json]:
    """The events that ``drafts`` cause, and what the model is told of each."""
    context = FactContext(
        contract=state.contract,
        evidence=state.evidence,
        shown=state.shown,
        searches=tuple(call.call.id for call in state.searches()),
        quote_chars_max=int(state.budget.require(PASSAGE_CHARS)),
    )
    events: list[Event] = []
    accepted: list[Json] = []
    refused: list[Json] = []
    for draft in drafts:
        checked = check_fact(draft, f"F{len(state.facts) + len(accepted) + 1}", context)
        if isinstance(checked, Fact):
            events.append(FactRecorded(checked, call_id))
            accepted.append({"id": checked.id, "row": checked.row, "field": checked.field})
        else:
            events.append(FactRefused(draft, checked.code, checked.why, call_id))
            refused.append({"row": draft.row, "field": draft.field, "code": checked.code, "why": checked.why})
    return tuple(events), {"recorded": accepted, "refused": refused}
