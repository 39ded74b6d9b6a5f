"""Owns the list of invariants and when each is checked: after a commit, at an effect, between processes, at the end.

Never: stopping at what one of them says of another; the first that fails is reported by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from counterfoil.core.record.chain import GENESIS, check_chain, link
from counterfoil.core.record.events import Event, RunAdmitted
from counterfoil.core.record.evolve import begin, evolve
from counterfoil.core.record.state import RunState
from counterfoil.host.report import RunReport
from counterfoil.ports.ledger import Lease, StoredEvent, Verification
from counterfoil.sim.history import Effect, History
from counterfoil.sim.invariants import answers, budget, ending, helpers, ledger, quality, reviews, tools
from counterfoil.sim.invariants.budget import same

AFTER_A_COMMIT: tuple[Callable[[History], Iterator[str]], ...] = (
    *ledger.INVARIANTS,
    *budget.INVARIANTS,
    *tools.INVARIANTS,
    *answers.INVARIANTS,
    *quality.INVARIANTS,
    *reviews.INVARIANTS,
    *helpers.INVARIANTS,
    *ending.INVARIANTS,
)
AT_AN_EFFECT: tuple[Callable[[History, Effect], Iterator[str]], ...] = (*tools.OF_EFFECTS, *helpers.OF_EFFECTS)


class Violation(Exception):
    """An invariant does not hold: the Host has a defect."""

    def __init__(self, invariant: str, what: str) -> None:
        super().__init__(f"{invariant}: {what}")
        self.invariant = invariant
        self.what = what


class Kept(msgspec.Struct, frozen=True):
    """What a ledger gives back of a Run: rows, events, and the store's own proof."""

    stored: tuple[StoredEvent, ...]
    events: tuple[Event, ...]
    lease: Lease | None
    proof: Verification | None  # None while another process will ask for it anyway


def after_a_commit(history: History) -> None:
    """Check every invariant of the records that were just committed.

    Raises:
        Violation: the first that does not hold.
    """
    for invariant in AFTER_A_COMMIT:
        _require(invariant.__name__, invariant(history))


def at_an_effect(history: History, effect: Effect) -> None:
    """Check every invariant of an effect that is about to happen.

    Raises:
        Violation: the first that does not hold.
    """
    for invariant in AT_AN_EFFECT:
        _require(invariant.__name__, invariant(history, effect))


def between_processes(history: History, kept: Kept) -> None:
    """Check that the ledger holds exactly what it acknowledged, before another process reads it.

    Raises:
        Violation: the first that does not hold.
    """
    if not kept.stored:
        raise Violation("receipts_stay_as_they_were", f"nothing is left of {len(history.records)} events")
    for invariant in (receipts_stay_as_they_were, the_chain_verifies, bytes_fold_to_the_state):
        _require(invariant.__name__, invariant(history, kept))


def purged_is_whole(history: History, stored: Sequence[StoredEvent], proof: Verification) -> None:
    """Check that a purge leaves every event and its proof where they were, and adds only that it happened (LED-12).

    Raises:
        Violation: it does not.
    """
    written = [record.stored for record in history.records]
    if list(stored[:-1]) != written or stored[-1].type != "BlobPurged" or check_chain(stored[0].run_id, stored):
        raise Violation("purged_is_whole", f"{len(written)} events were written, {len(stored)} are there after a purge")
    if proof.first_bad is not None or proof.head != stored[-1].hash or not proof.purged:
        raise Violation("purged_is_whole", f"after a purge the proof is {proof}")


def the_state_is_kept(history: History, state: RunState) -> None:
    """Check that a Host ends with the state that its events fold to.

    Raises:
        Violation: it does not.
    """
    if state != history.state:
        raise Violation("the_state_is_kept", f"the Host ends with another state: {difference(state, history.known)}")


def the_report_is_true(history: History, report: RunReport) -> None:
    """Check that a report tells what the ledger holds (TSK-09, TSK-11).

    Raises:
        Violation: it does not.
    """
    _require("the_report_is_true", _false_in(history, report))


