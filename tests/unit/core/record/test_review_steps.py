"""A self-review comes where QC-04 says, whatever becomes of it; a reviewer is asked once, before the end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import after, turn
from tests.unit.core.record.reviewed_runs import accepted, pending

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.record import commands as c
from counterfoil.core.record import events as e
from counterfoil.core.record import reviews as r
from counterfoil.core.record.decide import decide
from counterfoil.core.record.review_steps import reviewer_unpaid, self_review_due
from counterfoil.core.record.snapshot import ReviewTerms
from counterfoil.core.record.state import RunState

JUDGE = c.JudgePublication("P1")


@pytest.mark.req("QC-04")
@pytest.mark.parametrize(
    ("calls", "limits", "due"),
    [
        (4, {}, True),
        (3, {}, False),
        (4, {"run/model-requests": 11}, True),  # two of eleven used, six kept: three are left
        (4, {"run/model-requests": 10}, False),
        (4, {"quality/self-reviews": 0}, False),
        (2, {"quality/review-tool-calls": 2}, True),
        (4, {"run/publication-attempts": 1}, False),  # no attempt is left for a corrected answer
    ],
)
def test_it_is_due_by_calls_made_and_requests_left(calls: int, limits: dict[str, int], due: bool) -> None:
    asked = decide(pending(calls, limits), 0)
    assert asked == (c.AskSelfReview("P1", 0) if due else JUDGE)


@pytest.mark.req("QC-04")
@pytest.mark.parametrize(("calls", "due"), [(1, False), (2, True)])
def test_a_deliverable_needs_two_calls_only(calls: int, due: bool) -> None:
    state = pending(calls)
    tools = tuple(replace(tool, actions=("export",)) for tool in state.snapshot.tools)
    assert self_review_due(replace(state, snapshot=replace(state.snapshot, tools=tools))) is due


@pytest.mark.req("QC-04")
def test_a_model_that_cannot_is_not_asked_and_a_second_answer_is_not_looked_at() -> None:
    state = pending()
    assert decide(replace(state, snapshot=replace(state.snapshot, reviews=ReviewTerms())), 0) == JUDGE
    second = after(state, e.PublicationRejected("P1", (), ()), *turn(3, "publish_answer", first_call=6))
    second = after(second, e.PublicationProposed(Candidate("P2", "It costs $18."), "c6", None))
    assert decide(second, 0) == c.JudgePublication("P2")


def looked(*tools: str, settled: tuple[str, ...] = (), refused: tuple[str, ...] = ()) -> RunState:
    asked = after(pending(), r.SelfReviewAsked("P1"), *turn(3, *tools, purpose="self_review", first_call=6))
    asked = after(asked, *(e.ToolCallSettled(call, {}) for call in settled))
    return after(asked, *(e.ToolCallRefused(call, "X", "x") for call in refused))


@pytest.mark.req("QC-04")
def test_what_the_look_did_decides_what_comes_next() -> None:
    search, finish = "search_public_sources", "finish_research"
    assert decide(looked(), 0) == JUDGE
    assert decide(looked(search), 0) == c.PrepareCall("c6")
    assert decide(looked(search, settled=("c6",)), 0) == c.WithdrawPublication("P1", "m3")
    assert decide(looked(search, refused=("c6",)), 0) == JUDGE
    assert decide(looked(finish), 0) == JUDGE
    assert looked().silent_turns == 0


@pytest.mark.req("QC-04", "MOD-01")
def test_a_look_that_fails_is_lost_or_does_not_fit_leaves_the_answer_to_be_judged() -> None:
    asked = after(pending(), r.SelfReviewAsked("P1"))
    reserved = after(asked, *turn(3, purpose="self_review")[:1])
    for event in (
        e.ModelCallFailed("m3", "X", "upstream_unavailable", "x", wait_ms=5),
        e.EffectOutcomeUnknown("model", "m3"),
    ):
        state = after(reserved, event)
        assert (decide(state, 0), state.provider_error, state.retry_at) == (JUDGE, None, None)
    assert decide(after(asked, e.InputRefused("self_review", 9, "context/input-bytes")), 0) == JUDGE
    assert decide(asked, 0) == JUDGE


@pytest.mark.req("QC-06", "TSK-09")
def test_a_reviewer_is_asked_before_the_end_and_the_end_stays_what_it_was() -> None:
    state = accepted()
    assert decide(state, 0) == c.AskReviewer("P1", "finish_accepted")
    asked = after(state, r.ReviewerAsked("P1", "finish_accepted"))
    much_later = 10**9
    assert decide(asked, 0) == decide(asked, much_later) == c.SettleReview()
    settled = after(asked, r.ReviewSettled("P1", "failed"))
    assert decide(settled, much_later) == c.Settle("finish_accepted")
    assert decide(after(asked, e.CancelRequested("x")), 0) == c.Settle("cancelled")
    assert decide(after(state, e.CancelRequested("x")), 0) == c.Settle("cancelled")


@pytest.mark.req("QC-06", "GOV-06")
def test_a_review_that_no_limit_pays_names_the_limit() -> None:
    command = decide(accepted(), 10**9)
    assert isinstance(command, c.AskReviewer)
    assert command.refused == "run/expires-seconds"


@pytest.mark.req("QC-06", "GOV-06")
def test_nothing_is_asked_of_a_reviewer_once_a_budget_has_refused_a_request() -> None:
    refusal = {"code": "local_budget_exhausted", "policy": "run/cost-usd"}
    assert reviewer_unpaid(accepted()) is None
    assert reviewer_unpaid(replace(accepted(), provider_error=refusal)) == "run/cost-usd"
