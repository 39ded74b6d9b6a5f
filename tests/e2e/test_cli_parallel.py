"""Work that is split over helpers: three parts, one fails, and the process dies wherever it may."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.e2e.cli import Cli, Done

from counterfoil.adapters.stores.sqlite import open_sqlite
from counterfoil.core.law import budget as ids
from counterfoil.core.record import events as e
from counterfoil.core.record import helpers as h
from counterfoil.core.record.events import Event

T = TypeVar("T")

TOWNS = {"North": 18, "South": 15, "West": 21}


def lines() -> list[dict[str, Any]]:
    goals = [{"goal": f"What does the City {town} day pass cost?", "rows": [f"City {town}"]} for town in TOWNS]
    cited = {town: f"City {town}: ${TOWNS[town]} [{{{{evidence:City {town} day pass costs}}}}]." for town in TOWNS}
    body = f"{cited['North']}\n\n{cited['South']}"
    gap = {"row": "City West", "field": "price", "state": "unresolved", "why": "the part for it failed"}
    script: list[dict[str, Any]] = [
        {"calls": [{"tool": "run_in_parallel", "args": {"parts": goals}}]},
        {"calls": [{"tool": "record_facts", "args": {"facts": [fact("North"), fact("South")]}}]},
        {"calls": [{"tool": "publish_answer", "args": {"body": body, "gaps": [gap], "finish": True}}]},
    ]
    for number, town in enumerate(TOWNS, 1):
        lane = f"helper:{number}"
        search = {"tool": "search_public_sources", "args": {"query": f"City {town} day pass"}}
        read = {"tool": "read_public_source", "args": {"handle": f"{{{{handle:City {town}}}}}"}}
        answer = {"body": cited[town], "finish": True}
        script.append({"for": lane, "calls": [search]})
        if town == "West":
            script.append({"for": lane, "error": {"status": 401}})
            continue
        script.append({"for": lane, "calls": [read]})
        script.append({"for": lane, "calls": [{"tool": "record_facts", "args": {"facts": [fact(town)]}}]})
        script.append({"for": lane, "calls": [{"tool": "publish_answer", "args": answer}]})
    return script


def fact(town: str) -> dict[str, Any]:
    mark = f"{{{{evidence:City {town} day pass costs}}}}"
    quote = f"The City {town} day pass costs ${TOWNS[town]}."
    return {"row": f"City {town}", "field": "price", "value": str(TOWNS[town]), "evidence_id": mark, "quote": quote}


def asked(cli: Cli, **environ: str) -> Done:
    (cli.home / "docs").mkdir()
    for town, price in TOWNS.items():
        text = f"# City {town}\n\nThe City {town} day pass costs ${price}.\n"
        (cli.home / "docs" / f"{town.lower()}.md").write_text(text)
    (cli.home / "script.jsonl").write_text("\n".join(json.dumps(line) for line in lines()))
    rows = [word for town in TOWNS for word in ("--row", f"City {town}")]
    question = "What do the day passes cost?"
    command = ("ask", question, *rows, "--field", "price", "--corpus", "docs", "--model", "script:script.jsonl")
    return cli(*command, "--json", **environ)


def events(cli: Cli, run: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cli("trace", run, "--json").out.splitlines()]


def require_two_reports_and_a_failure(cli: Cli, done: Done) -> None:
    assert done.json["status"] == "completed_with_gaps", done.json["rejections"]
    run = done.json["run_id"]
    told = events(cli, run)
    assert not [e for e in told if e["type"] == "EffectOutcomeUnknown" and e["data"]["kind"] == "tool"]
    (receipt,) = [e for e in told if e["type"] == "ToolCallSettled" and "parts" in e["data"]["content"]]
    parts = receipt["data"]["content"]["parts"]
    assert [part["status"] for part in parts] == ["completed", "completed", "failed"]
    carves = {e["data"]["helper"]: e["data"]["carve"] for e in told if e["type"] == "BudgetCarved"}
    returned = {e["data"]["helper"]: e["data"]["returned"] for e in told if e["type"] == "BudgetReturned"}
    assert list(carves) == list(returned) == [f"{run}/{number}" for number in (1, 2, 3)]
    total = 0
    for helper, carve in carves.items():
        shown = cli("show", helper, "--json")
        assert shown.code in (0, 1, 10), shown.err
        used = {policy: entry["used"] for policy, entry in shown.json["usage"].items()}
        assert all(used[policy] <= units for policy, units in carve.items())
        assert returned[helper] == {policy: units - used[policy] for policy, units in carve.items()}
        total += used["run/model-requests"]
        happened = Counter(e["type"] for e in events(cli, helper))
        assert happened["RunSettled"] == 1
        assert cli("verify", helper).code == 0
    by_purpose = done.json["usage"]["run/model-requests"]["by_purpose"]
    assert by_purpose["helpers"] == total
    assert len([e for e in told if e["type"] == "EvidenceRead"]) == 2
    assert cli("verify", run).code == 0


@pytest.mark.req("QC-07")
def test_two_parts_report_and_the_third_is_a_failure_that_is_told(cli: Cli) -> None:
    done = asked(cli)
    assert done.code == 0, done.err or done.out
    require_two_reports_and_a_failure(cli, done)
    listed = [run["run_id"] for run in cli("runs", "--json").json]
    assert listed == [done.json["run_id"]]


@pytest.mark.req("QC-07", "LED-03", "LED-05")
@pytest.mark.parametrize("at", [4, 7, 10, 13])
def test_a_killed_parent_goes_on_with_its_helpers_and_nothing_happens_twice(cli: Cli, at: int) -> None:
    assert asked(cli, COUNTERFOIL_CRASH_AT=str(at)).code == -9
    again = cli("resume", "last", "--json", COUNTERFOIL_CRASH_AT="4")
    assert again.code == -9, again.err
    resumed = cli("resume", "last", "--json")
    assert resumed.code == 0, resumed.err
    require_two_reports_and_a_failure(cli, resumed)


def kept(cli: Cli) -> dict[str, list[Event]]:
    """Every event of every Run in the store."""

    async def read() -> dict[str, list[Event]]:
        ledger = open_sqlite(cli.home / "data" / "counterfoil" / "counterfoil.db")
        try:
            (run,) = [listed for listed in await ledger.runs() if "/" not in listed.run_id]
            names = (run.run_id, *(f"{run.run_id}/{number}" for number in (1, 2, 3)))
            return {name: [event for _, event in await ledger.events(name)] for name in names}
        finally:
            await ledger.close()

    return asyncio.run(read())


def require_nothing_twice(stored: dict[str, list[Event]]) -> None:
    """Two reports and a failure; every effect as often as it is debited, each repetition after one that was lost."""
    run, *helpers = stored
    (receipt,) = [event.content for event in of(stored[run], e.ToolCallSettled) if "parts" in event.content]
    assert [part["status"] for part in receipt["parts"]] == ["completed", "completed", "failed"]
    carves = {event.helper: event.carve for event in of(stored[run], h.BudgetCarved)}
    returned = {event.helper: event.returned for event in of(stored[run], h.BudgetReturned)}
    assert list(carves) == list(returned) == helpers
    assert len(of(stored[run], h.BudgetReturned)) == len(of(stored[run], h.HelperSettled)) == len(helpers)
    assert len(of(stored[run], e.EvidenceRead)) == 2
    for helper, parts in zip(helpers, receipt["parts"], strict=True):
        told = stored[helper]
        lost = Counter(event.kind for event in of(told, e.EffectOutcomeUnknown))
        tools = {event.call.id: event.call.tool for event in of(told, e.ToolCallProposed)}
        performed = Counter(tools[event.call_id] for event in of(told, e.ToolCallReserved))
        done = Counter(tools[event.call_id] for event in of(told, e.ToolCallSettled))
        reads = int(parts["status"] == "completed")
        assert (done["search_public_sources"], done["read_public_source"]) == (1, reads)
        assert performed.total() == 1 + reads + lost["tool"]
        assert len(of(told, e.EvidenceRead)) == len(of(told, e.FactRecorded)) == reads
        assert len(of(told, e.RunSettled)) == 1
        requests = len(of(told, e.ModelCallReserved))
        assert requests == len(of(told, e.ModelCallSettled)) + len(of(told, e.ModelCallFailed)) + lost["model"]
        used = {
            ids.MODEL_REQUESTS: requests,
            ids.SEARCHES: performed["search_public_sources"],
            ids.READS: performed["read_public_source"],
            ids.TOOL_CALLS: performed.total(),
        }
        for policy, units in used.items():
            assert 0 <= units <= carves[helper][policy]
            assert returned[helper][policy] == carves[helper][policy] - units


def of(told: list[Event], kind: type[T]) -> list[T]:
    return [event for event in told if isinstance(event, kind)]


@pytest.mark.slow
@pytest.mark.req("QC-07", "LED-02", "LED-03", "LED-05")
def test_wherever_the_parent_is_killed_nothing_happens_twice(tmp_path: Path) -> None:
    for at in itertools.count(1):
        home = tmp_path / str(at)
        home.mkdir()
        cli = Cli(home)
        done = asked(cli, COUNTERFOIL_CRASH_AT=str(at))
        if done.code != -9:
            break
        resumed = cli("resume", "last", "--json")
        if at == 1:  # it died before anything was durable
            assert resumed.json["error"]["code"] == "not_found", resumed.out
            continue
        assert resumed.json["status"] == "completed_with_gaps", (at, resumed.out, resumed.err)
        require_nothing_twice(kept(cli))
    assert at > 20
    require_nothing_twice(kept(cli))


@pytest.mark.req("TRC-03", "QC-07")
def test_a_purged_parent_takes_the_content_of_its_helpers_with_it(cli: Cli) -> None:
    run = asked(cli).json["run_id"]
    helpers = [f"{run}/{number}" for number in (1, 2, 3)]
    alone = cli("purge", helpers[0], "--yes", "--json")
    assert alone.code == 2 and "is a helper of" in alone.json["error"]["message"]
    assert f"counterfoil purge {run}" in alone.json["error"]["hint"]
    assert cli("purge", "--expired", "--yes").out == "no Run is due\n"
    purged = cli("purge", run, "--yes", "--json").json
    assert [one["run_id"] for one in purged] == [*helpers, run]
    assert all(one["blobs"] for one in purged)
    for name in (*helpers, run):
        assert cli("verify", name).code == 0
        assert "was purged" in cli("show", name, "--json").json["error"]["message"]
        assert "day pass" not in cli("trace", name, "--json").out
    assert b"day pass costs" not in (cli.home / "data" / "counterfoil" / "counterfoil.db").read_bytes()
