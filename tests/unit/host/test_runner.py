"""The loop: interruption and folding."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.host.fakes import Bench, call

from counterfoil.core.errors import NotFoundError
from counterfoil.core.exchange import Completion, ModelLimits, Purpose, TokenUsage, ToolSpec, View
from counterfoil.host.runner import fold


class Hanging:
    spec = "hanging"
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


@pytest.mark.req("LED-09", "LED-02")
def test_an_interrupted_run_settles_as_cancelled_and_its_open_debit_stands() -> None:
    bench = Bench([])
    model = Hanging()
    bench.host._model = model

    async def interrupted() -> None:
        task = asyncio.create_task(bench.ask())
        await model.asked.wait()
        task.cancel()
        finished = await task
        report = finished.report
        assert (report.status, report.stop_reason) == ("cancelled", "cancelled")
        assert report.usage["run/model-requests"]["used"] == 1
        assert finished.state.turns[-1].status == "unknown"

    asyncio.run(interrupted())


def test_folding_an_unknown_run_says_that_there_is_none() -> None:
    with pytest.raises(NotFoundError):
        asyncio.run(fold(Bench([]).ledger, "nothing"))


@pytest.mark.req("TSK-02")
def test_a_run_can_be_folded_at_any_moment() -> None:
    bench = Bench([call("search_public_sources", query="pass")])
    asyncio.run(bench.ask())
    state = asyncio.run(fold(bench.ledger, "run1"))
    assert state.settled is not None
    assert len(state.sources) == 2
