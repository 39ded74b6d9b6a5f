"""The Host from question to settled Run, over memory."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.host.fakes import Bench, Reply, call, calls

from counterfoil.core.errors import ModelError, PolicyRefused
from counterfoil.core.exchange import CallDraft, Completion
from counterfoil.core.record.events import ModelCallReserved, ToolCallRefused, ToolCallReserved
from counterfoil.host.host import Finished, finished_run

SEARCH = call("search_public_sources", query="visitor pass price")
READ = call("read_public_source", handle="S1")
FACT = {"row": "City North", "field": "price", "value": "18", "unit": "USD", "evidence_id": "E2", "quote": "costs $18"}
FACTS = call("record_facts", facts=[FACT])
GOOD = call("publish_answer", body="The visitor pass costs $18 [E2].", finish=True)
BAD = call("publish_answer", body="The visitor pass costs $99 [E2].", finish=True)


def run(replies: list[Reply], **operator: int) -> tuple[Bench, Finished]:
    bench = Bench(replies)
    return bench, asyncio.run(bench.ask(None, **operator))


@pytest.mark.req("TSK-09", "TSK-10", "GOV-10")
def test_a_publication_with_finish_delivers_and_ends_in_one_request() -> None:
    bench, finished = run([SEARCH, READ, FACTS, GOOD])
    report = finished.report
    assert (report.status, report.stop_reason) == ("completed", "finish_accepted")
    assert report.delivered
    assert report.finished
    assert report.publication is not None
    assert report.publication.citations[0].quote.startswith("The visitor pass costs $18")
    assert report.evidence_table[0]["value"] == "18"
    assert len(bench.model.views) == 4


@pytest.mark.req("LED-02")
def test_effects_are_reserved_before_they_are_settled() -> None:
    bench, finished = run([SEARCH, READ, FACTS, GOOD])
    types = [stored.type for stored in asyncio.run(bench.ledger.stored(finished.state.run_id))]
    assert types.index("ModelCallReserved") < types.index("ModelCallSettled")
    assert types.index("ToolCallReserved") < types.index("SourceRegistered") < types.index("ToolCallSettled")


@pytest.mark.req("LED-01")
def test_the_ledger_folds_into_the_state_that_the_run_ended_with() -> None:
    bench, finished = run([SEARCH, READ, FACTS, BAD, GOOD])
    again = asyncio.run(finished_run(bench.ledger, finished.state.run_id))
    assert again.state == finished.state
    assert again.report == finished.report


@pytest.mark.req("TSK-08")
def test_a_finish_inside_a_rejected_candidate_is_void() -> None:
    _, finished = run([SEARCH, READ, FACTS, BAD, GOOD])
    assert finished.report.status == "completed"
    (rejection,) = finished.report.rejections
    assert rejection["findings"][0]["code"] == "FIGURE_MISMATCH"


@pytest.mark.req("TSK-11", "TSK-13", "GOV-08")
def test_when_every_publication_is_rejected_the_host_reports_instead() -> None:
    _, finished = run([SEARCH, READ, FACTS, *[BAD] * 12])
    report = finished.report
    assert (report.status, report.stop_reason, report.policy) == ("partial", "corrections_exhausted", "run/corrections")
    assert report.publication is not None
    assert report.publication.assembled_by == "host"
    assert "99" not in report.publication.body
    assert "18" in report.publication.body
    assert len(report.rejections) == 6 + 1 + 2


@pytest.mark.req("GOV-09")
def test_search_after_its_quota_is_hidden_then_refused_and_costs_nothing() -> None:
    bench, finished = run([SEARCH, SEARCH, READ, FACTS, GOOD], web__searches=1)
    assert "search_public_sources" not in bench.model.offered[1]
    assert "read_public_source" in bench.model.offered[1]
    events = [event for _, event in asyncio.run(bench.ledger.events(finished.state.run_id))]
    (refused,) = [event for event in events if isinstance(event, ToolCallRefused)]
    assert (refused.code, refused.policy) == ("SEARCHES_EXHAUSTED", "web/searches")
    assert finished.report.usage["web/searches"]["used"] == 1
    assert sum(isinstance(event, ToolCallReserved) for event in events) == 2
    reserved = [event for event in events if isinstance(event, ModelCallReserved)]
    assert reserved[1].removed[0][0] == "search_public_sources"


@pytest.mark.req("WEB-08")
def test_reading_a_segment_again_costs_nothing_and_keeps_its_evidence() -> None:
    _, finished = run([SEARCH, READ, READ, FACTS, GOOD])
    assert finished.report.usage["reader/reads"]["used"] == 1
    assert len(finished.state.readings) == 1


@pytest.mark.req("WEB-01", "WEB-03")
@pytest.mark.parametrize(
    ("handle", "code"),
    [("S9", "HANDLE_NEVER_ISSUED"), ("https://citynorth.gov", "HANDLE_NEVER_ISSUED"), ("other/S1", "HANDLE_OTHER_RUN")],
)
def test_only_handles_of_this_run_open(handle: str, code: str) -> None:
    bench, finished = run([SEARCH, call("read_public_source", handle=handle), READ, FACTS, GOOD])
    events = [event for _, event in asyncio.run(bench.ledger.events(finished.state.run_id))]
    assert [event.code for event in events if isinstance(event, ToolCallRefused)] == [code]
    assert finished.report.usage["reader/reads"]["used"] == 1


@pytest.mark.req("MOD-06")
def test_malformed_calls_and_unknown_tools_go_back_and_the_run_goes_on() -> None:
    broken = Completion(calls=(CallDraft("search_public_sources", malformed="arguments are no JSON: line 1"),))
    _, finished = run([broken, call("buy_pass"), call("record_facts", facts="x"), SEARCH, READ, FACTS, GOOD])
    assert finished.report.status == "completed"
    refused = [c.content["refused"] for c in finished.state.calls.values() if c.status == "refused"]
    assert refused == ["ARGUMENTS_INVALID", "TOOL_UNKNOWN", "ARGUMENTS_INVALID"]


@pytest.mark.req("TSK-13")
def test_a_model_that_only_talks_is_stopped_after_three_silent_replies() -> None:
    bench, finished = run([SEARCH, READ])
    report = finished.report
    assert (report.status, report.stop_reason) == ("partial", "model_stopped")
    assert len(bench.model.views) == 5
    assert report.publication is not None
    assert report.publication.assembled_by == "host"


@pytest.mark.req("TSK-10")
def test_nothing_read_and_nothing_published_is_failed() -> None:
    _, finished = run([])
    assert finished.report.status == "failed"
    assert finished.report.publication is not None


@pytest.mark.req("TSK-14")
def test_a_finish_without_publication_needs_limitations() -> None:
    empty = call("finish_research", outcome="done")
    honest = call("finish_research", outcome="no answer", limitations=["nothing was found"])
    _, finished = run([SEARCH, empty, honest])
    assert finished.report.stop_reason == "finish_accepted"
    assert finished.report.status == "completed_with_gaps"
    assert [c.status for c in finished.state.calls.values()] == ["settled", "failed", "settled"]


def test_a_failing_provider_ends_the_run_with_what_exists() -> None:
    failure = ModelError("the key was refused", code="KEY_REFUSED", category="auth_refused")
    _, finished = run([SEARCH, READ, FACTS, failure])
    report = finished.report
    assert (report.status, report.stop_reason) == ("partial", "provider_failed")
    assert report.error is not None
    assert report.error["code"] == "auth_refused"


def test_a_defect_in_a_model_ends_its_request_not_the_ledger() -> None:
    bench, finished = run([SEARCH, ValueError("boom")])
    assert finished.report.stop_reason == "provider_failed"
    assert asyncio.run(bench.ledger.verify(finished.state.run_id)).first_bad is None


@pytest.mark.req("GOV-06")
def test_a_budget_that_cannot_hold_the_reserve_is_refused_before_anything_is_recorded() -> None:
    bench = Bench([])
    with pytest.raises(PolicyRefused) as refused:
        asyncio.run(bench.ask(run__model_requests=5))
    assert refused.value.policy == "run/model-requests"
    assert asyncio.run(bench.ledger.runs()) == ()


@pytest.mark.req("GOV-08")
def test_spent_exploration_moves_to_finalize_only_and_the_reserve_still_publishes() -> None:
    bench, finished = run([SEARCH, READ, FACTS, SEARCH, SEARCH, GOOD], run__model_requests=10)
    assert finished.report.status == "completed"
    assert bench.model.offered[4] == ["publish_answer", "finish_research"]


def test_the_hard_deadline_ends_the_run_without_another_request() -> None:
    def late(view: object, offered: object) -> Completion:
        bench.clock.advance(900_000)
        return SEARCH

    bench = Bench([late, SEARCH])
    finished = asyncio.run(bench.ask())
    assert (finished.report.stop_reason, finished.report.policy) == ("hard_deadline", "run/active-seconds")
    assert len(bench.model.views) == 1


@pytest.mark.req("RES-02")
def test_the_question_is_pinned_in_every_view() -> None:
    bench, _ = run([SEARCH, READ, FACTS, GOOD])
    assert {view.contract.question for view in bench.model.views} == {"What does the visitor pass of City North cost?"}


@pytest.mark.req("MOD-07")
def test_several_calls_of_one_reply_keep_their_order() -> None:
    both = calls(
        ("search_public_sources", {"query": "City South day pass"}), ("search_public_sources", {"query": "City North"})
    )
    _, finished = run([both, READ, FACTS, GOOD])
    queries = [c.content["query"] for c in finished.state.searches()]
    assert queries == ["City South day pass", "City North"]
