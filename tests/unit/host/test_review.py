"""A verdict is the reviewer's word and the counts; without a word it is inconclusive."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import after, turn
from tests.unit.core.record.reviewed_runs import accepted

from counterfoil.core.exchange import Completion
from counterfoil.core.record import events as e
from counterfoil.core.record import reviews as r
from counterfoil.host.review import review_of


def said(text: str, *done: str, refused: str | None = None) -> r.ReviewSettled:
    state = accepted()
    state = replace(state, contract=replace(state.contract, done=done))
    state = after(state, r.ReviewerAsked("P1", "finish_accepted", None, refused), *turn(3, purpose="reviewer")[:1])
    return review_of(after(state, e.ModelCallSettled("m3", Completion(text))))


@pytest.mark.req("QC-05", "QC-06")
def test_counts_overrule_a_pass_and_nothing_else_does() -> None:
    assert said('{"verdict": "pass"}').verdict == "passed"
    assert said('{"verdict": "pass"}', "at least 2 words").verdict == "passed"
    short = said('{"verdict": "pass"}', "at least 500 words")
    assert (short.verdict, short.said, short.measured[0].measured) == ("failed", "pass", 3)
    assert said('{"verdict": "fail"}').verdict == "failed"
    assert said("", "at least 500 words").verdict == "inconclusive"
    assert said('{"verdict": "pass"}', refused="run/model-requests").verdict == "inconclusive"


@pytest.mark.req("QC-06")
def test_a_request_that_failed_or_was_lost_says_so() -> None:
    reserved = after(accepted(), r.ReviewerAsked("P1", "finish_accepted"), *turn(3, purpose="reviewer")[:1])
    cut = review_of(after(reserved, e.ModelCallFailed("m3", "X", "output_truncated", "cut")))
    lost = review_of(after(reserved, e.EffectOutcomeUnknown("model", "m3")))
    assert ("output_truncated" in cut.why[0], "ended before" in lost.why[0]) == (True, True)
    assert cut.verdict == lost.verdict == "inconclusive"
