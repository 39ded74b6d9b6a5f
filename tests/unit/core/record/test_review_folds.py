"""Reviews fold into the state and touch nothing that counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import after
from tests.unit.core.record.reviewed_runs import accepted, pending

from counterfoil.core.record import events as e
from counterfoil.core.record import reviews as r
from counterfoil.core.record.settlement import settlement_of


@pytest.mark.req("TSK-09", "QC-06")
def test_a_verdict_is_kept_and_nothing_else_changes() -> None:
    state = accepted()
    reviewed = after(state, r.ReviewerAsked("P1", "finish_accepted"), r.ReviewSettled("P1", "failed", "pass", ("x",)))
    untouched = replace(reviewed, reviewing=None, review=None, seq=state.seq)
    assert untouched == state
    before, then = (settlement_of(s, "finish_accepted", None) for s in (state, reviewed))
    assert (before.review, then.review) == ("not_run", "failed")
    assert replace(then, review="not_run") == before


def test_a_review_that_was_asked_and_did_not_come_is_inconclusive() -> None:
    asked = after(accepted(), r.ReviewerAsked("P1", "finish_accepted"))
    assert settlement_of(asked, "cancelled", None).review == "inconclusive"
    unfit = after(asked, e.InputRefused("reviewer", 9, "context/input-bytes"))
    assert unfit.reviewing is not None
    assert (unfit.reviewing.refused, unfit.provider_error) == ("context/input-bytes", None)


@pytest.mark.req("QC-04")
def test_an_answer_taken_back_waits_no_more_and_is_not_rejected() -> None:
    state = after(pending(), r.SelfReviewAsked("P1"), r.PublicationWithdrawn("P1", "m3"))
    assert (state.undecided, state.accepted, state.publications[0].status) == (None, None, "withdrawn")
