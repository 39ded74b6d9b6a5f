"""Notes fold into the state and touch nothing that counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import DOCUMENT, SEGMENT, after, researching, turn

from counterfoil.core.exchange import ProposedCall
from counterfoil.core.law.streaks import NO_STREAK, Streak, call_key
from counterfoil.core.record import events as e
from counterfoil.core.record import notes as n
from counterfoil.core.record.decide import decide
from counterfoil.core.record.state import READ_TOOL, RunState

NOTED = ("needs", "needs_rewrites", "plan", "reminders", "connectors", "seq")
EVENTS = (
    n.NeedsSet((n.Need("a", "basis", "resolved"),), "c1"),
    n.PlanRecorded(n.WorkPlan("research", ("done",)), "c1"),
    n.ReminderGiven("progress", "12 turns", "quality/reminder-turns"),
    n.ConnectorRequested("mail", "to send it", "c1"),
)


@pytest.mark.req("RES-01", "QC-03", "QC-08")
def test_notes_are_kept_and_nothing_else_changes() -> None:
    state = after(researching(), *turn(1, "plan"))
    noted = after(state, *EVENTS)
    assert (noted.needs[0].status, noted.plan and noted.plan.kind) == ("resolved", "research")
    assert (noted.reminders, noted.connectors[0].app) == ((n.Reminder("progress", 1),), "mail")
    untouched = replace(noted, **{field: getattr(state, field) for field in NOTED})
    assert untouched == state
    assert decide(noted, 0) == decide(state, 0)


@pytest.mark.req("RES-03")
def test_rewriting_is_counted_from_the_second_list_on_and_evidence_ends_it() -> None:
    state = after(researching(), *turn(1, "set_research_needs", READ_TOOL))
    for number in range(4):
        state = after(state, n.NeedsSet((n.Need("a", f"basis {number}", "open"),), "c1"))
    assert state.needs_rewrites == 3
    read = after(state, e.SourceRegistered("S1", DOCUMENT, "c2"), e.EvidenceRead("S1", SEGMENT, 1, "c2"))
    assert read.needs_rewrites == 0


def reads(*endings: str) -> RunState:
    """A Run in which one read, its keys in turning order, ended in each of these ways."""
    state = researching()
    for number, ending in enumerate(endings, 1):
        args = {"handle": "S1", "segment": 1} if number % 2 else {"segment": 1.0, "handle": "S1"}
        request = f"m{number}"
        call = ProposedCall(f"c{number}", READ_TOOL, args)
        state = after(state, *turn(number)[:2], e.ToolCallProposed(request, call))
        if ending in ("failed", "settled"):
            state = after(state, e.ToolCallReserved(call.id, {"reader/reads": 1}))
        state = after(state, _ended(call.id, ending))
    return state


def _ended(call_id: str, ending: str) -> e.Event:
    if ending == "settled":
        return e.ToolCallSettled(call_id, {})
    if ending == "failed":
        return e.ToolCallFailed(call_id, "GONE", "source_invalid", "gone")
    policy, code, category = {
        "argument": (None, "HANDLE_NEVER_ISSUED", "source_invalid"),
        "budget": ("reader/reads", "READS_EXHAUSTED", "local_budget_exhausted"),
        "third": ("quality/same-call-failures", "SAME_CALL_FAILED", "request_invalid"),
        "old": (None, "HANDLE_NEVER_ISSUED", ""),
    }[ending]
    return e.ToolCallRefused(call_id, code, "why", policy, "", category)


@pytest.mark.req("QC-02")
@pytest.mark.parametrize(
    ("endings", "streak"),
    [
        (("failed", "failed"), Streak(2, 2)),
        (("argument", "argument"), Streak(2, 0)),
        (("argument", "failed"), Streak(2, 1)),
        (("failed", "budget", "failed"), Streak(2, 2)),
        (("failed", "failed", "third", "third"), Streak(2, 2)),
        (("failed", "settled"), NO_STREAK),
        (("failed", "settled", "failed"), Streak(1, 1)),
    ],
)
def test_a_streak_counts_failures_of_the_call_itself_and_success_ends_it(
    endings: tuple[str, ...], streak: Streak
) -> None:
    state = reads(*endings)
    assert dict(state.streaks) == {call_key(state.calls["c1"].call): streak}


@pytest.mark.req("QC-02")
@pytest.mark.parametrize("endings", [("settled",), ("budget",), ("old",)])
def test_what_is_no_failure_leaves_no_streak(endings: tuple[str, ...]) -> None:
    assert dict(reads(*endings).streaks) == {}


@pytest.mark.req("QC-02")
@pytest.mark.parametrize("tool", ["publish_answer", "finish_research"])
def test_publishing_and_finishing_are_outside_the_rule(tool: str) -> None:
    state = after(researching(), *turn(1, tool), e.ToolCallFailed("c1", "X", "request_invalid", "why"))
    assert dict(state.streaks) == {}
