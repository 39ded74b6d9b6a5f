"""A metered Run is admitted under limits that mean something, and goes on under no wider ones."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.host.fakes import Bench
from tests.unit.host.metered import URL, Metered, asked, reserved

from counterfoil.core.errors import NotFoundError, PolicyRefused, RefusedError, UsageError
from counterfoil.core.law import budget as ids
from counterfoil.core.record import events as e
from counterfoil.core.record.continuity import Continuity
from counterfoil.core.record.metering import Refuse
from counterfoil.host.folding import fold
from counterfoil.host.host import cancel_run
from counterfoil.host.metered_runs import metered_values, require_consumed
from counterfoil.host.recovery import require_free, take_up
from counterfoil.wiring import catalogue


@pytest.mark.req("LED-04")
def test_a_resumed_run_may_be_narrowed_and_not_widened() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__model_requests=5)
        with pytest.raises(RefusedError, match="admitted 5, deployed 6"):
            await metered.crash(meter, run__model_requests=6)
        narrowed = await metered.crash(meter, run__model_requests=1)
        await reserved(narrowed)
        assert isinstance(await narrowed.reserve(asked()), Refuse)

    asyncio.run(scenario())


def test_a_cancelled_run_is_settled_and_cannot_be_taken_up_again() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__model_requests=2)
        await reserved(meter)
        cancelled = await cancel_run(metered.ledger, metered.holders, metered.clock, meter.state.run_id)
        assert cancelled.report.status == "cancelled"
        assert cancelled.report.publication is not None and "1" in cancelled.report.publication.body
        with pytest.raises(RefusedError) as refused:
            await metered.crash(meter)
        assert refused.value.code == "RUN_SETTLED"
        with pytest.raises(NotFoundError):
            await metered.parts.resume("nobody", {}, frozenset())

    asyncio.run(scenario())


def test_a_living_meter_keeps_its_run() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__model_requests=2)
        metered.holders.living.add("first")
        with pytest.raises(RefusedError) as refused:
            await metered.crash(meter)
        assert refused.value.code == "RUN_HELD"
        metered.holders.living.clear()
        await require_free(metered.ledger, metered.holders, metered.clock, meter.state)

    asyncio.run(scenario())


def test_an_attempt_under_way_when_its_process_died_worked_at_most_its_timeout() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__active_seconds=3600, proxy__upstream_seconds=20)
        await reserved(meter)
        metered.clock.advance(50_000)
        state, last = await fold(metered.ledger, meter.state.run_id)
        nothing = Continuity((), {}, {})
        journal = await take_up(metered.ledger, metered.holders, metered.clock, state, last.at, None, nothing)
        recovered = next(ev for _, ev in await metered.ledger.events(state.run_id) if isinstance(ev, e.RunRecovered))
        assert recovered.idle_ms == 30_000
        assert journal.state.proxied is not None and journal.state.proxied.unknown == 1

    asyncio.run(scenario())


def test_what_nobody_named_is_counted_and_not_limited() -> None:
    values = {value.id: value.value for value in metered_values(catalogue(), {ids.OUTPUT_TOKENS: 100})}
    assert (values[ids.OUTPUT_TOKENS], values[ids.MODEL_REQUESTS], values[ids.INPUT_TOKENS]) == (100, None, None)
    assert values[ids.EXPIRES_SECONDS] == 86400
    assert values[ids.REQUEST_OUTPUT_TOKENS] == 100


def test_a_budget_is_lawful_or_refused_before_there_is_a_run() -> None:
    for explicit, wrong in (
        ({}, UsageError),
        ({"proxy/upstream-seconds": 5}, UsageError),
        ({"run/no-such": 5}, UsageError),
        ({ids.MODEL_REQUESTS: 1.5}, UsageError),
        ({ids.MODEL_REQUESTS: 0}, PolicyRefused),
        ({ids.MODEL_REQUESTS: 10**9}, PolicyRefused),
    ):
        with pytest.raises(wrong):
            metered_values(catalogue(), explicit)
    require_consumed(frozenset({ids.MODEL_REQUESTS, "proxy/upstream-seconds"}))
    with pytest.raises(PolicyRefused) as refused:
        require_consumed(frozenset({ids.MODEL_REQUESTS, "web/searches"}))
    assert refused.value.policy == "web/searches"


def test_no_host_drives_a_metered_run() -> None:
    async def scenario() -> None:
        metered, bench = Metered(), Bench([])
        meter = await metered.begin(run__model_requests=2)
        bench.host.ledger = metered.ledger
        with pytest.raises(RefusedError) as refused:
            await bench.host.resume(meter.state.run_id)
        assert refused.value.code == "RUN_METERED" and "proxy --resume" in refused.value.hint

    asyncio.run(scenario())


def test_a_run_that_meters_nothing_is_not_taken_up() -> None:
    async def scenario() -> None:
        bench = Bench([])
        finished = await bench.ask()
        with pytest.raises(RefusedError) as refused:
            await Metered(bench.ledger).parts.resume(finished.state.run_id, {}, frozenset())
        assert refused.value.code == "RUN_NOT_METERED"

    asyncio.run(scenario())


def test_the_snapshot_says_where_requests_go() -> None:
    meter = asyncio.run(Metered().begin(run__model_requests=1))
    assert meter.state.snapshot.inputs == {"upstream": (URL,)}
    assert URL in meter.state.contract.question
