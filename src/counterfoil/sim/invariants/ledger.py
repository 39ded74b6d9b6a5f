"""Owns what must hold of the ledger: order, epochs, phases, one receipt for a reservation, two folds that agree.

Never: repairing or excusing; an invariant that fails is a defect of the Host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

from counterfoil.core.law.phases import MOVES, Phase
from counterfoil.core.record import events as e
from counterfoil.core.view.build import view_delta
from counterfoil.core.view.review import view_for
from counterfoil.sim.counted import Judged, Request
from counterfoil.sim.history import History
from counterfoil.sim.tally import REVIEWS, SPLIT, Tally


def sequence_has_no_holes(history: History) -> Iterator[str]:
    """Events are numbered from 1, and the first of them is the admission (LED-01)."""
    first = len(history.records) - len(history.fresh) + 1
    for expected, record in enumerate(history.fresh, first):
        if record.stored.seq != expected:
            yield f"event {record.stored.seq} stands where {expected} should"
        if (expected == 1) != isinstance(record.event, e.RunAdmitted):
            yield f"event {expected} is {record.stored.type}"


def one_holder_at_a_time(history: History) -> Iterator[str]:
    """Every holder has the next epoch, and writes under no other (LED-06)."""
    for record, event in history.of(e.LeaseTaken):
        if event.epoch != record.before.epoch + 1:
            yield f"epoch {event.epoch} follows epoch {record.before.epoch}"
    for record in history.fresh:
        if record.stored.epoch != history.tally.epoch:
            yield f"event {record.stored.seq} was written under epoch {record.stored.epoch}, not {history.tally.epoch}"


def leases_follow_the_run(history: History) -> Iterator[str]:
    """While a Run is driven its holder has the lease; a Run that is paused or settled is free at once (LED-06)."""
    lease, tally = history.lease, history.tally
    if lease is None:  # then no effect is lawful either (see ``tools.effects_need_a_lease``)
        return
    over = lease.until <= tally.last_at
    if lease.epoch != tally.epoch or lease.holder != tally.holder:
        yield f"{lease.holder} has lease {lease.epoch}, {tally.holder} took {tally.epoch}"
    if over != (tally.paused or tally.settled is not None):
        yield f"the lease lasts {lease.until - tally.last_at} ms longer, the Run is {_standing(tally)}"


def a_pause_keeps_everything(history: History) -> Iterator[str]:
    """Nothing happens to a paused Run until somebody takes it up, and whoever does says so (GOV-14)."""
    for record in history.fresh:
        event, paused = record.event, record.before.paused
        if paused and not isinstance(event, e.LeaseTaken | e.RunResumed):
            yield f"{record.stored.type} was recorded of a paused Run"
        if isinstance(event, e.RunRecovered | e.RunResumed) and isinstance(event, e.RunResumed) != paused:
            yield f"{record.stored.type} of a Run that was {_standing(record.before)}"
        if isinstance(event, e.RunPaused) and (lost := _under_way(record.after)):
            yield f"the Run was paused with {lost} under way"


def phases_follow_the_table(history: History) -> Iterator[str]:
    """A Run moves only as ``MOVES`` allows, and is settled only in phase settled (GOV-08)."""
    for record, event in history.of(e.PhaseChanged):
        if (Phase(record.before.phase), event.to) not in MOVES:
            yield f"moved from {record.before.phase} to {event.to.value}"
    for record, _settled in history.of(e.RunSettled):
        if record.before.phase != "settled":
            yield f"settled in phase {record.before.phase}"


def nothing_follows_the_settlement(history: History) -> Iterator[str]:
    """A Run settles once, and that is its last event (LED-09)."""
    for record in history.fresh:
        if record.before.settled is not None:
            yield f"{record.stored.type} was recorded after the Run had settled"


def one_reservation_an_attempt(history: History) -> Iterator[str]:
    """No attempt is debited twice; nothing is asked while something is open (LED-02)."""
    for record, event in history.of(e.ModelCallReserved):
        open_requests, reserved = record.before.reserved()
        waiting = [name for name, call in record.before.calls.items() if call.status in ("proposed", "judging")]
        if event.request in record.before.requests:
            yield f"request {event.request} was reserved twice"
        if event.purpose in REVIEWS:  # it is about an answer that waits, or made when nothing else will be
            waiting = []
        if open_requests or reserved or waiting:
            yield f"{event.request} was reserved while {[*open_requests, *reserved, *waiting]} were open"
    for record, called in history.of(e.ToolCallReserved):
        call = record.before.calls.get(called.call_id)
        if call is None:
            yield f"{called.call_id} was reserved and never proposed"
        elif call.status not in ("proposed", "unknown") or call.reservations != call.unknowns:
            yield f"{called.call_id} was reserved again while {call.status}"


def one_receipt_a_reservation(history: History) -> Iterator[str]:
    """A receipt follows its reservation, once; only what cost nothing needs none (LED-02, LED-03)."""
    for record in history.fresh:
        event, before = record.event, record.before
        if isinstance(event, e.ModelCallSettled | e.ModelCallFailed):
            status = before.requests[event.request].status if event.request in before.requests else "not reserved"
            if status != "reserved":
                yield f"a receipt for {event.request}, which is {status}"
        elif isinstance(event, e.ToolCallRefused):
            status = before.calls[event.call_id].status if event.call_id in before.calls else "not proposed"
            if status not in ("proposed", "unknown"):
                yield f"{event.call_id} was refused, and it is {status}"
        elif isinstance(event, e.ToolCallSettled | e.ToolCallFailed):
            yield from _unreserved(history, event, before)
        elif isinstance(event, e.EffectOutcomeUnknown):
            known = before.requests if event.kind == "model" else before.calls
            status = known[event.id].status if event.id in known else "not reserved"
            if status != "reserved":
                yield f"the outcome of {event.id} was called unknown, and it is {status}"


def _unreserved(history: History, done: e.ToolCallSettled | e.ToolCallFailed, before: Tally) -> Iterator[str]:
    call = before.calls.get(done.call_id)
    if call is None or call.status not in ("proposed", "unknown", "judging", "reserved"):
        yield f"a receipt for {done.call_id}, which is {call.status if call else 'not proposed'}"
        return
    costs = any(spec.debits for spec in history.known.snapshot.tools if spec.name == call.tool)
    if costs and call.status != "reserved" and isinstance(done, e.ToolCallSettled) and not done.content.get("repeated"):
        yield f"{done.call_id} was settled without a reservation"


def recovery_leaves_nothing_open(history: History) -> Iterator[str]:
    """Who takes a Run up names every effect without a receipt as unknown, in the same commit (LED-02)."""
    lost = _under_way(history.tally)
    if history.of(e.RunRecovered, e.RunResumed) and lost:
        yield f"{lost} are still reserved after recovery"


def refusals_say_why(history: History) -> Iterator[str]:
    """Every rejection, refusal and failure stores its reason (LED-07)."""
    kinds = e.ToolCallRefused | e.ToolCallFailed | e.ModelCallFailed | e.FactRefused
    for record in history.fresh:
        if isinstance(record.event, kinds) and not record.event.code:
            yield f"{record.stored.type} has no code"
    for _record, rejected in history.of(e.PublicationRejected):
        if not rejected.findings or not all(finding.code for finding in rejected.findings):
            yield f"{rejected.publication} was rejected without a reason"


def both_folds_agree(history: History) -> Iterator[str]:
    """The Host's state and the second opinion tell the same Run (LED-01, LED-04)."""
    state, tally = history.known, history.tally
    accepted = state.accepted
    pairs = {
        "phase": (state.phase.value, tally.phase),
        "contract": (state.contract, tally.contract),
        "limits": ({name: value.value for name, value in state.budget.limits.items()}, tally.limits),
        "requests": ({turn.request: turn.status for turn in state.turns}, _statuses(tally.requests)),
        "calls": ({name: call.status for name, call in state.calls.items()}, _calls(history)),
        "silent replies": (state.silent_turns, tally.silences()),
        "facts": (state.facts, tally.facts),
        "evidence": (state.evidence_count, sum(read.count for read in tally.reads)),
        "sources": ({name: source.document.id for name, source in state.sources.items()}, tally.documents),
        "publications": ({p.candidate.id: p.status for p in state.publications}, _statuses(tally.candidates)),
        "accepted": (accepted.candidate.id if accepted else None, tally.accepted),
        "finish": ((state.finish_accepted, state.no_answer), (tally.finished, tally.no_answer)),
        "phase policy": (state.phase_policy, tally.phase_policy),
        "paused": (state.paused, tally.paused),
        "cancelled": (state.cancelled is not None, tally.cancelled),
        "idle time": (state.paused_ms, tally.idle_ms),
        "admission": (state.admitted_at, tally.admitted_at),
        "epoch": (state.epoch, tally.epoch),
        "settled": (state.settled, tally.settled),
        "sequence": (state.seq, len(history.records)),
    }
    for what, (folded, counted) in pairs.items():
        if folded != counted:
            yield f"{what}: the Host has {folded!r}, the events say {counted!r}"


