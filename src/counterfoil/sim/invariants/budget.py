"""Owns what must hold of budgets and time: every unit is counted, no limit is passed, none is ever raised.

Never: the Host's own budget as a witness; limits are those of the admission, or lower ones that a resume set.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from counterfoil.core.record import events as e
from counterfoil.core.record.helpers import BudgetReturned
from counterfoil.sim.counted import Number
from counterfoil.sim.history import History, Record
from counterfoil.sim.tally import (
    ATTEMPTS,
    CORRECTIONS,
    COST,
    INPUT,
    KEPT,
    LOCAL,
    OUTPUT,
    REQUESTS,
    RESERVE,
    REVIEWS,
    SPLIT,
    Tally,
)

CALLERS = frozenset(  # limits that a caller may lower, at admission or on resume
    {
        *KEPT,
        REQUESTS,
        ATTEMPTS,
        "run/tool-calls",
        "run/active-seconds",
        "web/searches",
        "web/results-per-search",
        "reader/reads",
    }
)


def usage_is_the_sum_of_debits(history: History) -> Iterator[str]:
    """The Host's usage is what its events debited, and purposes add up to the total (LED-04, GOV-06)."""
    state, tally = history.known, history.tally
    for policy in sorted({*state.budget.used, *tally.used}):
        told, counted = state.budget.used.get(policy, 0), tally.used.get(policy, 0)
        if not same(told, counted):
            yield f"{policy}: the Host counts {told}, its events {counted}"
    if dict(state.budget.requests) != tally.purposes:
        yield f"purposes: the Host counts {state.budget.requests}, its events {tally.purposes}"
    if sum(tally.purposes.values()) != tally.used.get(REQUESTS, 0):
        yield f"{tally.purposes} do not add up to {tally.used.get(REQUESTS, 0)} requests"
    if not same(state.cost_usd, tally.cost_usd):
        yield f"the Host counts {state.cost_usd} USD, its events {tally.cost_usd}"


def usage_stays_within_limits(history: History) -> Iterator[str]:
    """Nothing is debited beyond its limit; only a reply may turn out to have cost more than it was to (GOV-05)."""
    for record in history.fresh:
        before, after = record.before, record.after
        for policy, used in after.used.items():
            limit, more = after.limits.get(policy), overshoot(record, policy)
            grown = used - before.used.get(policy, 0) - more
            if limit is not None and grown > 1e-9 and used - more > limit + 1e-9:
                yield f"{policy} allows {limit}, {used} were used"
    for _record, event in history.of(e.ModelCallSettled):
        usage = event.completion.usage
        if usage.input < 0 or usage.output < 0 or (event.usd or 0) < 0:
            yield f"{event.request} gave something back: {usage}, {event.usd} USD"


def limits_only_fall(history: History) -> Iterator[str]:
    """Who takes a Run up lowers the limits that its deployment sets lower, and no other, and raises none (LED-04)."""
    for record, event in _taken_up(history):
        limits = record.before.limits
        due = {
            policy: value
            for policy, value in history.configured.items()
            if policy in CALLERS and ((now := limits[policy]) is None or value < now)
        }
        if dict(event.narrowed) != due:
            yield f"taken up under {dict(event.narrowed)}, lower ones are {due}"
    for record in history.fresh:
        if record.after.limits is record.before.limits:
            continue
        for policy, limit in record.after.limits.items():
            was = record.before.limits.get(policy, limit)
            if was is not None and (limit is None or limit > was):
                yield f"{record.stored.type} raised {policy} from {was} to {limit}"


def calls_cost_what_they_say(history: History) -> Iterator[str]:
    """A reserved call debits each policy that its tool declares once, and one tool call (GOV-12)."""
    declared = {spec.name: spec.debits for spec in history.known.snapshot.tools}
    for record, event in history.of(e.ToolCallReserved):
        call = record.before.calls.get(event.call_id)
        due = {policy: 1 for policy in (*declared.get(call.tool if call else "", ()), "run/tool-calls")}
        if call and call.tool == SPLIT:  # what its parts may use is carved out for each of them
            due = {}
        if event.debits != due:
            yield f"{event.call_id} debited {event.debits}, its tool declares {due}"


