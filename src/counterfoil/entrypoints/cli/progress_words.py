"""Owns the words of progress: one short line for each event that a person waits for.

Never: more than a line, or text from a document that could move the cursor.
"""

from __future__ import annotations

from typing import Any

from counterfoil.adapters.render.plain import one_line
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record.attempts import chain_of
from counterfoil.core.record.proxied import (
    ProxyCallFailed,
    ProxyCallRefused,
    ProxyCallReserved,
    ProxyCallSettled,
    ProxyEvent,
)
from counterfoil.core.record.reviews import PublicationWithdrawn, ReviewSettled

CHARS_MAX = 100
_PURPOSES = {
    "entry": "reading the question",
    "research": "deciding what to do next",
    "finalize": "finishing",
    "self_review": "looking at the answer once more",
    "reviewer": "having the answer reviewed",
}


def words(event: e.Event) -> str | None:
    """The event as a line, None for events that nobody waits for."""
    line = _words(event)
    return None if line is None else shorten(line)


def shorten(text: str) -> str:
    """One clean line of at most ``CHARS_MAX`` characters."""
    line = one_line(text)
    return line if len(line) <= CHARS_MAX else f"{line[: CHARS_MAX - 1]}…"


def _words(event: e.Event) -> str | None:
    match event:
        case e.RunAdmitted(snapshot):
            return f"admitted; model: {', then '.join(chain_of(snapshot))}"
        case e.ModelCallReserved(request, purpose):
            return f"{request}: {_PURPOSES.get(purpose, purpose)}"
        case e.ModelCallFailed():
            return f"{event.request} failed: {event.message}"
        case ProxyCallReserved() | ProxyCallSettled() | ProxyCallFailed() | ProxyCallRefused():
            return _proxied(event)
        case e.ToolCallProposed(_, call):
            return _call(call.tool, call.args)
        case e.ToolCallRefused() | e.ToolCallFailed():
            return f"{event.call_id} {'refused' if isinstance(event, e.ToolCallRefused) else 'failed'}: {event.why}"
        case e.InstructionFlagged():
            where = event.handle or (f"what {event.call_id} returned" if event.call_id else "the question")
            return f"{where} contains an instruction to an assistant; it changes nothing"
        case _:
            return _result(event)


def _result(event: e.Event) -> str | None:
    match event:
        case e.EvidenceRead():
            segment = event.segment
            place = f"page {segment.page}" if segment.page else f"part {segment.index + 1}"
            return f"read {event.handle}, {place}: {len(segment.passages)} passages"
        case e.FactRecorded(fact):
            name = " · ".join(part for part in (fact.row, fact.field) if part) or "fact"
            return f"{name}: {fact.value or 'not found'} {fact.unit or ''}"
        case e.FactRefused():
            return f"fact refused: {event.why}"
        case e.PublicationRejected():
            return f"{event.publication} rejected: {', '.join(dict.fromkeys(f.code for f in event.findings))}"
        case e.PublicationAccepted():
            return f"{event.publication} accepted"
        case e.PhaseChanged(Phase.SETTLED):
            return None  # RunSettled follows and says how
        case e.PhaseChanged(to, why, policy):
            return f"{to.value.replace('_', ' ')}: {why}" + (f" ({policy})" if policy else "")
        case e.RunSettled():
            return f"settled: {event.status.replace('_', ' ')}"
        case _:
            return _reviewed(event)


def _reviewed(event: e.Event) -> str | None:
    match event:
        case PublicationWithdrawn():
            return f"{event.publication} taken back unchecked, to go on working"
        case ReviewSettled():
            return f"review {event.verdict}" + (f": {'; '.join(event.why)}" if event.why else "")
        case _:
            return None


def _proxied(event: ProxyEvent) -> str:
    match event:
        case ProxyCallReserved(request, endpoint, model):
            return f"{request}: {endpoint}, {model}"
        case ProxyCallSettled(request, status, usage):
            spent = f"{usage.input} tokens in, {usage.output} out" if usage else "usage unknown, its worst case stands"
            return f"{request}: {status}, {spent}"
        case ProxyCallFailed(request, code):
            return f"{request} failed: {code}" + ("" if event.released else ", its worst case stands")
        case ProxyCallRefused(endpoint):
            return f"refused: {endpoint}, {event.policy} allows {event.limit:g}, {event.spent:g} used"


def _call(tool: str, args: dict[str, Any]) -> str | None:
    if tool == "search_public_sources":
        return f"search “{args.get('query', '')}”"
    if tool == "publish_answer":
        return "publish the answer"
    return None
