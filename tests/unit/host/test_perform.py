"""Performing commands: confirmation, defects, time limits."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace
from tests.unit.host.fakes import Bench, call, calls

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.errors import ModelError, SourceInvalid
from counterfoil.core.exchange import Completion, Json, TokenUsage
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


def test_a_count_of_tokens_below_zero_is_a_defect_of_the_model_and_gives_nothing_back() -> None:
    lying = Completion(calls=call("search_public_sources", query="x").calls, usage=TokenUsage(10, -1_000_000))
    report = asyncio.run(Bench([lying]).ask()).report
    assert report.stop_reason == "provider_failed"
    assert report.usage["run/output-tokens"]["used"] == 0


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
