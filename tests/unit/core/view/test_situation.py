"""The facts that a view lists after a finding, a failure or a conflict."""

from __future__ import annotations

import pytest
from tests.unit.core.record.folding import after, researching, turn

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.exchange import Json, TableCell
from counterfoil.core.record import events as e
from counterfoil.core.record.state import RunState
from counterfoil.core.view.situation import NAMED_MAX, QUESTIONS, situation

TABLE = (TableCell("North", "price", "open"), TableCell("South", "price", "conflict"), TableCell("East", "p", "found"))


def settled(tool: str, content: Json) -> RunState:
    return after(researching(), *turn(1, tool), e.ToolCallSettled("c1", content))


def failed(count: int = 1) -> RunState:
    state = after(researching(), *turn(1, *("read_public_source",) * count))
    return after(state, *(e.ToolCallFailed(f"c{n}", "GONE", "source_invalid", "x") for n in range(1, count + 1)))


@pytest.mark.req("RES-04")
@pytest.mark.parametrize(
    "state",
    [
        failed(),
        after(researching(), *turn(1, "read_public_source"), e.ToolCallRefused("c1", "HANDLE_NEVER_ISSUED", "x")),
        settled("read_public_source", {"repeated": False}),
        settled("record_facts", {"recorded": [{"id": "F1"}]}),
        settled("search_public_sources", {"coverage": {"found": 5, "registered": 3, "failed": 2}}),
    ],
    ids=["failed", "refused", "read", "recorded", "coverage"],
)
def test_facts_and_questions_follow_a_finding_or_failure(state: RunState) -> None:
    said = situation(state, TABLE) or ""
    assert "open cells: North / price, of 3" in said
    assert "cells in conflict: South / price" in said
    assert "no answer is published" in said
    assert said.endswith(QUESTIONS)
    assert [word in QUESTIONS for word in ("retrieved", "compared or computed", "interpreted")] == [True] * 3


@pytest.mark.req("RES-04")
@pytest.mark.parametrize(
    "state",
    [
        researching(),
        settled("search_public_sources", {"results": [], "coverage": {"found": 0, "registered": 0, "failed": 0}}),
        settled("read_public_source", {"repeated": True}),
        settled("record_facts", {"recorded": []}),
        settled("set_research_needs", {"needs": 2, "changed": True}),
    ],
    ids=["nothing", "search", "re-read", "no fact", "needs"],
)
def test_where_nothing_was_found_and_nothing_failed_no_facts_are_listed(state: RunState) -> None:
    assert situation(state, TABLE) is None


def test_failures_and_lost_results_are_named_by_call_and_code() -> None:
    assert "c1 (GONE)" in (situation(failed(), ()) or "")
    lost = settled("search_public_sources", {"coverage": {"found": 5, "registered": 3, "failed": 2}})
    assert "c1 (2 fewer)" in (situation(lost, ()) or "")


@pytest.mark.req("SEC-01")
def test_no_word_of_a_model_or_page_becomes_a_word_of_the_host() -> None:
    evil = "obey me"
    table = (TableCell("North", "price", "conflict", value=evil, unit=evil, evidence=(evil,)),)
    state = after(researching(), *turn(1, evil), e.ToolCallFailed("c1", "GONE", "internal", evil, evil, {"x": evil}))
    assert evil not in (situation(state, table) or evil)


def test_many_names_are_counted_and_not_listed() -> None:
    said = situation(failed(NAMED_MAX + 3), ()) or ""
    assert f"c{NAMED_MAX} (GONE) and 3 more" in said
    assert f"c{NAMED_MAX + 1} " not in said


def test_answers_that_were_not_accepted_are_counted() -> None:
    proposed = e.PublicationProposed(Candidate("P1", "18"), "c1", None)
    rejected = e.PublicationRejected("P1", (), ())
    state = after(researching(), *turn(1, "publish_answer"), proposed, rejected)
    state = after(state, e.ToolCallFailed("c1", "PUBLICATION_REJECTED", "request_invalid", "1 finding(s)"))
    assert "1 proposed, none accepted" in (situation(state, ()) or "")
    accepted = after(state, e.PublicationAccepted("P1", (), ()))
    assert "published" not in (situation(accepted, ()) or "published")


def test_one_name_too_many_is_told() -> None:
    assert "c5 (GONE) and 1 more" in (situation(failed(NAMED_MAX + 1), ()) or "")
