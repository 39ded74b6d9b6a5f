"""Work that is split over helpers: three parts, one fails, and the process dies wherever it may."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from tests.e2e.cli import Cli, Done

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