def _false_in(history: History, report: RunReport) -> Iterator[str]:
    tally, settled = history.tally, history.tally.settled
    due = (settled.status, settled.stop_reason, settled.policy) if settled else ("paused", None, None)
    if (report.status, report.stop_reason, report.policy) != due or (settled is None and not tally.paused):
        yield f"it says {report.status} ({report.stop_reason}, {report.policy}), the Run is {due}"
    if not same(report.cost_usd, tally.cost_usd):
        yield f"it says that it cost {report.cost_usd} USD, of {tally.cost_usd}"
    if report.head != history.records[-1].stored.hash:
        yield f"its head is {report.head}"
    answer = tally.candidates[tally.accepted].candidate.body if tally.accepted else history.known.host_report
    shown = report.publication
    if settled is None and tally.accepted is None:
        if shown is not None:
            yield f"it shows {shown.body!r} of a Run that is paused without an answer"
    elif shown is None or shown.body != answer or (shown.assembled_by == "host") != (tally.accepted is None):
        yield f"it shows {shown.body if shown else None!r}, delivered was {answer!r}"
    for policy, line in report.usage.items():
        if not same(line["used"], tally.used.get(policy, 0)) or line["limit"] != tally.limits[policy]:
            yield f"it says {line['used']} of {line['limit']} for {policy}"


def receipts_stay_as_they_were(history: History, kept: Kept) -> Iterator[str]:
    """No event is lost, added or changed by a crash or a restart (LED-01, LED-05)."""
    written: Sequence[StoredEvent] = [record.stored for record in history.records]
    for place, (was, now) in enumerate(zip(written, kept.stored, strict=False), 1):
        if was != now:
            yield f"event {place} is not what was written: {was.type} is now {now.type}"
            return
    if kept.lease != history.lease:
        yield f"the lease was {history.lease}, it is {kept.lease}"
    if len(written) != len(kept.stored):
        yield f"{len(written)} events were written, {len(kept.stored)} are there"
    for record, event in zip(history.records, kept.events, strict=False):
        if msgspec.json.encode(record.event) != msgspec.json.encode(event):
            yield f"event {record.stored.seq} ({record.stored.type}) reads back as {event!r}"


def the_chain_verifies(history: History, kept: Kept) -> Iterator[str]:
    """The chain holds by the store's word and by recomputing it (LED-01, LED-12)."""
    fresh = kept.stored[history.proven :]  # what was proven before is the same, byte for byte
    prev = kept.stored[history.proven - 1].hash if history.proven else GENESIS
    for row in fresh:
        made = link(prev, row.run_id, row.seq, row.at, row.actor, row.type, row.payload, row.epoch)
        if (row.prev_hash, row.hash) != (prev, made):
            yield f"event {row.seq} breaks the chain"
        prev = row.hash
    history.proven = len(kept.stored)
    if kept.proof is not None and kept.proof.first_bad is not None:
        yield f"event {kept.proof.first_bad} does not verify: {kept.proof.why}"
    if kept.proof is not None and kept.proof.head != kept.stored[-1].hash:
        yield f"the head is {kept.proof.head}, the last event is {kept.stored[-1].hash}"


def bytes_fold_to_the_state(history: History, kept: Kept) -> Iterator[str]:
    """What a new process folds from the stored bytes is the state of the one before (LED-01, LED-04)."""
    first = kept.events[0]
    if not isinstance(first, RunAdmitted):
        yield f"the Run begins with {kept.stored[0].type}"
        return
    state = begin(kept.stored[0].run_id, first, kept.stored[0].at)
    for row, event in zip(kept.stored[1:], kept.events[1:], strict=True):
        state = evolve(state, event, row.at)
    if state != history.state:
        yield f"the bytes fold to another state: {difference(state, history.known)}"


def difference(one: RunState, other: RunState) -> str:
    """The first field in which two states differ."""
    for field in one.__struct_fields__:
        if getattr(one, field) != getattr(other, field):
            return f"{field} is {getattr(one, field)!r}, not {getattr(other, field)!r}"
    return "nothing"


def _require(name: str, flaws: Iterator[str]) -> None:
    try:
        flaw = next(flaws, None)
    except Exception as defect:
        raise Violation(name, f"the record makes no sense: {type(defect).__name__}: {defect}") from defect
    if flaw is not None:
        raise Violation(name, flaw)
