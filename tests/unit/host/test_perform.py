"""Performing commands: confirmation, defects, time limits."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace
from tests.unit.host.fakes import Bench, call, calls

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.errors import ModelError, SourceInvalid
from counterfoil.core.exchange import CallDraft, Completion, Json, TokenUsage
from counterfoil.core.record.events import ContractConfirmed
from counterfoil.host.admission import Task

ENTRY = Completion(text='{"rows":[{"name":"North"}],"fields":[{"name":"price"}]}')
DONE = call("finish_research", limitations=["enough"])
PLAIN = Task(Contract("What does it cost?"), "2025-03-31")


def test_the_caller_may_change_the_proposed_contract() -> None:
    bench = Bench([ENTRY, DONE])

    async def edit(proposed: Contract) -> Contract:
        assert proposed.rows == (Row("North"),)
        return replace(proposed, fields=(Field("fee"),))

    finished = asyncio.run(bench.host.ask(PLAIN, confirm=edit))
    assert finished.state.contract.fields == (Field("fee"),)
    events = [event for _, event in asyncio.run(bench.ledger.events("run1"))]
    assert [event.by for event in events if isinstance(event, ContractConfirmed)] == ["caller"]


def test_a_caller_who_declines_the_contract_cancels_the_run() -> None:
    bench = Bench([ENTRY])

    async def decline(proposed: Contract) -> None:
        return None

    finished = asyncio.run(bench.host.ask(PLAIN, confirm=decline))
    assert finished.report.status == "cancelled"
    assert len(bench.model.views) == 1


def test_an_unusable_entry_reply_leaves_the_bare_question() -> None:
    finished = asyncio.run(Bench([Completion(text="hm"), DONE]).host.ask(PLAIN))
    assert finished.state.contract == PLAIN.contract


@pytest.mark.req("MOD-06")
def test_a_reply_that_names_no_tool_goes_back_with_its_problem_and_the_tools() -> None:
    unread = Completion(text="{", calls=(CallDraft("", malformed="the reply is not JSON: line 1"),))
    finished = asyncio.run(Bench([unread, DONE]).ask())
    content = finished.state.calls["c1"].content
    assert (content["refused"], content["why"]) == ("TOOL_UNKNOWN", "the reply is not JSON: line 1")
    assert "search_public_sources" in content["hint"]


@pytest.mark.parametrize("failure", [SourceInvalid("gone", code="GONE"), KeyError("boom")])
def test_a_tool_that_fails_leaves_a_receipt_and_the_run_goes_on(failure: Exception) -> None:
    bench = Bench([call("search_public_sources", query="pass"), DONE])

    async def broken(request: Json) -> object:
        raise failure

    bench.host._tools[0].perform = broken  # type: ignore[attr-defined]  # a tool whose effect fails
    finished = asyncio.run(bench.ask())
    assert finished.state.calls["c1"].status == "failed"
    assert finished.report.usage["web/searches"]["used"] == 1
    assert finished.report.stop_reason == "finish_accepted"


def test_calls_beyond_what_one_reply_may_hold_are_not_read_and_the_model_is_told() -> None:
    many = calls(*(("record_facts", {"facts": []}) for _ in range(9)))
    bench = Bench([many])
    finished = asyncio.run(bench.ask(run__calls_per_reply=4))
    told = list(finished.state.calls.values())
    assert len(told) == 5
    assert "of 9 the rest was not read" in str(told[-1].content)
    assert told[-1].status == "refused"


def test_a_wait_longer_than_the_policy_is_named_by_it() -> None:
    later = ModelError("later", code="RATE_LIMITED", category="upstream_rate_limited", retry_after_ms=61_000)
    report = asyncio.run(Bench([later]).ask()).report
    assert (report.stop_reason, report.policy) == ("provider_failed", "model/wait-seconds-max")


@pytest.mark.req("MOD-06")
def test_what_the_ledger_cannot_keep_goes_back_as_malformed() -> None:
    broken = call("search_public_sources", query="half \ud83d")
    bench = Bench([broken, DONE])
    finished = asyncio.run(bench.ask())
    assert finished.state.calls["c1"].content["refused"] == "ARGUMENTS_INVALID"
    assert "not JSON" in finished.state.calls["c1"].content["why"]
    assert finished.report.stop_reason == "finish_accepted"


@pytest.mark.req("GOV-05")
def test_a_reply_that_gives_tokens_back_is_a_defect_of_its_provider() -> None:
    bench = Bench([Completion(usage=TokenUsage(input=-1000)), DONE])
    finished = asyncio.run(bench.ask())
    assert finished.report.stop_reason == "provider_failed"
    assert finished.state.budget.used.get("run/input-tokens", 0) == 0


def test_a_defect_may_say_anything() -> None:
    finished = asyncio.run(Bench([ValueError("\udc80")]).ask())
    assert finished.report.error is not None
    assert finished.report.error["message"] == "ValueError: \ufffd"


def test_an_attempt_ends_at_its_timeout_by_the_clock_of_the_host() -> None:
    bench = Bench([])

    async def slow(*_: object) -> Completion:
        await bench.clock.sleep_until(bench.clock.now_ms() + 3_600_000)
        return DONE

    bench.model.complete = slow  # type: ignore[method-assign, assignment]  # a model that takes an hour
    before = bench.clock.now_ms()
    finished = asyncio.run(bench.ask(model__attempts=1))
    assert finished.report.error is not None
    assert finished.report.error["reason"] == "MODEL_ATTEMPT_TIMEOUT"
    assert bench.clock.now_ms() == before + 120_000


@pytest.mark.req("GOV-14")
def test_no_effect_begins_once_the_run_has_expired() -> None:
    """The reply comes in time, the process dies, and the next one comes a day later."""
    bench = Bench([call("search_public_sources", query="visitor pass price")])
    search = bench.host._tools[0]

    async def die(_request: Json) -> object:
        raise Killed

    search.perform = die  # type: ignore[attr-defined]  # the process dies while it searches
    with pytest.raises(Killed):
        asyncio.run(bench.ask())
    bench.clock.advance(86_400_000)
    finished = asyncio.run(bench.host.resume("run1"))
    assert finished.report.stop_reason == "expired"
    assert finished.state.calls["c1"].content["refused"] == "RUN_EXPIRED"
    assert finished.report.usage["web/searches"]["used"] == 1


class Killed(BaseException):
    """The process is gone."""
