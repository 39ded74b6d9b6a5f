"""Owns what must hold of tools and of the outside: offers follow facts, effects follow offers and reservations.

Never: the Host's projection as a witness; what may be offered is worked out here again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from counterfoil.core.evidence.domains import on_domains
from counterfoil.core.exchange import ToolSpec
from counterfoil.core.record import events as e
from counterfoil.core.view.size import tool_bytes, view_bytes
from counterfoil.sim.history import Effect, History
from counterfoil.sim.tally import INPUT, OUTPUT, SPLIT, Tally

READ = "read_public_source"
TOKENS = (INPUT, OUTPUT)  # which are always counted; money where a limit is set


def offers_follow_the_facts(history: History) -> Iterator[str]:
    """A request offers every tool that phase, budget, time and task allow, and no other (GOV-09, GOV-13)."""
    specs = history.known.snapshot.tools
    for record, event in history.of(e.ModelCallReserved):
        alone = event.purpose in ("entry", "reviewer")
        lawful = () if alone else tuple(s.name for s in specs if _lawful(s, record.before, record.stored.at))
        if event.tools != lawful:
            yield f"{event.request} offers {event.tools}, lawful are {lawful}"


def only_offered_tools_take_effect(history: History) -> Iterator[str]:
    """No call has an effect unless its tool was offered in the turn that asked for it (GOV-09)."""
    for record in history.fresh:
        event = record.event
        if isinstance(
            event, e.ToolCallReserved | e.ToolCallSettled | e.ToolCallFailed | e.PublicationProposed | e.FactRecorded
        ):
            call = record.before.calls.get(event.call_id)
            request = record.before.requests.get(call.request) if call else None
            if call is None or request is None or call.tool not in request.offered:
                yield f"{record.stored.type} for {call.tool if call else event.call_id}, which was not offered"


def hidden_tools_stay_hidden(history: History) -> Iterator[str]:
    """An effect begins only where its tool is lawful at that moment too (GOV-09, GOV-14)."""
    specs = {spec.name: spec for spec in history.known.snapshot.tools}
    for record, event in history.of(e.ToolCallReserved):
        call = record.before.calls.get(event.call_id)
        spec = specs.get(call.tool) if call else None
        if spec is None or not _lawful(spec, record.before, record.stored.at):
            yield f"{event.call_id} began {call.tool if call else ''}, which was not lawful any more"


def registries_keep_their_size(history: History) -> Iterator[str]:
    """A search registers what it may return, from where it may, a Run what its registry holds (WEB-02, WEB-04)."""
    limits = history.tally
    by_call: dict[str, int] = {}
    for _record, event in history.of(e.SourceRegistered):
        by_call[event.call_id] = by_call.get(event.call_id, 0) + 1
    found = {call: times for call, times in by_call.items() if limits.calls[call].tool != SPLIT}
    if any(times > limits.limit("web/results-per-search") for times in found.values()):
        yield f"one search registered {max(found.values())} sources"
    if len(limits.documents) > limits.limit("web/registry-capacity"):
        yield f"{len(limits.documents)} sources are registered"
    allowed = limits.contract.domains
    for _record, event in history.of(e.SourceRegistered):
        if allowed and not on_domains(event.document.url, allowed):
            yield f"{event.document.url} was registered, and only {allowed} are allowed"
    if len(set(limits.documents.values())) != len(limits.documents):
        yield "a document has two handles"


def evidence_is_issued_once(history: History) -> Iterator[str]:
    """A segment is read once, and each of its passages has an id of its own (WEB-05, WEB-08)."""
    for record, event in history.of(e.EvidenceRead):
        issued = sum(read.count for read in record.before.reads)
        if event.first != issued + 1:
            yield f"evidence E{event.first} follows E{issued}"
        if any((read.handle, read.segment) == (event.handle, event.segment.index) for read in record.before.reads):
            yield f"segment {event.segment.index} of {event.handle} was read twice"
        if record.before.documents.get(event.handle) != event.segment.document:
            yield f"{event.handle} is not {event.segment.document}"


def an_effect_gets_its_own_receipt(history: History) -> Iterator[str]:
    """No tool of a world has a defect: a receipt that tells of one hides what the effect came to (LED-02, LED-07)."""
    for _record, event in history.of(e.ToolCallFailed):
        if event.code == "TOOL_DEFECT":
            yield f"{event.call_id} ended as a defect: {event.why}"


def instructions_in_pages_are_flagged(history: History) -> Iterator[str]:
    """A page that addresses an assistant is flagged where it is read (WEB-07)."""
    for _record, event in history.of(e.EvidenceRead):
        planted = [sentence for sentence in history.planted if sentence in event.segment.text]
        if planted and (event.handle, event.segment.index) not in history.tally.flagged:
            yield f"{event.handle} says {planted[0]!r} and was not flagged"


def effects_were_reserved(history: History, effect: Effect) -> Iterator[str]:
    """Each effect outside has a durable reservation of its own, made by the process that caused it (LED-02)."""
    known = history.records[: effect.records]
    done = [seen for seen in history.effects if seen.kind == effect.kind and seen.epoch == effect.epoch]
    if effect.kind == "model":
        reserved = [r for r in known if isinstance(r.event, e.ModelCallReserved) and r.stored.epoch == effect.epoch]
        if len(done) != len(reserved):
            yield f"request {len(done)} of epoch {effect.epoch} went out on {len(reserved)} reservations"
        return
    reserved = [
        r
        for r in known
        if isinstance(r.event, e.ToolCallReserved)
        and r.stored.epoch == effect.epoch
        and r.before.calls[r.event.call_id].tool == effect.kind
    ]
    if len(done) > len(reserved):
        yield f"{effect.kind} ran {len(done)} times in epoch {effect.epoch} on {len(reserved)} reservations"


def models_are_offered_what_was_recorded(history: History, effect: Effect) -> Iterator[str]:
    """A model gets the tools, the budget and the limits that the ledger says, and the question whole (GOV-05)."""
    if effect.kind != "model" or effect.view is None or effect.limits is None:
        return
    tally = _known_to(history, effect)
    request = next(reversed(tally.requests.values()))
    if effect.model != request.model:
        yield f"{effect.model} was asked, recorded is {request.model}"
    if effect.offered != request.offered:
        yield f"the model got {effect.offered}, recorded is {request.offered}"
    if effect.view.contract.question != history.records[0].after.contract.question:
        yield "the model did not get the question"
    if effect.limits.output_tokens_max > tally.limit("run/request-output-tokens"):
        yield f"a reply may take {effect.limits.output_tokens_max} tokens"
    if view_bytes(effect.view) + tool_bytes(effect.view.admitted) > tally.limit("context/input-bytes"):
        yield "the view is larger than context/input-bytes"
    debits = {"run/model-requests": 1, **request.worst}  # of this very request, which the model is told before
    for policy, left in effect.view.remaining.items():
        due = (tally.limits[policy] or 0) - tally.used.get(policy, 0) + debits.get(policy, 0)
        if not math.isclose(left, due, abs_tol=1e-9):
            yield f"the model is told that {policy} leaves {left}, it leaves {due}"


def requests_reserve_their_worst_case(history: History, effect: Effect) -> Iterator[str]:
    """What a request may spend, as the model says, stands on the ledger before it goes out (GOV-12, LED-02)."""
    tally = _known_to(history, effect)
    if effect.kind == "model" and tally.requests:
        due = {p: units for p, units in effect.worst.items() if units and (p in TOKENS or tally.limits[p] is not None)}
        worst = next(reversed(tally.requests.values())).worst
        if dict(worst) != due:
            yield f"{worst} is reserved for a request that may spend {due}"


def effects_end_in_time(history: History, effect: Effect) -> Iterator[str]:
    """Around every effect stands a timeout: no longer than an attempt, and than the time of its phase (GOV-07)."""
    tally = _known_to(history, effect)
    finalizing = effect.view is not None and effect.view.purpose in ("finalize", "reviewer")
    kept = 0 if finalizing else tally.limit("run/finalization-seconds")
    active = (tally.limit("run/active-seconds") - kept) * 1000 - tally.active_ms(effect.at)
    expiry = tally.admitted_at + tally.limit("run/expires-seconds") * 1000 - effect.at
    due = max(1, int(min(active, expiry)))
    if effect.kind == "model":
        due = min(due, int(tally.limit("model/attempt-seconds") * 1000))
        if effect.limits is not None and effect.limits.attempt_ms_max != due:
            yield f"an attempt is told to take {effect.limits.attempt_ms_max} ms of {due}"
    if effect.left_ms != due:
        yield f"{effect.kind} may take {effect.left_ms} ms, and {due} are left"


def effects_need_a_lease(history: History, effect: Effect) -> Iterator[str]:
    """No effect begins while the lease of its process is over, as far as that process can know (LED-06)."""
    last = [seen for seen in history.effects[:-1] if seen.epoch == effect.epoch]
    together = bool(last) and last[-1].records == effect.records  # side by side: the clock moved while one waited
    if not together and effect.at >= effect.lease_until:
        yield f"{effect.kind} began {effect.at - effect.lease_until} ms after the lease was over"


def only_registered_sources_open(history: History, effect: Effect) -> Iterator[str]:
    """Nothing is opened but a document that this Run registered (WEB-01)."""
    if effect.kind == READ and effect.request.get("document") not in history.tally.documents.values():
        yield f"{effect.request.get('document')!r} was opened and never registered"


def _known_to(history: History, effect: Effect) -> Tally:
    """The Run as the process of an effect wrote it last; another one may have gone on since."""
    known = history.records[: effect.records]
    return next((record for record in reversed(known) if record.stored.epoch == effect.epoch), known[-1]).after


def _lawful(spec: ToolSpec, tally: Tally, at: int) -> bool:
    if tally.phase not in spec.phases or set(spec.actions) & set(tally.contract.forbidden):
        return False
    costs = (*spec.debits, "run/tool-calls") if spec.debits else ()
    if any((left := tally.left(policy)) is not None and left <= 0 for policy in costs):
        return False
    research = tally.limit("run/active-seconds") - tally.limit("run/finalization-seconds")
    seconds = min(research, tally.limit("web/window-seconds"))
    return not spec.gathers_evidence or tally.active_ms(at) < seconds * 1000


INVARIANTS = (
    offers_follow_the_facts,
    only_offered_tools_take_effect,
    hidden_tools_stay_hidden,
    registries_keep_their_size,
    evidence_is_issued_once,
    an_effect_gets_its_own_receipt,
    instructions_in_pages_are_flagged,
)
OF_EFFECTS = (
    effects_were_reserved,
    models_are_offered_what_was_recorded,
    requests_reserve_their_worst_case,
    effects_end_in_time,
    effects_need_a_lease,
    only_registered_sources_open,
)
