"""The Host of the Python API: settings, many Runs at once, what a user adds, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

import pytest
from tests.unit.entrypoints.python.desk import QUESTION, Desk, Walker, until

from counterfoil import Field, Host, NotFoundError, RefusedError, Row, Run, Task, UsageError, events
from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.errors import PolicyRefused
from counterfoil.core.record.state import RunState
from counterfoil.host.report import RunReport


def answered(desk: Desk, task: Task | str, model: Walker | str | None = None, **policies: float) -> RunReport:
    async def work() -> RunReport:
        async with desk.host(model, **policies) as host:
            return await (await host.start(task)).result()

    return asyncio.run(work())


@pytest.mark.req("UX-02")
def test_a_task_with_rows_and_fields_is_answered_offline(desk: Desk) -> None:
    task = Task(QUESTION, rows=[Row("City North")], fields=[Field("price", type="money")], as_of="2025-03-31")
    report = answered(desk, task, "offline")
    assert report.status == "completed"
    assert report.evidence_table[0]["value"] == "$18"
    assert report.time_anchor["as_of"] == "2025-03-31"


@pytest.mark.req("GOV-05")
def test_a_task_narrows_and_never_widens(desk: Desk) -> None:
    narrowed = answered(desk, Task(QUESTION, budget={"web/searches": 2}), web__searches=5)
    assert narrowed.usage["web/searches"]["limit"] == 2
    with pytest.raises(PolicyRefused, match="allows 5"):
        answered(desk, Task(QUESTION, budget={"web/searches": 6}), web__searches=5)
    with pytest.raises(PolicyRefused, match="only the operator"):
        answered(desk, Task(QUESTION, budget={"run/corrections": 1}))
    assert len(asyncio.run(desk.ledger.runs())) == 1


@pytest.mark.req("UX-06", "GOV-05")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"policies": {"web/serches": 5}}, "web/serches"),
        ({"policies": {"web/searches": 100_000}}, "web/searches"),
        ({"policies": {"web/searches": "many"}}, "'many'"),
        ({"corpus": "docs"}, "not a list"),
        ({"corpus": [""]}, "empty"),
        ({"corpus": 3}, "not a list"),
        ({"corpus": [3]}, "a path in corpus is 3"),
        ({"policies": ["web/searches"]}, "not a table"),
        ({"fallbacks": "offline"}, "not a list"),
        ({"model": 3}, "model is 3"),
        ({"store": 3}, "store is 3"),
        ({"validators": [3]}, "validators is 3"),
    ],
)
def test_a_host_that_cannot_be_is_refused_where_it_is_written(desk: Desk, options: dict[str, Any], told: str) -> None:
    with pytest.raises((UsageError, RefusedError), match=told):
        Host(**options)


def test_a_policy_is_switched_off_with_none(desk: Desk) -> None:
    async def work() -> None:
        host = Host(corpus=[desk.docs], model=Walker(), store=desk.ledger, policies={"run/cost-usd": None})
        async with host:
            assert (await (await host.start(QUESTION)).result()).usage["run/cost-usd"]["limit"] is None

    asyncio.run(work())


def test_what_is_left_out_comes_from_the_environment(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    store = desk.docs.parent / "elsewhere.db"
    monkeypatch.setenv("COUNTERFOIL_STORE", str(store))

    async def work() -> None:
        async with Host(corpus=[desk.docs], model=Walker()) as host:
            await (await host.start(QUESTION)).result()

    asyncio.run(work())
    assert store.exists()


@pytest.mark.req("UX-06")
def test_a_task_without_documents_is_refused_and_nothing_recorded(desk: Desk) -> None:
    async def work() -> None:
        async with Host(model=Walker(), store=desk.ledger) as host:
            with pytest.raises(RefusedError, match="nothing to search"):
                await host.start(QUESTION)
        async with desk.host() as host:
            with pytest.raises(RefusedError, match=r"bound to 'east\.md'"):
                await host.start(Task(QUESTION, rows=[Row("East", docs=("east.md",))]))
            with pytest.raises(UsageError, match="is no date"):
                await host.start(Task(QUESTION, as_of="yesterday"))

    asyncio.run(work())
    assert asyncio.run(desk.ledger.runs()) == ()


def test_a_host_is_open_once_and_says_so(desk: Desk) -> None:
    async def work() -> None:
        host = desk.host()
        with pytest.raises(UsageError, match="not open"):
            await host.start(QUESTION)
        async with host:
            with pytest.raises(UsageError, match="opens once"):
                await host.__aenter__()
        with pytest.raises(UsageError, match="not open"):
            await host.resume("r1")
        with pytest.raises(UsageError, match="opens once"):
            await host.__aenter__()
        await host.close()

    asyncio.run(work())


@pytest.mark.req("LED-06", "UX-02")
@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_many_runs_at_once_over_one_store_file(desk: Desk, count: int) -> None:
    async def work() -> None:
        async with Host(corpus=[desk.docs], model=Walker(), store=desk.docs.parent / "runs.db") as host:
            runs = await asyncio.gather(*(host.start(QUESTION) for _ in range(count)))
            reports = await asyncio.gather(*(run.result() for run in runs))
            assert {report.status for report in reports} == {"completed"}
            assert len({report.run_id for report in reports}) == count
            assert {report.usage["run/tool-calls"]["used"] for report in reports} == {2}

    asyncio.run(work())


@pytest.mark.req("UX-02")
@pytest.mark.parametrize("error", [None, ValueError])
def test_leaving_the_block_pauses_what_runs_and_leaves_no_task(desk: Desk, error: type[Exception] | None) -> None:
    model = Walker()
    runs: list[Run] = []

    async def leave() -> None:
        async with desk.host(model) as host:
            runs.append(await host.start(QUESTION))
            await until(lambda: model.views)
            if error is not None:
                raise error
            assert model.gate is not None
            model.gate.set()

    async def work() -> None:
        model.gate = asyncio.Event()
        if error is None:
            await leave()
        else:
            with pytest.raises(error):
                await leave()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        model.gate.set()
        recorded = [stored.type for stored in await desk.ledger.stored(runs[0].id)]
        assert recorded[-1] == "RunPaused"
        assert ("EffectOutcomeUnknown" in recorded) == (error is not None)
        async with desk.host() as host:
            assert (await (await host.resume(runs[0].id)).result()).status == "completed"

    asyncio.run(work())


def test_a_store_that_the_host_opened_is_closed_and_one_that_it_was_given_is_not(desk: Desk) -> None:
    answered(desk, QUESTION)
    assert len(asyncio.run(desk.ledger.runs())) == 1
    gc.collect()  # a connection left open would be a ResourceWarning


@pytest.mark.req("LED-04")
def test_a_run_goes_on_with_the_documents_and_the_model_it_was_admitted_with(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "east.md").write_text("# City East\n\nNo pass is sold.\n")

    async def work() -> None:
        async with desk.host("offline") as host:
            run = await host.start(QUESTION)
            await run.halt()
            assert run.stopped
        async with Host(corpus=[other], model=Walker(), store=desk.ledger) as host:
            again = await host.resume(run.id)
            report = await again.result()
            assert report.model == "offline"
            assert report.publication is not None
            assert "$18" in report.publication.body

    asyncio.run(work())


@pytest.mark.req("UX-06", "LED-04")
def test_what_cannot_go_on_says_why(desk: Desk) -> None:
    async def paused(host: Host) -> Run:
        run = await host.start(QUESTION)
        await run.halt()
        return run

    async def work() -> None:
        async with desk.host(Walker(spec="mine")) as host:
            run = await paused(host)
        async with desk.host("offline") as host:
            with pytest.raises(RefusedError, match="'mine', which is not here") as missing:
                await host.resume(run.id)
            assert "Host(model=" in missing.value.hint
            with pytest.raises(NotFoundError):
                await host.resume("r0")
        with_tool = desk.host()
        with_tool.tool(today)
        async with with_tool as host:
            run = await paused(host)
        async with desk.host() as host:
            with pytest.raises(RefusedError, match="tool today: admitted present, deployed absent"):
                await host.resume(run.id)

    asyncio.run(work())


def test_resuming_a_run_that_this_host_drives_gives_the_same_handle(desk: Desk) -> None:
    async def work() -> None:
        model = Walker()
        model.gate = asyncio.Event()
        async with desk.host(model) as host:
            run = await host.start(QUESTION)
            assert await host.resume(run.id) is run
            model.gate.set()
            report = await run.result()
            settled = await host.resume(run.id)
            assert settled is not run
            assert await settled.result() == report
            assert [event.type async for event in settled.events()][-1] == "RunSettled"

    asyncio.run(work())


def today() -> str:
    """Say which day it is."""
    return "2025-03-31"


@pytest.mark.req("UX-06")
@pytest.mark.parametrize("name", ["search_public_sources", "finish_research", "today"])
def test_a_tool_cannot_take_a_name_that_is_taken(desk: Desk, name: str) -> None:
    host = desk.host()
    assert host.tool(today) is today
    with pytest.raises(RefusedError, match=f"a tool named '{name}' already"):
        host.tool(name=name)(today)


class AtMost:
    """A publication check of a user's."""

    def __init__(self, chars: int) -> None:
        self.name = "at_most@1"
        self._chars = chars

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        if len(candidate.body) <= self._chars:
            return ()
        return (Finding("TOO_LONG", candidate.body, f"at most {self._chars} characters"),)


