"""What must hold of reviews fails where a look comes too early or twice, or a reviewer has a say."""

from __future__ import annotations

import pytest
from tests.unit.sim.histories import PUBLISH, READ, admitted, answered, asked, commit, said

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.record import events as e
from counterfoil.core.record import reviews as r
from counterfoil.core.record.outcome import StopReason
from counterfoil.sim.history import History
from counterfoil.sim.invariants import reviews

LOOK = r.SelfReviewAsked("P1")


def proposed(calls: int = 4) -> History:
    history = commit(admitted(), asked("m1"))
    names = [f"c{n}" for n in range(1, calls + 1)]
    commit(history, *answered("m1", *((name, READ) for name in names)))
    commit(history, *(e.ToolCallFailed(name, "GONE", "source_invalid", "gone", "read another") for name in names))
    commit(history, asked("m2"))
    commit(history, *answered("m2", ("p", PUBLISH)))
    return commit(history, e.PublicationProposed(Candidate("P1", "It costs $18."), "p", "run/publication-attempts"))


def accepted() -> History:
    history = proposed()
    commit(history, e.PublicationAccepted("P1", (), ()), e.PublicationDelivered("P1", "model"))
    commit(history, e.ToolCallSettled("p", {}), e.FinishAccepted("p"))
    return commit(history, r.ReviewerAsked("P1", "finish_accepted"))


def ended(reason: StopReason = "finish_accepted", review: str = "failed") -> e.RunSettled:
    return e.RunSettled("completed", reason, None, True, True, review)  # type: ignore[arg-type]  # any review


def test_a_lawful_history_keeps_them_all() -> None:
    looked = commit(proposed(), LOOK, asked("m3", "self_review"))
    reviewed = commit(accepted(), r.ReviewSettled("P1", "failed"), ended())
    for history in (looked, reviewed):
        assert [said(invariant, history) for invariant in reviews.INVARIANTS] == [""] * len(reviews.INVARIANTS)


@pytest.mark.req("QC-04")
def test_a_look_too_early_or_twice_is_found() -> None:
    assert "after 3 calls" in said(reviews.one_self_review_where_it_is_due, commit(proposed(3), LOOK))
    assert "one was before" in said(reviews.one_self_review_where_it_is_due, commit(proposed(), LOOK, LOOK))
    twice = commit(proposed(), LOOK, asked("m3", "self_review"), asked("m4", "self_review"))
    assert "2 requests" in said(reviews.one_self_review_where_it_is_due, twice)


@pytest.mark.req("QC-04", "TSK-09")
def test_taking_back_what_nobody_looked_at_is_found() -> None:
    history = commit(proposed(), r.PublicationWithdrawn("P1", "m3"))
    assert "taken back" in said(reviews.what_is_taken_back_was_looked_at, history)


@pytest.mark.req("TSK-09", "QC-06")
def test_a_reviewer_with_a_say_is_found() -> None:
    changes = reviews.a_review_changes_nothing
    assert "settled as model_stopped" in said(changes, commit(accepted(), ended("model_stopped")))
    assert "says that none was" in said(changes, commit(accepted(), ended(review="not_run")))
    assert "asked twice" in said(changes, commit(accepted(), r.ReviewerAsked("P1", "finish_accepted")))
    assert "is the answer" in said(changes, commit(accepted(), e.PublicationDelivered("H1", "host")))
