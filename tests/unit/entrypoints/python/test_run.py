"""A Run's handle: events as they become durable, one result, and stopping in three ways."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.entrypoints.python.desk import QUESTION, Desk, Walker, until

from counterfoil import Run, events
from counterfoil.core.errors import LeaseLost
from counterfoil.wiring import cancel


async def types_of(run: Run) -> list[str]:
    return [event.type async for event in run.events()]


@pytest.mark.req("UX-02")
def test_events_come_from_the_first_to_the_last_and_equal_the_ledger(desk: Desk) -> None:
    async def work() -> None:
        async with desk.host() as host:
            run = await host.start(QUESTION)
            seen = [event async for event in run.events()]
            report = await run.result()
            assert [event.seq for event in seen] == list(range(1, len(seen) + 1))
            assert [event.hash for event in seen] == [stored.hash for stored in await desk.ledger.stored(run.id)]
            assert isinstance(seen[0].data, events.RunAdmitted)
            assert isinstance(seen[-1].data, events.RunSettled)
            assert {event.run_id for event in seen} == {run.id}
            assert seen[-1].hash == report.head
            assert await types_of(run) == [event.type for event in seen]  # and again for who comes late

    asyncio.run(work())


def test_who_watches_sees_an_event_while_the_run_goes_on(desk: Desk) -> None:
    async def work() -> None:
        model = Walker()
        model.gate = asyncio.Event()
        async with desk.host(model) as host:
            run = await host.start(QUESTION)
            async for event in run.events():
                if event.type == "ModelCallReserved":
                    assert not run.stopped
                    model.gate.set()
            assert run.stopped

    asyncio.run(work())


@pytest.mark.req("UX-02")
def test_pausing_lets_the_step_under_way_end_and_resuming_goes_on(desk: Desk) -> None:
    async def work() -> None:
        model = Walker()
        model.gate = asyncio.Event()
        async with desk.host(model) as host:
            run = await host.start(QUESTION)
            await until(lambda: model.views)
            pausing = asyncio.create_task(run.pause())
            await asyncio.sleep(0)
            assert not pausing.done()
            model.gate.set()
            assert (await pausing).status == "paused"
            assert "EffectOutcomeUnknown" not in await types_of(run)
            again = await host.resume(run.id)
            assert again is not run
            assert (await again.result()).status == "completed"
            assert len(model.views) == 3

    asyncio.run(work())


@pytest.mark.req("LED-03", "UX-02")
def test_giving_up_on_the_result_leaves_a_paused_run_whose_request_is_unknown(desk: Desk) -> None:
    async def work() -> None:
        model = Walker()
        model.gate = asyncio.Event()
        async with desk.host(model) as host:
            run = await host.start(QUESTION)
            await until(lambda: model.views)
            waiting = asyncio.create_task(run.result())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert run.stopped
            assert (await types_of(run))[-2:] == ["EffectOutcomeUnknown", "RunPaused"]
            model.gate.set()
            again = await host.resume(run.id)
            assert (await again.result()).usage["run/model-requests"]["used"] == 4
            assert [event.seq async for event in again.events()] == list(range(1, len(await types_of(again)) + 1))

    asyncio.run(work())


@pytest.mark.req("LED-09")
@pytest.mark.parametrize("stopped_before", [False, True])
def test_cancelling_settles_the_run_whether_it_is_driven_or_paused(desk: Desk, stopped_before: bool) -> None:
    async def work() -> None:
        model = Walker()
        model.gate = asyncio.Event()
        async with desk.host(model) as host:
            run = await host.start(QUESTION)
            await until(lambda: model.views)
            if stopped_before:
                await run.halt()
            watching = asyncio.create_task(types_of(run))
            reports = await asyncio.gather(run.cancel(), run.cancel())
            assert [report.status for report in reports] == ["cancelled", "cancelled"]
            assert (await run.result()).status == "cancelled"
            assert (await types_of(run))[-1] == "RunSettled"
            if not stopped_before:
                assert (await watching)[-1] == "RunSettled"
            await watching

    asyncio.run(work())


def test_cancelling_a_settled_run_changes_nothing(desk: Desk) -> None:
    async def work() -> None:
        async with desk.host() as host:
            run = await host.start(QUESTION)
            report = await run.result()
            assert await run.cancel() == report
            assert await run.pause() == report

    asyncio.run(work())


@pytest.mark.req("LED-06")
def test_a_run_that_another_one_took_is_an_error_of_the_project(desk: Desk) -> None:
    async def work() -> None:
        model = Walker()
        model.gate = asyncio.Event()
        async with desk.host(model) as host:
            run = await host.start(QUESTION)
            await until(lambda: model.views)
            await cancel(desk.ledger, run.id)
            model.gate.set()
            with pytest.raises(LeaseLost):
                await run.result()

    asyncio.run(work())
