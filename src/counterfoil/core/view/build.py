"""Owns what one request shows: the question and contract pinned, the table so far, what is left, past turns.

Never: leaving out the question, or showing anything that the ledger cannot prove.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from counterfoil.core.answer.conflicts import cell_states
from counterfoil.core.exchange import HostNote, Json, Message, Purpose, TableCell, View
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.attempts import cut_short
from counterfoil.core.record.review_steps import spoken
from counterfoil.core.record.state import RunState, Turn
from counterfoil.core.view.messages import turn_messages
from counterfoil.core.view.reminders import told
from counterfoil.core.view.situation import situation
from counterfoil.core.view.transcript import Transcript, continued

CUT_NOTE = (
    "Your reply before was cut off at its longest, and nothing of it counts. Answer in less: fewer calls in one reply, "
    "a shorter text."
)
FINALIZE_NOTE = "Gathering evidence is over. Publish from what was read, declare what is missing as gaps, and finish."


def build_view(state: RunState, purpose: Purpose, instructions: str, past: Transcript | None = None) -> View:
    """The view of the next request. ``past``: every turn so far, where it is at hand."""
    table = _table(state)
    messages: tuple[Message, ...] = ()
    if purpose != "entry":
        notes = (HostNote(text) for _, text in notes_for(state, purpose, table))
        messages = (*(past or continued(Transcript(), state)).messages, *notes)
    return View(
        purpose=purpose,
        instructions=instructions,
        contract=state.contract,
        anchor=state.snapshot.anchor,
        phase=state.phase.value,
        table=table,
        remaining=_remaining(state),
        messages=messages,
    )


def notes_for(state: RunState, purpose: Purpose, table: Sequence[TableCell]) -> Iterator[tuple[str, str]]:
    """What the Host adds behind the past turns of one request, name and text; the next request does not repeat it."""
    if purpose == "research":
        if (facts := situation(state, table)) is not None:
            yield "situation", facts
        yield from told(state, table)
    if purpose != "entry" and state.phase is Phase.FINALIZE_ONLY:
        yield "finalize", FINALIZE_NOTE
    if purpose != "entry" and cut_short(state):
        yield "cut", CUT_NOTE


def view_delta(state: RunState, view: View) -> tuple[Json, str]:
    """What is new in ``view`` since the request before, and a hash that chains to that request's.

    Messages are named by call id: their content stands in the receipts, so storage stays linear. So are notes, whose
    text follows from the events before.
    """
    last = state.turns[-1] if state.turns else None
    notes = tuple(notes_for(state, view.purpose, view.table))
    if view.purpose == "self_review" and isinstance(asked := view.messages[-1], HostNote):
        notes = (*notes, ("self_review", asked.text))
    fresh = _unshown(state)
    delta: Json = {
        "table": msgspec.to_builtins(view.table),
        "remaining": view.remaining,
        "after": last.request if last else None,
        "results_of": [call for turn in fresh for call in turn.calls],
        "notes": [name for name, _ in notes],
    }
    told = [message for turn in fresh for message in turn_messages(state, turn)]
    pinned = view if view.purpose == "reviewer" else msgspec.structs.replace(view, messages=())
    digest = hashlib.sha256(last.view_hash.encode() if last else b"")
    digest.update(msgspec.json.encode([pinned, told, notes]))
    return delta, digest.hexdigest()


def _unshown(state: RunState) -> tuple[Turn, ...]:
    """Turns whose results the request before did not show: the latest, and the one that a self-review looked at."""
    if not state.turns:
        return ()
    last = state.turns[-1]
    latest = (last,) if spoken(last) else ()
    if last.purpose != "self_review":
        return latest
    pending = next(p for p in state.publications if p.candidate.id == state.self_reviewed)
    request = state.calls[pending.call_id].request
    return (next(turn for turn in state.turns if turn.request == request), *latest)


def _table(state: RunState) -> tuple[TableCell, ...]:
    return tuple(
        TableCell(cell.row, cell.field, cell.state, fact.value, fact.unit, fact.evidence)
        if (fact := cell.facts[-1] if cell.facts else None)
        else TableCell(cell.row, cell.field, cell.state)
        for cell in cell_states(state.contract, state.facts, ())
    )


def _remaining(state: RunState) -> dict[str, float]:
    budget = state.budget
    metered = (policy for policy, value in budget.limits.items() if value.metered)
    return {policy: float(left) for policy in metered if (left := budget.left(policy)) is not None}
