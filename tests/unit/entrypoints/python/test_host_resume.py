"""A Run goes on as admitted: its documents cut as they were, its script where it was, its limits or lower ones."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.unit.entrypoints.python.desk import QUESTION, STEPS, Desk

from counterfoil import Host, RefusedError, Run, RunReport
from counterfoil.adapters.corpus.local import LocalCorpus


async def paused_after(host: Host, event_type: str) -> Run:
    """A Run that was paused when the first event of that type was durable."""
    async with host:
        run = await host.start(QUESTION)
        async for event in run.events():
            if event.type == event_type:
                await run.pause()
        return run


async def resumed(host: Host, run: Run) -> RunReport:
    async with host:
        return await (await host.resume(run.id)).result()


@pytest.mark.req("LED-04", "MOD-03")
def test_a_script_goes_on_where_it_was(desk: Desk, tmp_path: Path) -> None:
    lines = [{"calls": [{"tool": step.tool, "args": step.args}]} for step in STEPS]
    script = tmp_path / "script.jsonl"
    script.write_text("".join(json.dumps(line) + "\n" for line in lines))
    model = f"script:{script}"

    async def work() -> RunReport:
        return await resumed(desk.host("offline"), await paused_after(desk.host(model), "ToolCallSettled"))

    report = asyncio.run(work())
    assert report.status == "completed"
    assert report.usage["run/model-requests"]["used"] == 3


@pytest.mark.req("LED-04")
@pytest.mark.parametrize(("deployed", "in_force"), [(9, 9), (20, 12)])
def test_a_lower_limit_narrows_a_run_and_a_higher_one_changes_nothing(desk: Desk, deployed: int, in_force: int) -> None:
    async def work() -> RunReport:
        run = await paused_after(desk.host(), "ToolCallSettled")
        return await resumed(desk.host(web__searches=deployed), run)

    assert asyncio.run(work()).usage["web/searches"]["limit"] == in_force


@pytest.mark.req("LED-04")
def test_documents_are_cut_as_they_were_at_admission(desk: Desk, tmp_path: Path) -> None:
    async def work() -> RunReport:
        run = await paused_after(desk.host(), "ToolCallSettled")
        return await resumed(desk.host(reader__passage_chars=200), run)

    assert asyncio.run(work()).status == "completed"
    assert len(list((tmp_path / "cache").rglob("*-400/*.db"))) == 1  # beside the one of the Host


@pytest.mark.parametrize("refused", [False, True])
def test_an_index_is_closed_with_its_host_and_when_nothing_can_be_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, refused: bool
) -> None:
    closed: list[LocalCorpus] = []
    closing = LocalCorpus.close

    def close(corpus: LocalCorpus) -> None:
        closed.append(corpus)
        closing(corpus)

    monkeypatch.setattr(LocalCorpus, "close", close)
    if refused:
        (desk.docs.parent / "empty").mkdir()
        desk.docs = desk.docs.parent / "empty"

    async def work() -> None:
        async with desk.host():
            assert closed == []

    if refused:
        with pytest.raises(RefusedError):
            asyncio.run(work())
    else:
        asyncio.run(work())
    assert len(closed) == 1
