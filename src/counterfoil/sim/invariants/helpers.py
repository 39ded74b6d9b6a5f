"""Owns what must hold between a Run and its helpers: the carve is the most, the rest comes back, each end is told.

Never: what holds of a helper as of any Run; a helper's own history is checked by every other invariant.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.record import events as e
from counterfoil.core.record import helpers as h
from counterfoil.sim.counted import HelperTally, Number
from counterfoil.sim.history import Effect, History
from counterfoil.sim.invariants.budget import overshoot, same
from counterfoil.sim.tally import KEPT, REQUESTS, RESERVE, SPLIT

PARTS = (2, 4)


def carves_leave_the_reserve(history: History) -> Iterator[str]:
    """What parts may use together is no more than what is left for research, and each of it is debited (QC-07)."""
    for record, event in history.of(h.BudgetCarved):
        if any(units < 0 for units in event.carve.values()):
            yield f"{event.helper} got less than nothing: {event.carve}"
        after = record.after
        if after.used.get(REQUESTS, 0) > after.limit(REQUESTS) - after.limit(RESERVE):
            yield f"the carve of {event.helper} takes requests from the reserve"
        for policy in KEPT:
            left = after.left_to_spend(policy, finalizing=False)
            if left is not None and event.carve.get(policy, 0) > 0 and left < -1e-9:
                yield f"the carve of {event.helper} takes {-left} of {policy} from what is kept for finalization"


def helpers_stay_within_their_carve(history: History) -> Iterator[str]:
    """A helper has the limits that were carved out for it, and uses no more (QC-07)."""
    part = _part(history)
    if part is None:
        return
    name = history.records[0].stored.run_id
    for _record, _admission in history.of(e.RunAdmitted):
        for policy, units in part.carve.items():
            limit = history.tally.limits[policy]
            if limit is None or limit > units:
                yield f"{name} may use {limit} of {policy}, carved are {units}"
    for record in history.fresh:
        for policy, units in part.carve.items():
            used = record.after.used.get(policy, 0)
            grown = used - record.before.used.get(policy, 0)
            if grown > 0 and used - overshoot(record, policy) > units + 1e-9:
                yield f"{name} used {used} of {policy}, carved were {units}"


def helpers_have_no_helpers(history: History) -> Iterator[str]:
    """Work is split once: a helper neither has the tool nor parts of its own, and no part has a wrong size (QC-07)."""
    if history.parent is not None:
        if any(spec.name == SPLIT for spec in history.known.snapshot.tools):
            yield "a helper was admitted with the tool that splits"
        if history.of(h.HelperAdmitted, h.BudgetCarved):
            yield "a helper has helpers"
    for record, event in history.of(e.ToolCallReserved):
        call = record.before.calls.get(event.call_id)
        parts = [part for part in history.tally.helpers.values() if part.call_id == event.call_id]
        if call is not None and call.tool == SPLIT and not PARTS[0] <= len(parts) <= PARTS[1]:
            yield f"{event.call_id} was split into {len(parts)} parts"
        if any(not part.carve for part in parts):
            yield f"a part of {event.call_id} was admitted without a carve"


def helpers_begin_after_they_were_admitted(history: History) -> Iterator[str]:
    """A helper begins once its part stands on the ledger of its parent (QC-07)."""
    if history.parent is not None and _part(history) is None:
        yield f"{history.records[0].stored.run_id} is a helper that nobody admitted"


def helpers_do_nothing_after_their_end(history: History, effect: Effect) -> Iterator[str]:
    """Once a parent has told how a helper ended, it has no effect any more, whoever drives it (QC-07)."""
    part = _part(history)
    if part is not None and part.status:
        yield f"{effect.kind} by a helper that its parent has down as {part.status}"


def ends_of_helpers_are_true(history: History) -> Iterator[str]:
    """A parent tells of each helper once how it ended, as its own ledger says, or what it broke on (QC-07)."""
    for record, event in history.of(h.HelperSettled):
        if record.after.helpers[event.helper].ends > 1:
            yield f"the end of {event.helper} was recorded again"
        helper = history.helpers.get(event.helper)
        over = helper.tally.settled if helper else None
        if over is not None:
            due = (over.status, over.stop_reason)
            if (event.status, event.stop_reason) != due:
                yield f"{event.helper} is told as {event.status} ({event.stop_reason}), it ended as {due}"
        elif not event.why:
            yield f"{event.helper} is not over, and nothing says what broke it"
        elif event.status != "failed":
            yield f"{event.helper} could not go on, and is told as {event.status}"
        head = helper.records[-1].stored.hash if helper and helper.records else ""
        if event.head != head:
            yield f"the head of {event.helper} is {head}, recorded is {event.head}"


def what_is_returned_was_not_used(history: History) -> Iterator[str]:
    """What comes back and what a helper used are its carve, and it comes back once (QC-07, LED-02)."""
    for record, event in history.of(h.BudgetReturned):
        part = record.after.helpers[event.helper]
        if part.returns > 1:
            yield f"{event.helper} gave its budget back {part.returns} times"
        used = _used(history, event.helper)
        for policy in {*part.carve, *event.returned}:
            carved, back = part.carve.get(policy, 0), event.returned.get(policy, 0)
            if not same(carved, used.get(policy, 0) + back):
                yield f"{event.helper} used {used.get(policy, 0)} and returned {back} of {carved} for {policy}"
    for _record, over in history.of(h.HelperSettled):
        if history.tally.helpers[over.helper].returns == 0 and not over.why:
            yield f"{over.helper} is over, and nothing of its carve came back"


def every_part_is_told(history: History) -> Iterator[str]:
    """The receipt of a split names each of its parts with its true end; a failed one is not left out (QC-07)."""
    for record, event in history.of(e.ToolCallSettled):
        ends = [part.status for part in record.before.helpers.values() if part.call_id == event.call_id]
        told = [part.get("status") for part in event.content.get("parts", ())]
        if ends and told != ends:
            yield f"{event.call_id} ended as {ends}, its model is told {told}"
    for record, _settled in history.of(e.RunSettled):
        waiting = [name for name, part in record.before.helpers.items() if not part.status]
        if waiting:
            yield f"the Run settled before {waiting}"


def _part(history: History) -> HelperTally | None:
    """What the parent of this helper recorded of it."""
    if history.parent is None:
        return None
    return history.parent.tally.helpers.get(history.records[0].stored.run_id)


def _used(history: History, helper: str) -> dict[str, Number]:
    known = history.helpers.get(helper)
    return known.tally.used if known else {}


OF_EFFECTS = (helpers_do_nothing_after_their_end,)
INVARIANTS = (
    carves_leave_the_reserve,
    helpers_stay_within_their_carve,
    helpers_have_no_helpers,
    helpers_begin_after_they_were_admitted,
    ends_of_helpers_are_true,
    what_is_returned_was_not_used,
    every_part_is_told,
)
