"""Owns whether an ending is true: its reason, policy and status are worked out again from what happened.

Never: the Host's rule for settlement; a false ending would agree with itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import get_args

from counterfoil.core.record import events as e
from counterfoil.core.record.outcome import Status, StopReason
from counterfoil.sim.history import History, Record
from counterfoil.sim.invariants.answers import filled, grounded
from counterfoil.sim.tally import ATTEMPTS, CORRECTIONS, KEPT, LOCAL, REQUESTS, RESERVE, Tally

SPENT = frozenset({"finalization_requests_exhausted", "hard_deadline", "expired"})
EVIDENCE_POLICIES = ("web/searches", "reader/reads", "run/tool-calls")


def the_reason_is_true(history: History) -> Iterator[str]:
    """A Run ends for a reason of the closed set, and what the reason says happened (TSK-13)."""
    for record, event in history.of(e.RunSettled):
        before = _before_the_end(history, record)
        rule = _REASONS.get(event.stop_reason)
        if event.stop_reason not in get_args(StopReason) or rule is None:
            yield f"{event.stop_reason} is no reason that a Run can end for"
        elif not rule(before, record.stored.at):
            yield f"settled as {event.stop_reason}, which did not happen"
        if before.cancelled and event.stop_reason != "cancelled":
            yield f"the caller cancelled, and the Run ended as {event.stop_reason}"


def the_status_is_true(history: History) -> Iterator[str]:
    """The status follows from what was accepted, what is missing and what was spent (TSK-10)."""
    for record, event in history.of(e.RunSettled):
        before = _before_the_end(history, record)
        due = true_status(before, event.stop_reason)
        if event.status not in get_args(Status) or event.status != due:
            yield f"settled as {event.status}, which is {due}"
        if event.finished != before.finished:
            yield f"finished is {event.finished}, a finish was {'' if before.finished else 'not '}accepted"
        if (event.error is not None) != (event.stop_reason == "provider_failed" or _refused_by_budget(before)):
            yield f"{event.stop_reason} ends with the error {event.error}"


def the_policies_are_true(history: History) -> Iterator[str]:
    """What an ending names as its limit is the limit that made it, and so is what its error names (TSK-13)."""
    for record, event in history.of(e.RunSettled):
        before = _before_the_end(history, record)
        rule = _POLICIES.get(event.stop_reason)
        due = rule(before) if rule else {None}
        if event.policy not in due:
            yield f"{event.stop_reason} names {event.policy}, lawful are {sorted(map(str, due))}"
        failed = before.failures()
        if event.error is not None and failed and before.input_refused is None:
            told = (event.error.get("code"), event.error.get("policy"))
            if told != (failed[-1].category, failed[-1].policy):
                yield f"the error is {told}, the last failure was {failed[-1].category} ({failed[-1].policy})"


def something_is_delivered(history: History) -> Iterator[str]:
    """An accepted answer is what the reader gets; without one, the Host's own report (TSK-11)."""
    for record, event in history.of(e.RunSettled):
        before = record.before
        hosts = [name for name, maker in before.delivered if maker == "host"]
        if not before.delivered or not event.delivered:
            yield "nothing was delivered"
        elif before.accepted is None and len(hosts) != 1:
            yield f"nothing was accepted, and the Host delivered {len(hosts)} reports"
        elif before.accepted is not None and (hosts or (before.accepted, "model") not in before.delivered):
            yield f"{before.accepted} was accepted, and {before.delivered} was delivered"


def nothing_begins_after_a_cancel(history: History) -> Iterator[str]:
    """Once the caller wants it to end, a Run asks for nothing any more (LED-09)."""
    for record, _event in history.of(e.ModelCallReserved, e.ToolCallReserved):
        if record.before.cancelled:
            yield f"{record.stored.type} after the caller had cancelled"


