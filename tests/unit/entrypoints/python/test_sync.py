"""The API without an event loop: the same answers, and a clear word where a loop runs."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.unit.entrypoints.python.desk import QUESTION, Desk, Walker

import counterfoil
from counterfoil import RunEvent, SyncHost, UsageError


@pytest.mark.req("UX-02")
def test_one_question_is_one_call(desk: Desk) -> None:
    report = counterfoil.ask(QUESTION, corpus=[desk.docs], model=Walker(), store=desk.docs.parent / "runs.db")
    assert report.status == "completed"
    assert report.publication is not None
    assert report.publication.body == "The visitor pass costs $18 [E2]."
    assert report.publication.citations[0].quote.startswith("The visitor pass costs $18")
    printed = json.loads(report.to_json())
    assert (printed["schema"], printed["run_id"]) == (1, report.run_id)


def test_a_host_answers_one_after_the_other_tells_events_and_resumes(desk: Desk) -> None:
    seen: list[RunEvent] = []
    with SyncHost(corpus=[desk.docs], model=Walker(), store=desk.ledger) as host:
        first = host.ask(QUESTION, seen.append)
        assert host.ask(QUESTION).run_id != first.run_id
        assert host.resume(first.run_id) == first
    assert seen[-1].type == "RunSettled"
    assert {event.run_id for event in seen} == {first.run_id}


def test_who_breaks_off_leaves_a_run_that_goes_on_later(desk: Desk) -> None:
    def interrupted(event: RunEvent) -> None:
        if event.type == "ModelCallReserved":
            seen.append(event.run_id)
            raise KeyboardInterrupt

    seen: list[str] = []
    with SyncHost(corpus=[desk.docs], model=Walker(), store=desk.ledger) as host:
        with pytest.raises(KeyboardInterrupt):
            host.ask(QUESTION, interrupted)
        assert host.resume(seen[0]).status == "completed"


@pytest.mark.req("UX-06")
def test_inside_a_loop_it_says_what_to_use_instead(desk: Desk) -> None:
    async def work() -> None:
        with pytest.raises(UsageError, match="event loop") as refused:
            counterfoil.ask(QUESTION, corpus=[desk.docs])
        assert refused.value.code == "LOOP_RUNNING"
        assert "await host.start" in refused.value.hint

    asyncio.run(work())
    with SyncHost(corpus=[desk.docs], model=Walker(), store=desk.ledger) as host:

        async def late() -> None:
            with pytest.raises(UsageError, match="event loop"):
                host.ask(QUESTION)

        asyncio.run(late())


def test_a_host_that_cannot_open_leaves_nothing_behind(desk: Desk) -> None:
    with pytest.raises(counterfoil.RefusedError, match="nowhere"), SyncHost(corpus=["nowhere"], store=desk.ledger):
        pass
