"""The loop: interruption and folding."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.unit.host.fakes import Bench, call, contract

from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import LeaseLost, ModelError
from counterfoil.core.exchange import Completion, ModelLimits, Purpose, TokenUsage, ToolSpec, View
from counterfoil.core.record.events import RunPaused
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished
from counterfoil.ports.ledger import Lease


class Hanging:
    spec = "played"
    label = "hangs"
    purposes = frozenset({"research", "finalize"})

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        return TokenUsage()

    def usd(self, usage: TokenUsage) -> float | None:
        return None

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        self.asked.set()
        await asyncio.Event().wait()
        return Completion()


@pytest.mark.req("LED-02")
def test_a_run_that_is_stopped_at_once_is_paused_and_its_open_debit_stands() -> None:
    bench = Bench([])
    model = Hanging()
    bench.host._models = (model,)

    async def interrupted() -> None:
        task = asyncio.create_task(bench.ask())
        await model.asked.wait()
        task.cancel()
        finished = await task
        assert finished.report.status == "paused"
        assert finished.report.usage["run/model-requests"]["used"] == 1
        assert finished.state.turns[-1].status == "unknown"

    asyncio.run(interrupted())
    bench.host._models = (bench.model,)
    bench.clock.advance(3_600_000)
    bench.model._replies = [call("finish_research", outcome="none", limitations=["nothing was found"])]
    resumed = asyncio.run(bench.host.resume("run1"))
    assert resumed.report.stop_reason == "finish_accepted"
    assert resumed.state.paused_ms == 3_600_000
    assert resumed.report.usage["run/model-requests"]["used"] == 2


@pytest.mark.req("GOV-14")
def test_a_run_that_is_stopped_while_a_person_looks_at_the_contract_has_not_worked_meanwhile() -> None:
    bench = Bench([Completion(text="{}"), call("finish_research", limitations=["enough"])])
    plain = Task(Contract("What does it cost?"), "2025-03-31")

    async def stopped() -> Finished:
        asked = asyncio.Event()

        async def look(_proposed: Contract) -> None:
            bench.clock.advance(600_000)
            asked.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(bench.host.ask(plain, confirm=look))
        await asked.wait()
        task.cancel()
        return await task

    async def accept(proposed: Contract) -> Contract:
        bench.clock.advance(300_000)
        return proposed

    finished = asyncio.run(stopped())
    assert (finished.report.status, finished.state.paused_ms) == ("paused", 600_000)
    pauses = [event for _, event in asyncio.run(bench.ledger.events("run1")) if isinstance(event, RunPaused)]
    assert pauses == [RunPaused("stopped by the caller", 600_000)]
    bench.clock.advance(60_000)
    resumed = asyncio.run(bench.host.resume("run1", confirm=accept))
    assert (resumed.report.stop_reason, resumed.state.paused_ms) == ("finish_accepted", 960_000)


def test_a_pause_lets_the_step_under_way_end_and_gives_the_lease_up() -> None:
    pause = asyncio.Event()

    def then_pause(view: View, tools: tuple[ToolSpec, ...]) -> Completion:
        pause.set()
        return call("search_public_sources", query="pass")

    bench = Bench([then_pause])
    finished = asyncio.run(bench.host.ask(Task(contract(), "2025-03-31"), pause=pause))
    assert finished.report.status == "paused"
    assert [event.type for event in asyncio.run(bench.ledger.stored("run1"))][-3:] == [
        "ModelCallSettled",
        "ToolCallProposed",
        "RunPaused",
    ]
    lease = asyncio.run(bench.ledger.lease("run1"))
    assert lease is not None
    assert lease.until <= bench.clock.now_ms()


def test_a_run_that_is_paused_is_paused_once_however_often_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    pause = asyncio.Event()
    bench = Bench([])

    def then_pause(view: View, tools: tuple[ToolSpec, ...]) -> Completion:
        pause.set()
        return call("search_public_sources", query="pass")

    bench.model._replies = [then_pause]
    append = bench.ledger.append

    async def stopped_inside(*args: Any, **more: Any) -> Any:
        if pause.is_set():
            driving[0].cancel()
            await asyncio.sleep(0)
        return await append(*args, **more)

    driving: list[asyncio.Task[Finished]] = []

    async def stopped() -> Finished:
        monkeypatch.setattr(bench.ledger, "append", stopped_inside)
        driving.append(asyncio.create_task(bench.host.ask(Task(contract(), "2025-03-31"), pause=pause)))
        return await driving[0]

    assert asyncio.run(stopped()).report.status == "paused"
    assert [event.type for event in asyncio.run(bench.ledger.stored("run1"))].count("RunPaused") == 1


def test_a_clock_that_fails_while_the_run_waits_is_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench([ModelError("slow down", code="X", category="upstream_rate_limited", retry_after_ms=1_000)])

    async def broken(_moment_ms: int) -> None:
        raise OSError("no clock")

    monkeypatch.setattr(bench.clock, "sleep_until", broken)
    with pytest.raises(OSError, match="no clock"):
        asyncio.run(bench.ask())


@pytest.mark.req("LED-06")
def test_a_host_that_lost_its_lease_sends_nothing_and_writes_nothing() -> None:
    bench = Bench([])

    def stopped(view: View, tools: tuple[ToolSpec, ...]) -> Completion:
        """While the model thinks, this process is stopped, its lease ends, and another one takes the Run."""
        bench.clock.advance(60_000)
        rows = bench.ledger.leases
        rows["run1"] = Lease("second", 2, bench.clock.now_ms() + 30_000)
        return call("search_public_sources", query="pass")

    bench.model._replies = [stopped]
    with pytest.raises(LeaseLost, match="second"):
        asyncio.run(bench.ask())
    assert asyncio.run(bench.ledger.stored("run1"))[-1].type == "ModelCallReserved"
