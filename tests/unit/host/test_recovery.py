"""Taking up a Run: who may, under which limits, and what a refusal says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.unit.host.fakes import Bench, Reply, call, contract

from counterfoil.core.errors import LedgerConflict, RefusedError
from counterfoil.core.exchange import Completion, ToolSpec, View
from counterfoil.core.law.policy import Number
from counterfoil.core.record.events import RunRecovered, RunResumed
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished, cancel_run
from counterfoil.ports.ledger import Lease

SEARCH = call("search_public_sources", query="pass")
LIMITED = call("finish_research", outcome="none", limitations=["nothing was found"])


def paused_after(replies: list[Completion], **operator: Number) -> Bench:
    """A Run that was paused once ``replies`` were played."""
    pause = asyncio.Event()

    def last(view: View, tools: tuple[ToolSpec, ...]) -> Completion:
        pause.set()
        return replies[-1]

    bench = Bench([*replies[:-1], last])
    named = {name.replace("__", "/").replace("_", "-"): value for name, value in operator.items()}
    asyncio.run(bench.host.ask(Task(contract(), "2025-03-31", operator=dict(named)), pause=pause))
    return bench


def resumed(bench: Bench, replies: Sequence[Reply], *demanded: str, **configured: Number) -> Finished:
    bench.model._replies = list(replies)
    named = {name.replace("__", "/").replace("_", "-"): value for name, value in configured.items()}
    return asyncio.run(bench.host.resume("run1", configured=named, demanded=frozenset(demanded)))


@pytest.mark.req("LED-04")
def test_a_more_generous_deployment_changes_nothing_for_an_admitted_run() -> None:
    bench = paused_after([SEARCH] * 8, run__model_requests=10)
    views = len(bench.model.views)
    assert views == 8
    report = resumed(bench, [SEARCH] * 12, run__model_requests=20).report
    usage = report.usage["run/model-requests"]
    assert (usage["used"], usage["limit"]) == (10, 10)
    assert len(bench.model.views) - views == 2


@pytest.mark.req("LED-04")
def test_a_narrower_limit_takes_the_place_of_the_admitted_one_and_is_recorded() -> None:
    bench = paused_after([SEARCH])
    finished = resumed(bench, [SEARCH, LIMITED], web__searches=1)
    assert finished.report.usage["web/searches"] == {"used": 1, "limit": 1, "unit": "calls"}
    taken = [event for _, event in asyncio.run(bench.ledger.events("run1")) if isinstance(event, RunResumed)]
    assert taken == [RunResumed(0, {"web/searches": 1})]


@pytest.mark.req("LED-04")
def test_a_limit_that_was_lowered_once_is_not_raised_by_one_that_is_lower_than_at_admission() -> None:
    bench = paused_after([SEARCH])
    limits = {"run/model-requests": 12}
    for configured in (limits, {"run/model-requests": 30}):
        pause = asyncio.Event()
        pause.set()
        asyncio.run(bench.host.resume("run1", pause=pause, configured=configured))
    with pytest.raises(RefusedError, match="deployed 30"):
        resumed(bench, [], "run/model-requests", run__model_requests=30)
    assert resumed(bench, [SEARCH, LIMITED]).report.usage["run/model-requests"]["limit"] == 12


@pytest.mark.req("LED-04")
def test_a_limit_that_would_widen_the_run_is_refused_with_both_numbers() -> None:
    bench = paused_after([SEARCH])
    before = asyncio.run(bench.ledger.stored("run1"))
    with pytest.raises(RefusedError, match="web/searches: admitted 12, deployed 50"):
        resumed(bench, [], "web/searches", web__searches=50)
    assert asyncio.run(bench.ledger.stored("run1")) == before


@pytest.mark.req("LED-06")
def test_a_live_holder_is_refused_until_its_lease_is_over() -> None:
    bench = paused_after([SEARCH])
    bench.ledger.leases["run1"] = Lease("second", 1, bench.clock.now_ms() + 5_000)
    bench.holders.living = {"second"}
    with pytest.raises(RefusedError, match="second"):
        resumed(bench, [LIMITED])
    bench.clock.advance(5_000)
    assert resumed(bench, [LIMITED]).report.stop_reason == "finish_accepted"


@pytest.mark.req("LED-06")
def test_a_dead_holder_is_replaced_at_once() -> None:
    bench = paused_after([SEARCH])
    bench.ledger.leases["run1"] = Lease("dead", 1, bench.clock.now_ms() + 30_000)
    assert resumed(bench, [LIMITED]).report.stop_reason == "finish_accepted"


@pytest.mark.req("LED-06")
def test_of_two_hosts_that_take_up_a_run_one_wins() -> None:
    bench, rival = paused_after([SEARCH]), Bench([LIMITED])
    rival.host.ledger, rival.clock = bench.ledger, bench.clock
    bench.model._replies = [LIMITED]

    async def both() -> Sequence[object]:
        return await asyncio.gather(bench.host.resume("run1"), rival.host.resume("run1"), return_exceptions=True)

    outcomes = asyncio.run(both())
    lost = [outcome for outcome in outcomes if isinstance(outcome, LedgerConflict)]
    won = [outcome for outcome in outcomes if isinstance(outcome, Finished)]
    assert (len(lost), len(won)) == (1, 1)
    assert len(bench.model.views) + len(rival.model.views) == 2


@pytest.mark.req("LED-09")
def test_cancelling_ends_a_run_whoever_drives_it_and_keeps_what_was_read() -> None:
    bench = paused_after([SEARCH, call("read_public_source", handle="S1"), SEARCH])
    bench.ledger.leases["run1"] = Lease("second", 1, bench.clock.now_ms() + 30_000)
    bench.holders.living = {"second"}
    finished = asyncio.run(cancel_run(bench.ledger, bench.holders, bench.clock, "run1"))
    assert (finished.report.status, finished.report.stop_reason) == ("cancelled", "cancelled")
    assert finished.report.publication is not None
    assert finished.report.sources
    again = asyncio.run(cancel_run(bench.ledger, bench.holders, bench.clock, "run1"))
    assert again.report == finished.report


def test_a_run_that_died_is_recovered_and_a_paused_one_resumed() -> None:
    bench = paused_after([SEARCH])
    resumed(bench, [LIMITED])
    kinds = [type(event) for _, event in asyncio.run(bench.ledger.events("run1"))]
    assert RunResumed in kinds
    assert RunRecovered not in kinds