def finalization_has_a_cause(history: History) -> Iterator[str]:
    """Research ends early only when a budget, its time, its tools or the model's words are spent (GOV-08)."""
    for record, event in history.of(e.PhaseChanged):
        causes = _ends_of_research(record.before, record.stored.at)
        if event.to.value == "finalize_only" and event.policy not in causes:
            yield f"research ended because {event.why!r} ({event.policy}), which is not so: {causes}"


def true_status(tally: Tally, reason: str) -> str:
    """The status that a Run of this tally ends with, as TSK-10 says."""
    if reason == "cancelled":
        return "cancelled"
    spent = "budget_exhausted_partial" if reason in SPENT else "partial"
    if tally.accepted is None and not tally.no_answer:
        return spent if tally.reads and any(read.count for read in tally.reads) else "failed"
    missing = has_gaps(tally)
    if missing and evidence_is_spent(tally):
        return "budget_exhausted_partial"
    if not tally.finished:
        return spent
    return "completed_with_gaps" if missing else "completed"


def has_gaps(tally: Tally) -> bool:
    """Whether something asked for has no value in the answer."""
    if tally.accepted is None or tally.candidates[tally.accepted].candidate.gaps:
        return True
    cells = {*tally.contract.cells(), *((fact.row, fact.field) for fact in tally.facts)}
    return any(not filled(tally, row, field) or not _has_value(tally, row, field) for row, field in cells)


def evidence_is_spent(tally: Tally) -> bool:
    """Whether a limit rather than a choice ended the search for evidence."""
    moved = tally.phase == "finalize_only" and tally.phase_policy not in (None, ATTEMPTS)
    return moved or any(_spent(tally, policy) for policy in EVIDENCE_POLICIES) or bool(_unexplored(tally))


def _has_value(tally: Tally, row: str, field: str) -> bool:
    cell = (row.casefold(), field.casefold())
    return any(grounded(f) for f in tally.facts if (f.row.casefold(), f.field.casefold()) == cell)


def _spent(tally: Tally, policy: str) -> bool:
    left = tally.left(policy)
    return left is not None and left <= 0


def _unexplored(tally: Tally) -> set[str]:
    """Limits that leave no request for exploration."""
    requests = tally.used.get(REQUESTS, 0) >= tally.limit(REQUESTS) - tally.limit(RESERVE)
    return ({REQUESTS} if requests else set()) | _unpaid(tally, finalizing=False)


def _unpaid(tally: Tally, *, finalizing: bool) -> set[str]:
    """Tokens and money of which nothing is left for one more request."""
    left = {policy: tally.left_to_spend(policy, finalizing=finalizing) for policy in KEPT}
    return {policy for policy, units in left.items() if units is not None and units <= 0}


def _ends_of_research(tally: Tally, at: int) -> set[str | None]:
    """The limits that end research, None for what is no limit; none of either while it goes on."""
    active = tally.active_ms(_next_attempt(tally, at))
    seconds = tally.limit("run/active-seconds") - tally.limit("run/finalization-seconds")
    causes: set[str | None] = {*_unexplored(tally)}
    causes |= {policy for policy in ("run/tool-calls", ATTEMPTS) if _spent(tally, policy)}
    if tally.input_refused in KEPT:
        causes.add(tally.input_refused)
    if active >= seconds * 1000:
        causes.add("run/finalization-seconds")
    if tally.silences() >= 2:
        causes.add(None)
    late = active >= tally.limit("web/window-seconds") * 1000
    spent = {policy for policy in ("web/searches", "reader/reads") if _spent(tally, policy)}
    if late or len(spent) == 2:  # neither searching nor reading is left
        causes |= spent | ({"web/window-seconds"} if late else set())
    return causes


def _before_the_end(history: History, settled: Record) -> Tally:
    """The tally before the Host began to settle: what it closed itself is no reason."""
    for record in history.fresh:
        event = record.event
        closing = isinstance(event, e.ToolCallRefused) and event.code == "RUN_ENDED"
        hosts = isinstance(event, e.PublicationDelivered) and event.assembled_by == "host"
        moving = isinstance(event, e.PhaseChanged) and event.to.value == "settled"
        if closing or hosts or moving:
            return record.before
    return settled.before