def views_follow_from_the_ledger(history: History) -> Iterator[str]:
    """What a request showed can be proven: its hash is that of the view made again from the ledger (LED-11)."""
    for place, record in enumerate(history.fresh):
        event = record.event
        if isinstance(event, e.ModelCallReserved):
            state = history.states[place]
            made = view_delta(state, view_for(state, event.purpose, history.prompts))[1]
            if made != event.view_hash:
                yield f"the view of {event.request} is not the one that the ledger gives"


def changed_prompts_are_named(history: History) -> Iterator[str]:
    """Who takes a Run up with other prompts than it was admitted with says which, and what they are now (GOV-11)."""
    first, now = history.records[0].event, {name: digest_of(text) for name, text in history.prompts.items()}
    admitted = first.snapshot.prompts if isinstance(first, e.RunAdmitted) else {}
    if isinstance(history.fresh[0].event, e.RunAdmitted) and admitted != now:
        yield "the prompts noted at admission are not those that it had"
    due = {name: digest for name, digest in now.items() if digest != admitted.get(name)}
    for record in history.fresh:
        event = record.event
        if isinstance(event, e.RunRecovered | e.RunResumed) and event.prompts != due:
            yield f"prompts {sorted(due)} are other ones than at admission, named are {sorted(event.prompts)}"