def exploration_leaves_the_reserve(history: History) -> Iterator[str]:
    """Before finalization nothing is spent of what is kept for it: requests, tokens, money (GOV-06)."""
    for record, event in history.of(e.ModelCallReserved):
        before = record.before
        finalizing = before.phase == "finalize_only" or event.purpose == "reviewer"  # after which nothing else comes
        if event.purpose != "reviewer" and (event.purpose == "finalize") != finalizing:
            yield f"{event.request} is for {event.purpose} in phase {before.phase}"
        exploring = before.limit(REQUESTS) - before.limit(RESERVE)
        if not finalizing and before.used.get(REQUESTS, 0) >= exploring:
            yield f"{event.request} for {event.purpose} takes from the reserve: {before.used[REQUESTS]} of {exploring}"
        for policy in KEPT:
            left = before.left_to_spend(policy, finalizing=finalizing)
            if left is not None and (left <= 0 or event.worst.get(policy, 0) > left + 1e-9):
                yield f"{event.request} may spend {event.worst.get(policy, 0)} of {policy}, which leaves {left}"


def attempts_are_bounded(history: History) -> Iterator[str]:
    """A model is asked for a request ``model/attempts`` times at most, as told, and only if that is of use (MOD-01)."""
    for record, event in history.of(e.ModelCallReserved):
        model, failed = record.before.asked(event), record.before.failures()
        if event.purpose in REVIEWS or not failed or failed[-1].model != model:
            continue
        last, own = failed[-1], [one for one in failed if (one.purpose, one.model) == (event.purpose, model)]
        if len(own) >= record.before.limit("model/attempts"):
            yield f"{event.request} is attempt {len(own) + 1} of one request"
        if last.wait_ms is None:
            yield f"{event.request} repeats a request that no repetition helps"
        elif record.stored.at < last.ended_at + last.wait_ms:
            yield f"{event.request} came {last.ended_at + last.wait_ms - record.stored.at} ms too early"


def the_chain_is_walked_forward(history: History) -> Iterator[str]:
    """The next model is asked when the one before is given up, none is left out or asked again (MOD-01)."""
    for record, event in history.of(e.ModelCallReserved):
        before, model, failed = record.before, record.before.asked(event), record.before.failures()
        last = next((request.model for request in reversed(before.own())), before.models[0])
        if model == last or event.purpose == "reviewer":
            continue
        if not failed or model != before.further(failed[-1]):
            yield f"{event.request} went to {model} after {last}"
            continue
        own = [one for one in failed if (one.purpose, one.model) == (event.purpose, last)]
        if failed[-1].wait_ms is not None and len(own) < before.limit("model/attempts"):
            yield f"{last} was given up after {len(own)} attempts"


def nothing_follows_a_budgets_refusal(history: History) -> Iterator[str]:
    """A refusal by a budget is not tried again, waited for or taken to another model (MOD-02)."""
    for record, event in history.of(e.ModelCallReserved):
        if any(request.category == LOCAL for request in record.before.own()):
            yield f"{event.request} was asked after a budget had refused"
    for record, failure in history.of(e.ModelCallFailed):
        if failure.category == LOCAL and failure.wait_ms is not None:
            yield f"{record.stored.type} of a budget's refusal waits {failure.wait_ms} ms"


def nothing_starts_after_the_end(history: History) -> Iterator[str]:
    """Past the deadline or the expiry no request and no effect begins (GOV-07, GOV-14)."""
    for record, _event in history.of(e.ModelCallReserved, e.ToolCallReserved):
        before, at = record.before, record.stored.at
        if before.active_ms(at) >= before.limit("run/active-seconds") * 1000:
            yield f"{record.stored.type} {before.active_ms(at)} ms into the working time"
        if at - before.admitted_at >= before.limit("run/expires-seconds") * 1000:
            yield f"{record.stored.type} after the Run had expired"


