"""Owns how each event is counted into a tally.

Never: the Host's fold, budget or settlement; what agrees with a mistake cannot find it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.record import events as e
from counterfoil.core.record import helpers as h
from counterfoil.core.record import proxied as p
from counterfoil.core.record import reviews as r
from counterfoil.sim.counted import CallTally, HelperTally, Judged, Number, ReadTally, Request
from counterfoil.sim.tally import (
    COST,
    HELPERS,
    INPUT,
    OUTPUT,
    REQUESTS,
    REVIEWS,
    UNSPENT,
    Tally,
)


def count(tally: Tally, event: e.Event, at: int) -> Tally:
    """The tally after ``event``, recorded ``at``."""
    rule = _RULES.get(type(event))
    return replace(rule(tally, event, at) if rule else tally, last_at=at)


def _debit(tally: Tally, debits: dict[str, Any]) -> dict[str, Number]:
    return {**tally.used, **{policy: tally.used.get(policy, 0) + units for policy, units in debits.items()}}


def _instead(worst: dict[str, Number], spent: dict[str, Number]) -> dict[str, Number]:
    """What to debit so that ``spent`` stands in the place of ``worst``."""
    return {policy: spent.get(policy, 0) - worst.get(policy, 0) for policy in {**worst, **spent}}


def _admitted(_tally: Tally, event: e.RunAdmitted, at: int) -> Tally:
    limits = {value.id: value.value for value in event.snapshot.policies}
    models = (event.snapshot.model, *(model.spec for model in event.snapshot.fallbacks))
    return Tally(limits=limits, models=models, contract=event.snapshot.contract, admitted_at=at)


def _lease(tally: Tally, event: e.LeaseTaken, _at: int) -> Tally:
    return replace(tally, epoch=event.epoch, holder=event.holder)


def _taken_up(tally: Tally, event: e.RunRecovered | e.RunResumed, _at: int) -> Tally:
    limits = {**tally.limits, **event.narrowed}
    return replace(tally, idle_ms=tally.idle_ms + event.idle_ms, limits=limits, paused=False)


def _paused(tally: Tally, event: e.RunPaused, _at: int) -> Tally:
    return replace(tally, paused=True, idle_ms=tally.idle_ms + event.waited_ms)


def _confirmed(tally: Tally, event: e.ContractConfirmed, _at: int) -> Tally:
    return replace(tally, contract=event.contract, idle_ms=tally.idle_ms + event.waited_ms)


def _asked(tally: Tally, event: e.ModelCallReserved, _at: int) -> Tally:
    purposes = {**tally.purposes, event.purpose: tally.purposes.get(event.purpose, 0) + 1}
    last = next(reversed(tally.requests.values()), None)
    dropped = (last.dropped[: event.still_dropped] if last else ()) + event.dropped
    made = Request(event.purpose, event.tools, dropped, event.worst, model=tally.asked(event))
    requests = {**tally.requests, event.request: made}
    used = _debit(tally, {REQUESTS: 1, **event.worst})
    return replace(tally, requests=requests, purposes=purposes, used=used)


def _request(tally: Tally, name: str, **changes: Any) -> dict[str, Request]:
    known = tally.requests.get(name, Request("", (), ()))
    return {**tally.requests, name: replace(known, **changes)}


def _answered(tally: Tally, event: e.ModelCallSettled, at: int) -> Tally:
    said = event.completion
    requests = _request(tally, event.request, status="settled", silent=not said.calls, ended_at=at)
    spent: dict[str, Number] = {INPUT: said.usage.input, OUTPUT: said.usage.output, COST: event.usd or 0}
    used = _debit(tally, _instead(requests[event.request].worst, spent))
    known = event.usd is not None and tally.cost_usd is not None
    cost = (tally.cost_usd or 0) + (event.usd or 0) if known else None
    return replace(tally, requests=requests, used=used, cost_usd=cost)


def _failed(tally: Tally, event: e.ModelCallFailed, at: int) -> Tally:
    requests = _request(
        tally,
        event.request,
        status="failed",
        wait_ms=event.wait_ms,
        ended_at=at,
        category=event.category,
        policy=event.policy,
    )
    free = event.category in UNSPENT
    known: dict[str, Number] | None = {} if free else None
    if not free and event.spent is not None:
        known = {INPUT: event.spent.input, OUTPUT: event.spent.output, COST: event.usd or 0}
    used = tally.used if known is None else _debit(tally, _instead(requests[event.request].worst, known))
    cost = tally.cost_usd
    if not free:
        cost = None if event.usd is None or cost is None else cost + event.usd
    return replace(tally, requests=requests, used=used, cost_usd=cost)


def _input_refused(tally: Tally, event: e.InputRefused, _at: int) -> Tally:
    return tally if event.purpose in ("entry", *REVIEWS) else replace(tally, input_refused=event.policy)


def _proposed(tally: Tally, event: e.ToolCallProposed, _at: int) -> Tally:
    return replace(tally, calls={**tally.calls, event.call.id: CallTally(event.call.tool, event.request)})


def _call(tally: Tally, name: str, **changes: Any) -> dict[str, CallTally]:
    return {**tally.calls, name: replace(tally.calls.get(name, CallTally("", "")), **changes)}


def _refused(tally: Tally, event: e.ToolCallRefused, _at: int) -> Tally:
    return replace(tally, calls=_call(tally, event.call_id, status="refused"))


def _reserved(tally: Tally, event: e.ToolCallReserved, _at: int) -> Tally:
    times = tally.calls[event.call_id].reservations if event.call_id in tally.calls else 0
    calls = _call(tally, event.call_id, status="reserved", reservations=times + 1)
    return replace(tally, calls=calls, used=_debit(tally, event.debits))


def _receipt(tally: Tally, event: e.ToolCallSettled | e.ToolCallFailed, _at: int) -> Tally:
    status = "settled" if isinstance(event, e.ToolCallSettled) else "failed"
    return replace(tally, calls=_call(tally, event.call_id, status=status))


def _forwarded(tally: Tally, event: p.ProxyCallReserved, _at: int) -> Tally:
    purposes = {**tally.purposes, p.PROXIED: tally.purposes.get(p.PROXIED, 0) + 1}
    requests = {**tally.requests, event.request: Request(p.PROXIED, (), (), event.worst)}
    return replace(tally, purposes=purposes, requests=requests, used=_debit(tally, {REQUESTS: 1, **event.worst}))


def _came_back(tally: Tally, event: p.ProxyCallSettled, at: int) -> Tally:
    requests = _request(tally, event.request, status="settled", ended_at=at)
    if event.usage is None:
        return replace(tally, requests=requests)
    spent: dict[str, Number] = {INPUT: event.usage.input, OUTPUT: event.usage.output, COST: event.usd or 0}
    return replace(tally, requests=requests, used=_debit(tally, _instead(requests[event.request].worst, spent)))


def _did_not(tally: Tally, event: p.ProxyCallFailed, at: int) -> Tally:
    requests = _request(tally, event.request, status="failed", ended_at=at, category=event.category)
    used = _debit(tally, _instead(requests[event.request].worst, {})) if event.released else tally.used
    return replace(tally, requests=requests, used=used)


def _part(tally: Tally, event: h.HelperAdmitted, _at: int) -> Tally:
    return replace(tally, helpers={**tally.helpers, event.helper: HelperTally(event.call_id)})


def _carved(tally: Tally, event: h.BudgetCarved, _at: int) -> Tally:
    return _shared(_helper(tally, event.helper, carve=event.carve), event.carve)


def _part_over(tally: Tally, event: h.HelperSettled, _at: int) -> Tally:
    return _helper(tally, event.helper, status=event.status, ends=tally.helpers[event.helper].ends + 1)


def _returned(tally: Tally, event: h.BudgetReturned, _at: int) -> Tally:
    told = _helper(tally, event.helper, returns=tally.helpers[event.helper].returns + 1)
    return _shared(told, {policy: -units for policy, units in event.returned.items()})


def _helper(tally: Tally, name: str, **changes: Any) -> Tally:
    return replace(tally, helpers={**tally.helpers, name: replace(tally.helpers[name], **changes)})


def _shared(tally: Tally, units: dict[str, Number]) -> Tally:
    asked = tally.purposes.get(HELPERS, 0) + int(units.get(REQUESTS, 0))
    return replace(tally, used=_debit(tally, units), purposes={**tally.purposes, HELPERS: asked})


def _unknown(tally: Tally, event: e.EffectOutcomeUnknown, at: int) -> Tally:
    if event.kind in ("model", "proxied"):
        return replace(tally, requests=_request(tally, event.id, status="unknown", ended_at=at))
    times = tally.calls[event.id].unknowns if event.id in tally.calls else 0
    return replace(tally, calls=_call(tally, event.id, status="unknown", unknowns=times + 1))


def _source(tally: Tally, event: e.SourceRegistered, _at: int) -> Tally:
    return replace(tally, documents={**tally.documents, event.handle: event.document.id})


def _read(tally: Tally, event: e.EvidenceRead, _at: int) -> Tally:
    segment = event.segment
    count = len(segment.passages)
    read = ReadTally(event.handle, segment.index, event.first, count, event.call_id, segment.text)
    return replace(tally, reads=(*tally.reads, read))


def _flag(tally: Tally, event: e.InstructionFlagged, _at: int) -> Tally:
    return replace(tally, flagged=tally.flagged | {(event.handle or "", event.segment)})


def _fact(tally: Tally, event: e.FactRecorded, _at: int) -> Tally:
    return replace(tally, facts=(*tally.facts, event.fact))


def _candidate(tally: Tally, event: e.PublicationProposed, _at: int) -> Tally:
    candidates = {**tally.candidates, event.candidate.id: Judged(event.candidate, tally.phase)}
    used = _debit(tally, {event.charged: 1}) if event.charged else tally.used
    return replace(tally, candidates=candidates, calls=_call(tally, event.call_id, status="judging"), used=used)


def _judged(tally: Tally, event: e.PublicationAccepted | e.PublicationRejected, _at: int) -> Tally:
    accepted = isinstance(event, e.PublicationAccepted)
    known = tally.candidates.get(event.publication, Judged(Candidate(event.publication, ""), tally.phase))
    judged = replace(known, status="accepted" if accepted else "rejected")
    return replace(
        tally,
        candidates={**tally.candidates, event.publication: judged},
        accepted=event.publication if accepted else tally.accepted,
        correcting=not accepted and tally.phase == "finalize_only",
    )


def _withdrawn(tally: Tally, event: r.PublicationWithdrawn, _at: int) -> Tally:
    withdrawn = replace(tally.candidates[event.publication], status="withdrawn")
    return replace(tally, candidates={**tally.candidates, event.publication: withdrawn})


def _delivered(tally: Tally, event: e.PublicationDelivered, _at: int) -> Tally:
    return replace(tally, delivered=(*tally.delivered, (event.publication, event.assembled_by)))


def _finish(tally: Tally, event: e.FinishAccepted, _at: int) -> Tally:
    return replace(tally, finished=True, no_answer=event.no_answer)


def _phase(tally: Tally, event: e.PhaseChanged, _at: int) -> Tally:
    return replace(tally, phase=event.to.value, phase_policy=event.policy, input_refused=None)


def _cancel(tally: Tally, _event: e.CancelRequested, _at: int) -> Tally:
    return replace(tally, cancelled=True)


def _settled(tally: Tally, event: e.RunSettled, _at: int) -> Tally:
    return replace(tally, settled=event)


# Any: each rule takes its own event type; mypy cannot tie a dict's keys to its values.
_RULES: dict[type, Callable[[Tally, Any, int], Tally]] = {
    e.RunAdmitted: _admitted,
    e.LeaseTaken: _lease,
    e.RunPaused: _paused,
    e.RunRecovered: _taken_up,
    e.RunResumed: _taken_up,
    e.ContractConfirmed: _confirmed,
    e.ModelCallReserved: _asked,
    e.ModelCallSettled: _answered,
    e.ModelCallFailed: _failed,
    e.InputRefused: _input_refused,
    e.ToolCallProposed: _proposed,
    e.ToolCallRefused: _refused,
    e.ToolCallReserved: _reserved,
    e.ToolCallSettled: _receipt,
    e.ToolCallFailed: _receipt,
    e.EffectOutcomeUnknown: _unknown,
    e.SourceRegistered: _source,
    e.EvidenceRead: _read,
    e.InstructionFlagged: _flag,
    e.FactRecorded: _fact,
    e.PublicationProposed: _candidate,
    e.PublicationAccepted: _judged,
    e.PublicationRejected: _judged,
    e.PublicationDelivered: _delivered,
    r.PublicationWithdrawn: _withdrawn,
    e.FinishAccepted: _finish,
    e.PhaseChanged: _phase,
    e.CancelRequested: _cancel,
    e.RunSettled: _settled,
    h.HelperAdmitted: _part,
    h.BudgetCarved: _carved,
    h.HelperSettled: _part_over,
    h.BudgetReturned: _returned,
    p.ProxyCallReserved: _forwarded,
    p.ProxyCallSettled: _came_back,
    p.ProxyCallFailed: _did_not,
}