def digest_of(prompt: str) -> str:
    """The version of a prompt."""
    return sha256(prompt.encode()).hexdigest()


def _standing(tally: Tally) -> str:
    return "settled" if tally.settled else "paused" if tally.paused else "under way"


def contracts_grant_nothing(history: History) -> Iterator[str]:
    """What a model proposes as a contract names rows and fields, and opens, binds and allows nothing (GOV-05)."""
    for record, event in history.of(e.ContractProposed):
        asked, made = record.before.contract, event.contract
        if made is not None:
            kept = (made.question, made.domains, made.forbidden) == (asked.question, asked.domains, asked.forbidden)
            if not kept or any(row.domains or row.docs for row in made.rows):
                yield f"the proposed contract grants something: {made}"


def _under_way(tally: Tally) -> list[str]:
    """Effects that nobody could go on with: a split goes on with its helpers, which rest and are taken up with it."""
    requests, calls = tally.reserved()
    return [*requests, *(name for name in calls if tally.calls[name].tool != SPLIT)]


def _statuses(things: Mapping[str, Request | Judged]) -> dict[str, str]:
    return {name: thing.status for name, thing in things.items()}


def _calls(history: History) -> dict[str, str]:
    """Statuses as the Host names them: an effect that may be repeated is proposed again once it is unknown."""
    repeatable = {spec.name for spec in history.known.snapshot.tools if spec.effect == "repeatable"}
    return {
        name: "proposed" if call.status == "unknown" and call.tool in repeatable else call.status
        for name, call in history.tally.calls.items()
    }


INVARIANTS = (
    sequence_has_no_holes,
    one_holder_at_a_time,
    leases_follow_the_run,
    a_pause_keeps_everything,
    phases_follow_the_table,
    nothing_follows_the_settlement,
    one_reservation_an_attempt,
    one_receipt_a_reservation,
    recovery_leaves_nothing_open,
    refusals_say_why,
    both_folds_agree,
    views_follow_from_the_ledger,
    changed_prompts_are_named,
    contracts_grant_nothing,
)