def idle_time_is_what_nobody_worked(history: History) -> Iterator[str]:
    """A crashed attempt works at most its timeout, a pause is no work, and no clock resets on resuming (GOV-14)."""
    for record, event in _taken_up(history):
        last = history.records[len(history.records) - len(history.fresh) - 1].after
        gap = max(0, record.stored.at - _worked_until(history, last))
        attempt = last.limit("model/attempt-seconds") * 1000 if last.reserved()[0] else 0
        if event.idle_ms != max(0, gap - attempt):
            yield f"{event.idle_ms} ms were called idle of a gap of {gap} ms"


def waiting_for_a_person_is_no_work(history: History) -> Iterator[str]:
    """What a caller took to look at the contract is taken off the working time, answered or not (GOV-14)."""
    waited: list[tuple[Record, e.ContractConfirmed | e.RunPaused]]
    waited = [*history.of(e.ContractConfirmed), *history.of(e.RunPaused)]
    for record, event in waited:
        due = history.looked.get((record.stored.epoch, record.stored.type), 0)
        if event.waited_ms != due:
            yield f"the caller took {due} ms, recorded are {event.waited_ms}"


def allowances_are_charged(history: History) -> Iterator[str]:
    """Publications debit attempts in research; in finalization the first is free, corrections are not (TSK-08)."""
    for record, event in history.of(e.PublicationProposed):
        before = record.before
        due = ATTEMPTS if before.phase == "research" else CORRECTIONS if before.correcting else None
        if event.charged != due:
            yield f"{event.candidate.id} was charged to {event.charged}, not {due}"


def replies_are_read_to_their_limit(history: History) -> Iterator[str]:
    """Of a reply no more calls are read than one may hold, and the model is told of the rest (GOV-12)."""
    for record, event in history.of(e.ModelCallSettled):
        most = int(record.before.limit("run/calls-per-reply"))
        calls = [made.call for _record, made in history.of(e.ToolCallProposed) if made.request == event.request]
        mute = record.before.requests[event.request].purpose in ("entry", "reviewer")
        due = 0 if mute else min(len(event.completion.calls), most + 1)
        if len(calls) != due or (due > most and calls[-1].malformed is None):
            yield f"{len(calls)} calls were read of {len(event.completion.calls)}, a reply may hold {most}"


def same(one: Number | None, other: Number | None) -> bool:
    """Whether two sums are equal; money adds up to fractions that differ in their last digits."""
    return one == other or (one is not None and other is not None and math.isclose(one, other, abs_tol=1e-9))


def _worked_until(history: History, tally: Tally) -> int:
    """When somebody worked on the Run last, be it one of its helpers."""
    under_way = [
        history.helpers[name] for name, part in tally.helpers.items() if not part.status and name in history.helpers
    ]
    return max(tally.last_at, *(helper.tally.last_at for helper in under_way), 0)


def _taken_up(history: History) -> list[tuple[Record, e.RunRecovered | e.RunResumed]]:
    return [*history.of(e.RunRecovered), *history.of(e.RunResumed)]


def overshoot(record: Record, policy: str) -> Number:
    """By how much a reply cost more than its request was to, be it one of a helper."""
    event = record.event
    if isinstance(event, BudgetReturned) and policy in KEPT:
        return max(0, -event.returned.get(policy, 0))
    if not isinstance(event, e.ModelCallSettled) or policy not in KEPT:
        return 0
    usage = event.completion.usage
    spent = {INPUT: usage.input, OUTPUT: usage.output, COST: event.usd or 0}
    return max(0, spent[policy] - record.before.requests[event.request].worst.get(policy, 0))


INVARIANTS = (
    usage_is_the_sum_of_debits,
    usage_stays_within_limits,
    limits_only_fall,
    calls_cost_what_they_say,
    exploration_leaves_the_reserve,
    attempts_are_bounded,
    the_chain_is_walked_forward,
    nothing_follows_a_budgets_refusal,
    nothing_starts_after_the_end,
    idle_time_is_what_nobody_worked,
    waiting_for_a_person_is_no_work,
    allowances_are_charged,
    replies_are_read_to_their_limit,
)
