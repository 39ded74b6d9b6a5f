"""Owns what must hold of the quality controls: no third attempt, remarks that come once, notes without a say.

Never: the Host's own streaks or canonical arguments as a witness; what failed is counted again from the events.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from counterfoil.core.record import events as e
from counterfoil.core.record import notes as n
from counterfoil.sim.history import History

FREE = frozenset({"publish_answer", "finish_research"})
LIMIT = "quality/same-call-failures"


def no_call_is_tried_a_third_time(history: History) -> Iterator[str]:
    """No effect begins of a call that failed as often in a row as it may, once at least with its effect (QC-02)."""
    for record, event in history.of(e.ToolCallReserved):
        failures, performed = _failures(history, event.call_id, record.stored.seq)
        if performed and failures >= record.before.limit(LIMIT):
            yield f"{event.call_id} began after {failures} failures of the same call"


def a_refusal_to_repeat_has_its_failures(history: History) -> Iterator[str]:
    """A call is refused as a repetition only after the failures that make it one, and says what else to do (QC-02)."""
    for record, event in history.of(e.ToolCallRefused):
        if event.code != "SAME_CALL_FAILED":
            continue
        failures, _ = _failures(history, event.call_id, record.stored.seq)
        if failures < record.before.limit(LIMIT) or record.before.calls[event.call_id].tool in FREE:
            yield f"{event.call_id} was refused after {failures} failures of the same call"
        if not event.hint:
            yield f"{event.call_id} was refused without a word on what else there is"


def failures_come_with_a_hint(history: History) -> Iterator[str]:
    """Every call that fails or is refused while the Run goes on says what to do next (QC-01)."""
    for record in history.fresh:
        event = record.event
        if isinstance(event, e.ToolCallFailed | e.ToolCallRefused) and not event.hint and event.code != "RUN_ENDED":
            yield f"{event.call_id} ended with {event.code} and no hint"


def remarks_come_once(history: History) -> Iterator[str]:
    """Rewriting and the end of research are remarked upon once, rewriting only where no evidence arrived (RES-03)."""
    for record, event in history.of(n.ReminderGiven):
        earlier = [past.event for past in history.records if past.stored.seq < record.stored.seq]
        if event.kind != "progress" and any(
            isinstance(past, n.ReminderGiven) and past.kind == event.kind for past in earlier
        ):
            yield f"a second remark of {event.kind}"
        if event.kind == "rewriting" and _rewrites(earlier) < record.before.limit("quality/needs-rewrites"):
            yield f"a remark on rewriting after {_rewrites(earlier)} changes"


def notes_have_no_say(history: History) -> Iterator[str]:
    """Nothing in a commit follows from a note but the receipt of its call (RES-01)."""
    for record in history.fresh:
        event = record.event
        if not isinstance(event, n.NeedsSet | n.PlanRecorded | n.ConnectorRequested):
            continue
        call = history.known.calls[event.call_id]
        if call.call.tool in FREE or call.status not in ("settled", "failed"):
            yield f"{event.call_id} ({call.call.tool}) made a note and is {call.status}"


def _failures(history: History, call_id: str, before: int) -> tuple[int, int]:
    """How often in a row the call failed until event ``before``, and how often of those its effect was begun."""
    calls: dict[str, str] = {}
    for record in history.records:
        if isinstance(record.event, e.ToolCallProposed):
            call = record.event.call
            calls[call.id] = json.dumps([call.tool, call.args, call.malformed], sort_keys=True)
    same = {name for name, said in calls.items() if said == calls[call_id]}
    failures = performed = 0
    for record in history.records:
        event = record.event
        if record.stored.seq >= before:
            break
        if isinstance(event, e.ToolCallSettled) and event.call_id in same:
            failures = performed = 0
        elif isinstance(event, e.ToolCallFailed) and event.call_id in same:
            failures += 1
            performed += record.before.calls[event.call_id].reservations > 0
        elif isinstance(event, e.ToolCallRefused) and event.call_id in same:
            failures += event.category != "local_budget_exhausted" and event.code != "SAME_CALL_FAILED"
    return failures, performed


def _rewrites(events: list[e.Event]) -> int:
    """Changes of the list since evidence arrived; the first list is none."""
    lists = changes = 0
    for event in events:
        if isinstance(event, e.EvidenceRead | e.FactRecorded):
            changes = 0
        elif isinstance(event, n.NeedsSet):
            changes, lists = changes + (lists > 0), lists + 1
    return changes


INVARIANTS = (
    no_call_is_tried_a_third_time,
    a_refusal_to_repeat_has_its_failures,
    failures_come_with_a_hint,
    remarks_come_once,
    notes_have_no_say,
)