def _deadline(tally: Tally, at: int) -> bool:
    return tally.active_ms(_next_attempt(tally, at)) >= tally.limit("run/active-seconds") * 1000


def _expiry(tally: Tally, at: int) -> bool:
    age = _next_attempt(tally, at) - tally.admitted_at
    return age >= tally.limit("run/expires-seconds") * 1000


def _next_attempt(tally: Tally, at: int) -> int:
    """When the Run would go on: after the wait of a failed request."""
    failed = [request for request in tally.own() if request.status != "unknown"]
    last = failed[-1] if failed else None
    waiting = last is not None and last.status == "failed" and last.wait_ms is not None
    return max(at, last.ended_at + (last.wait_ms or 0)) if last and waiting else at


def _provider(tally: Tally, _at: int) -> bool:
    return bool(_provider_policies(tally))


def _provider_policies(tally: Tally) -> set[str | None]:
    """Why no further attempt is lawful, as the limit that says so, None for a failure that no repetition helps."""
    if tally.input_refused == "context/input-bytes":
        return {tally.input_refused}
    failed = tally.failures()
    if not failed or _refused_by_budget(tally):
        return set()
    last = failed[-1]
    purpose = "finalize" if tally.phase == "finalize_only" else last.purpose
    lawful: set[str | None] = {*_unexplored(tally)} if purpose == "entry" else set()
    if tally.further(last):
        return lawful
    if last.wait_ms is None:
        return {last.policy}
    own = [request for request in failed if (request.purpose, request.model) == (purpose, last.model)]
    if len(own) >= tally.limit("model/attempts"):
        lawful.add("model/attempts")
    return lawful


def _refused_by_budget(tally: Tally) -> bool:
    """Whether the latest request was refused by a budget, which ends a Run that nobody cancelled."""
    last = next(reversed(tally.own()), None)
    return last is not None and last.category == LOCAL and not tally.cancelled


def _corrections(tally: Tally, _at: int) -> bool:
    return tally.phase == "finalize_only" and tally.correcting and _spent(tally, CORRECTIONS)


def _requests(tally: Tally, _at: int) -> bool:
    return _refused_by_budget(tally) or (tally.phase == "finalize_only" and bool(_request_policies(tally)))


def _request_policies(tally: Tally) -> set[str | None]:
    """What leaves finalization without a request, or a Run in any phase."""
    if _refused_by_budget(tally):
        return {REQUESTS}
    refused = {tally.input_refused} if tally.input_refused in KEPT else set()
    requests = {RESERVE} if _spent(tally, REQUESTS) else set()
    return {*refused, *requests, *_unpaid(tally, finalizing=True)}


_POLICIES: dict[str, Callable[[Tally], set[str | None]]] = {
    "finish_accepted": lambda tally: {tally.phase_policy},
    "model_stopped": lambda tally: {tally.phase_policy},
    "provider_failed": _provider_policies,
    "hard_deadline": lambda _tally: {"run/active-seconds"},
    "expired": lambda _tally: {"run/expires-seconds"},
    "corrections_exhausted": lambda _tally: {CORRECTIONS},
    "finalization_requests_exhausted": _request_policies,
}
_REASONS: dict[str, Callable[[Tally, int], bool]] = {
    "finish_accepted": lambda tally, _at: tally.finished,
    "cancelled": lambda tally, _at: tally.cancelled,
    "provider_failed": _provider,
    "hard_deadline": _deadline,
    "expired": _expiry,
    "model_stopped": lambda tally, _at: tally.silences() >= 3,
    "corrections_exhausted": _corrections,
    "finalization_requests_exhausted": _requests,
}

INVARIANTS = (
    the_reason_is_true,
    the_status_is_true,
    the_policies_are_true,
    something_is_delivered,
    nothing_begins_after_a_cancel,
    finalization_has_a_cause,
)
