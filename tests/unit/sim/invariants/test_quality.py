"""What must hold of the quality controls fails where a call is repeated blindly or a remark repeats itself."""

from __future__ import annotations

import pytest
from tests.unit.core.record.folding import SEGMENT
from tests.unit.sim.histories import DEBITS, READ, admitted, answered, asked, commit, has_read, said

from counterfoil.core.record import events as e
from counterfoil.core.record import notes as n
from counterfoil.sim.history import History
from counterfoil.sim.invariants import quality

FAILED, REFUSED = ("failed", "refused"), ("refused", "refused")


def tried(history: History, *endings: str) -> History:
    """``history`` with a read that ended in each of these ways, and one more that begins."""
    for number, ending in enumerate((*endings, "begun"), 1):
        name, request = f"c{number}", f"m{number}"
        commit(history, asked(request))
        commit(history, *answered(request, (name, READ)))
        if ending != "refused":
            commit(history, e.ToolCallReserved(name, DEBITS[READ]))
        if ending == "failed":
            commit(history, e.ToolCallFailed(name, "GONE", "source_invalid", "gone", "read another"))
        elif ending == "settled":
            commit(history, e.ToolCallSettled(name, {}))
        elif ending == "refused":
            why = "never issued"
            commit(history, e.ToolCallRefused(name, "HANDLE_NEVER_ISSUED", why, None, "search", "source_invalid"))
    return history


def test_a_lawful_history_keeps_them_all() -> None:
    for history in (has_read(), tried(admitted(), "failed", "settled", "failed"), tried(admitted(), *REFUSED)):
        assert [said(invariant, history) for invariant in quality.INVARIANTS] == [""] * len(quality.INVARIANTS)


@pytest.mark.parametrize("endings", [("failed", "failed"), ("failed", "refused"), ("failed", "failed", "failed")])
def test_a_third_attempt_is_found(endings: tuple[str, ...]) -> None:
    assert "began after" in said(quality.no_call_is_tried_a_third_time, tried(admitted(), *endings))


def test_a_refusal_to_repeat_without_its_failures_is_found() -> None:
    refusal = e.ToolCallRefused("c2", "SAME_CALL_FAILED", "no", "quality/same-call-failures", "read S2")
    history = tried(admitted(), "failed")
    assert "after 1 failures" in said(quality.a_refusal_to_repeat_has_its_failures, commit(history, refusal))
    mute = e.ToolCallRefused("c3", "SAME_CALL_FAILED", "no", "quality/same-call-failures")
    assert "without a word" in said(
        quality.a_refusal_to_repeat_has_its_failures, commit(tried(admitted(), *FAILED), mute)
    )


def test_a_failure_without_a_hint_is_found() -> None:
    history = tried(admitted())
    bare = e.ToolCallFailed("c1", "GONE", "source_invalid", "gone")
    assert "no hint" in said(quality.failures_come_with_a_hint, commit(history, bare))
    ended = e.ToolCallRefused("c1", "RUN_ENDED", "the Run ended")
    assert said(quality.failures_come_with_a_hint, commit(tried(admitted()), ended)) == ""


def listed(*needs: str) -> list[n.NeedsSet]:
    return [n.NeedsSet((n.Need("a", need, "open"),), "c1") for need in needs]


def test_a_remark_that_comes_twice_or_too_early_is_found() -> None:
    remark = n.ReminderGiven("rewriting", "4 times", "quality/needs-rewrites")
    history = commit(tried(admitted()), *listed("1", "2", "3", "4"), remark)
    assert said(quality.remarks_come_once, history) == ""
    assert "a second remark" in said(quality.remarks_come_once, commit(history, remark))
    early = commit(tried(admitted()), *listed("1", "2", "3"), remark)
    assert "after 2 changes" in said(quality.remarks_come_once, early)
    read = e.EvidenceRead("S1", SEGMENT, 1, "c1")
    fresh = commit(tried(admitted()), *listed("1", "2", "3"), read, *listed("4"), remark)
    assert "after 1 changes" in said(quality.remarks_come_once, fresh)
    progress = n.ReminderGiven("progress", "12 turns", "quality/reminder-turns")
    assert said(quality.remarks_come_once, commit(history, progress, progress)) == ""


def test_a_note_that_decides_something_is_found() -> None:
    history = commit(admitted(), asked("m1"), *answered("m1", ("c1", "set_research_needs")), *listed("1"))
    assert "is proposed" in said(quality.notes_have_no_say, history)
    history = commit(admitted(), asked("m1"), *answered("m1", ("c1", "set_research_needs")))
    assert said(quality.notes_have_no_say, commit(history, *listed("1"), e.ToolCallSettled("c1", {}))) == ""
