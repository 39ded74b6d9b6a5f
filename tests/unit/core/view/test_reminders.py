"""When a model is reminded, of what, and how often."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import after, researching, turn

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.exchange import TableCell
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record import notes as n
from counterfoil.core.record.state import RunState
from counterfoil.core.view.build import build_view, view_delta
from counterfoil.core.view.reminders import due, told

OPEN = (TableCell("North", "price", "open"),)
LIMITS = {"quality/reminder-turns": 4, "quality/reminder-calls": 6, "quality/needs-rewrites": 3}


def worked(state: RunState, turns: int, calls: int = 1, *, refused: bool = False) -> RunState:
    """``state`` after turns of work with so many calls each, reminded whenever that is due."""
    for _ in range(turns):
        state = after(state, *due(state, 0))
        first = len(state.calls) + 1
        state = after(state, *turn(len(state.turns) + 1, *("search_public_sources",) * calls, first_call=first))
        for number in range(first, first + calls):
            ending = e.ToolCallRefused(f"c{number}", "X", "x") if refused else e.ToolCallSettled(f"c{number}", {})
            state = after(state, ending)
    return state


def kinds(state: RunState, now: int = 0) -> list[str]:
    return [reminder.kind for reminder in due(state, now)]


@pytest.mark.req("RES-03")
def test_progress_is_looked_at_after_so_many_turns_or_calls_and_then_anew() -> None:
    assert kinds(worked(researching(LIMITS), 3)) == []
    assert kinds(worked(researching(LIMITS), 4)) == ["progress"]
    assert kinds(worked(researching(LIMITS), 2, calls=3)) == ["progress"]
    assert kinds(worked(researching(LIMITS), 2, calls=3, refused=True)) == []  # refused calls are no activity
    assert len(worked(researching(LIMITS), 13).reminders) == 3


@pytest.mark.req("RES-03")
def test_replies_without_a_call_are_no_turns_of_work() -> None:
    state = researching(LIMITS)
    for number in range(1, 9):
        state = after(state, *turn(number))
    assert kinds(state) == []


@pytest.mark.req("RES-03")
def test_an_unchanged_list_triggers_nothing_and_a_rewritten_one_a_single_remark() -> None:
    state = after(worked(researching(LIMITS), 1), n.NeedsSet((n.Need("a", "x", "open"),), "c1"))
    assert kinds(worked(state, 2)) == []
    said: list[str] = []
    for number in range(10):
        state = after(state, n.NeedsSet((n.Need("a", f"x{number}", "open"),), "c1"))
        said += kinds(state)
        state = after(state, *due(state, 0))
    assert said == ["rewriting"]


@pytest.mark.req("RES-03")
def test_the_end_of_research_is_announced_once_while_nothing_is_published() -> None:
    limits = {"run/model-requests": 12, "run/finalization-request-reserve": 6, "quality/finalization-notice-steps": 2}
    assert kinds(worked(researching(limits), 3)) == []
    (reminder,) = due(state := worked(researching(limits), 4), 0)
    assert (reminder.kind, reminder.policy) == ("finalization", "quality/finalization-notice-steps")
    assert "2 model requests" in reminder.why
    assert kinds(after(state, reminder)) == []
    answered = after(
        state, *turn(9, "publish_answer", first_call=90), e.PublicationProposed(Candidate("P1", "x"), "c90", None)
    )
    assert kinds(after(answered, e.PublicationAccepted("P1", (), ()))) == []


@pytest.mark.req("RES-03")
def test_tool_calls_and_time_that_run_out_announce_the_end_too() -> None:
    few = worked(researching({"run/tool-calls": 4}), 1)
    assert kinds(few) == []
    spent = after(few, *turn(2, "search_public_sources", first_call=2), e.ToolCallReserved("c2", {"run/tool-calls": 1}))
    assert "3 tool calls" in due(spent, 0)[0].why
    late = due(researching(), (720 - 90) * 1000)
    assert [(r.kind, r.policy) for r in late] == [("finalization", "quality/finalization-notice-seconds")]
    assert kinds(researching(), (720 - 91) * 1000) == []


def test_nothing_is_due_outside_research_or_where_the_run_knows_no_such_limit() -> None:
    spent = after(worked(researching(LIMITS), 4), e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"))
    assert kinds(spent) == []
    old = researching(LIMITS)
    limits = {policy: value for policy, value in old.budget.limits.items() if not policy.startswith("quality/")}
    old = replace(old, budget=replace(old.budget, limits=limits))
    assert kinds(worked(old, 20, calls=4)) == []


@pytest.mark.req("RES-03", "LED-11")
def test_a_reminder_stands_in_the_next_view_until_it_is_answered() -> None:
    state = worked(researching(LIMITS), 4)
    bare = view_delta(state, build_view(state, "research", ""))
    state = after(state, *due(state, 0))
    shown = build_view(state, "research", "")
    delta, digest = view_delta(state, shown)
    assert (delta["notes"], bare[0]["notes"]) == (["progress"], [])
    assert digest != bare[1]
    failed = e.ModelCallFailed("m5", "RATE_LIMITED", "upstream_rate_limited", "slow down", wait_ms=1)
    again = after(state, turn(5)[0], failed)
    assert build_view(again, "research", "").messages[-1] == shown.messages[-1]
    assert list(told(after(state, *turn(5)), ())) == []


def test_the_notice_names_what_is_open() -> None:
    state = after(researching(), n.ReminderGiven("finalization", "2 left", "quality/finalization-notice-steps"))
    ((kind, text),) = told(state, OPEN)
    assert kind == "finalization"
    assert "North / price" in text and "no answer is published" in text


@pytest.mark.req("RES-03")
def test_a_remark_on_something_takes_the_place_of_the_one_on_progress() -> None:
    state = worked(researching(LIMITS), 4)
    assert kinds(state) == ["progress"]
    for number in range(10):
        state = after(state, n.NeedsSet((n.Need("a", f"x{number}", "open"),), "c1"))
    assert kinds(state) == ["rewriting"]
