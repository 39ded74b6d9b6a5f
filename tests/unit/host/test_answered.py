"""What a report says of models: who answered which request, who wrote the answer, and what a provider refused."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import after, researching, turn

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.record import events as e
from counterfoil.core.record.state import RunState
from counterfoil.host.answered import author_of, by_model, model_warnings


def failed(number: int, model: str, category: str, why: str) -> tuple[e.Event, ...]:
    reserved = e.ModelCallReserved(f"m{number}", "research", (), (), {}, "", model=model)
    return reserved, e.ModelCallFailed(f"m{number}", "X", category, why)


def answered(number: int, model: str, *tools: str, first_call: int = 1) -> tuple[e.Event, ...]:
    reserved, *rest = turn(number, *tools, first_call=first_call)
    return replace(reserved, model=model), *rest


def handed_over(*more: e.Event) -> RunState:
    first = answered(1, "played", "search_public_sources")
    refused = failed(2, "played", "content_refused", "flagged: violence")
    return after(
        researching(fallbacks=("other",)),
        *first,
        *refused,
        *answered(3, "other", "publish_answer", first_call=2),
        *more,
    )


@pytest.mark.req("TRC-01")
def test_each_model_is_named_with_the_requests_that_it_answered() -> None:
    assert by_model(handed_over()) == {
        "played": {"requests": 2, "answered": ["m1"]},
        "other": {"requests": 1, "answered": ["m3"]},
    }
    old = after(researching(), *turn(1))
    assert by_model(old) == {"played": {"requests": 1, "answered": ["m1"]}}


@pytest.mark.req("TRC-01")
def test_the_author_is_who_wrote_the_accepted_answer() -> None:
    proposed = e.PublicationProposed(Candidate("P1", "It costs $18."), "c2", None)
    assert author_of(handed_over(proposed)) == ("played", "test")
    assert author_of(handed_over(proposed, e.PublicationAccepted("P1", (), ()))) == ("other", "test")


@pytest.mark.req("MOD-02")
def test_a_fallback_and_a_refusal_of_content_are_told_with_the_providers_words() -> None:
    asked, refused = model_warnings(handed_over())
    assert asked["excerpt"] == (
        "from m3 on other (test) was asked, because played failed: content_refused: flagged: violence"
    )
    assert refused == {"code": "CONTENT_REFUSED", "handle": None, "excerpt": "played refused m2: flagged: violence"}
    assert list(model_warnings(after(researching(), *failed(1, "", "timeout", "slow"), *turn(2)))) == []


@pytest.mark.req("QC-06")
def test_who_reviews_stands_beside_the_chain() -> None:
    unreviewed = failed(4, "other", "timeout", "slow")
    asked, reply = turn(5, purpose="reviewer")
    reviewed = (*unreviewed, replace(asked, model="critic"), reply)
    assert by_model(handed_over(*reviewed)) == by_model(handed_over(*unreviewed))
    assert list(model_warnings(handed_over(*reviewed))) == list(model_warnings(handed_over(*unreviewed)))