@pytest.mark.req("UX-02")
@pytest.mark.parametrize(("chars", "accepted"), [(100, True), (10, False)])
def test_a_users_check_judges_with_the_others(desk: Desk, chars: int, accepted: bool) -> None:
    async def work() -> None:
        host = Host(corpus=[desk.docs], model=Walker(), store=desk.ledger, validators=[AtMost(chars)])
        async with host:
            run = await host.start(QUESTION)
            report = await run.result()
            judged = [event.data for event in (await _all(run)) if event.type.startswith("Publication")]
            assert any("at_most@1" in getattr(event, "validators", ()) for event in judged)
            assert [r["findings"][0]["code"] for r in report.rejections] == ([] if accepted else ["TOO_LONG"])
            assert report.finished == accepted

    asyncio.run(work())


async def _all(run: Run) -> list[Any]:
    return [event async for event in run.events()]


def test_events_can_be_matched_by_type(desk: Desk) -> None:
    async def work() -> list[str]:
        found = []
        async with desk.host() as host:
            async for event in (await host.start(QUESTION)).events():
                match event.data:
                    case events.ToolCallReserved(call_id):
                        found.append(call_id)
        return found

    assert asyncio.run(work()) == ["c1", "c2"]


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(("task", "code"), [(None, "QUESTION_EMPTY"), ({"question": "x"}, "QUESTION_EMPTY")])
def test_what_is_no_task_is_refused(desk: Desk, task: Any, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        answered(desk, task)
    assert refused.value.code == code


@pytest.mark.req("UX-06")
def test_a_zone_that_is_no_text_is_refused(desk: Desk) -> None:
    zone: Any = 3
    with pytest.raises(UsageError, match="3 is no time zone"):
        answered(desk, Task(QUESTION, zone=zone))
