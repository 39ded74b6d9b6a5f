"""Owns what must hold of budgets and time: every unit is counted, no limit is passed, none is ever raised.

Never: the Host's own budget as a witness; limits are those of the admission.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.record import events as e
from counterfoil.sim.history import History
from counterfoil.sim.plan import PERSON_MS
from counterfoil.sim.tally import ATTEMPTS, CORRECTIONS, REQUESTS, RESERVE, TOKENS, Request, Tally


def usage_is_the_sum_of_debits(history: History) -> Iterator[str]:
    """The Host's usage is what its events debited, and purposes add up to the total (LED-04, GOV-06)."""
    state, tally = history.known, history.tally
    for policy in sorted({*state.budget.used, *tally.used}):
        told, counted = state.budget.used.get(policy, 0), tally.used.get(policy, 0)
        if told != counted:
            yield f"{policy}: the Host counts {told}, its events {counted}"
    if dict(state.budget.requests) != tally.purposes:
        yield f"purposes: the Host counts {state.budget.requests}, its events {tally.purposes}"
    if sum(tally.purposes.values()) != tally.used.get(REQUESTS, 0):
        yield f"{tally.purposes} do not add up to {tally.used.get(REQUESTS, 0)} requests"


def usage_stays_within_limits(history: History) -> Iterator[str]:
    """No limit is passed; tokens, which are known afterwards, only grow (GOV-05, GOV-12)."""
    for policy, used in history.tally.used.items():
        limit = history.tally.limits.get(policy)
        if policy not in TOKENS and limit is not None and used > limit:
            yield f"{policy} allows {limit}, {used} were used"
    for _record, event in history.of(e.ModelCallSettled):
        usage = event.completion.usage
        if usage.input < 0 or usage.output < 0:
            yield f"{event.request} gave tokens back: {usage}"


def calls_cost_what_they_say(history: History) -> Iterator[str]:
    """A reserved call debits each policy that its tool declares once, and one tool call (GOV-12)."""
    declared = {spec.name: spec.debits for spec in history.known.snapshot.tools}
    for record, event in history.of(e.ToolCallReserved):
        call = record.before.calls.get(event.call_id)
        due = {policy: 1 for policy in (*declared.get(call.tool if call else "", ()), "run/tool-calls")}
        if event.debits != due:
            yield f"{event.call_id} debited {event.debits}, its tool declares {due}"


def exploration_leaves_the_reserve(history: History) -> Iterator[str]:
    """Before finalization no request is made from what is kept for it, nor with tokens spent (GOV-06)."""
    for record, event in history.of(e.ModelCallReserved):
        before = record.before
        finalizing = before.phase == "finalize_only"
        if (event.purpose == "finalize") != finalizing:
            yield f"{event.request} is for {event.purpose} in phase {before.phase}"
        exploring = before.limit(REQUESTS) - before.limit(RESERVE)
        if not finalizing and before.used.get(REQUESTS, 0) >= exploring:
            yield f"{event.request} for {event.purpose} takes from the reserve: {before.used[REQUESTS]} of {exploring}"
        if not finalizing and any((left := before.left(policy)) is not None and left <= 0 for policy in TOKENS):
            yield f"{event.request} explores with its tokens spent"


def attempts_are_bounded(history: History) -> Iterator[str]:
    """A request fails at most ``model/attempts`` times, waits as told, and not at all if that is no use (MOD-01)."""
    for record, event in history.of(e.ModelCallReserved):
        failed = _failed_since_a_reply(record.before)
        if not failed:
            continue
        last = failed[-1]
        if len(failed) >= record.before.limit("model/attempts"):
            yield f"{event.request} is attempt {len(failed) + 1} of one request"
        if last.wait_ms is None:
            yield f"{event.request} repeats a request that no repetition helps"
        elif record.stored.at < last.ended_at + last.wait_ms:
            yield f"{event.request} came {last.ended_at + last.wait_ms - record.stored.at} ms too early"


def nothing_starts_after_the_end(history: History) -> Iterator[str]:
    """Past the deadline or the expiry no request and no effect begins (GOV-07, GOV-14)."""
    for record, _event in history.of(e.ModelCallReserved, e.ToolCallReserved):
        before, at = record.before, record.stored.at
        if before.active_ms(at) >= before.limit("run/active-seconds") * 1000:
            yield f"{record.stored.type} {before.active_ms(at)} ms into the working time"
        if at - before.admitted_at >= before.limit("run/expires-seconds") * 1000:
            yield f"{record.stored.type} after the Run had expired"


def idle_time_is_what_nobody_worked(history: History) -> Iterator[str]:
    """A crashed attempt works at most its timeout, and neither clock resets on resuming (GOV-14)."""
    for record, event in history.of(e.RunRecovered):
        last = history.records[len(history.records) - len(history.fresh) - 1].after
        gap = max(0, record.stored.at - last.last_at)
        attempt = last.limit("model/attempt-seconds") * 1000 if last.reserved()[0] else 0
        if event.idle_ms != max(0, gap - attempt):
            yield f"{event.idle_ms} ms were called idle of a gap of {gap} ms"


def waiting_for_a_person_is_no_work(history: History) -> Iterator[str]:
    """What a caller took to look at the contract is taken off the working time (GOV-14)."""
    for _record, event in history.of(e.ContractConfirmed):
        due = PERSON_MS if event.by == "caller" else 0
        if event.waited_ms != due:
            yield f"the caller took {due} ms, recorded are {event.waited_ms}"


def allowances_are_charged(history: History) -> Iterator[str]:
    """Publications debit attempts in research; in finalization the first is free, corrections are not (TSK-08)."""
    for record, event in history.of(e.PublicationProposed):
        before = record.before
        due = ATTEMPTS if before.phase == "research" else CORRECTIONS if before.correcting else None
        if event.charged != due:
            yield f"{event.candidate.id} was charged to {event.charged}, not {due}"


def _failed_since_a_reply(tally: Tally) -> list[Request]:
    requests = list(tally.requests.values())
    last = max((n for n, request in enumerate(requests) if request.status == "settled"), default=-1)
    return [request for request in requests[last + 1 :] if request.status == "failed"]


INVARIANTS = (
    usage_is_the_sum_of_debits,
    usage_stays_within_limits,
    calls_cost_what_they_say,
    exploration_leaves_the_reserve,
    attempts_are_bounded,
    nothing_starts_after_the_end,
    idle_time_is_what_nobody_worked,
    waiting_for_a_person_is_no_work,
    allowances_are_charged,
)
