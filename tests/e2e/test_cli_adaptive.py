"""A scripted model that notes, repeats itself and asks for apps: none of it decides what becomes of the Run."""

from __future__ import annotations

from typing import Any

import pytest
from tests.e2e.cli import Cli
from tests.e2e.scripted import PAGE, call, events, play

SEARCH = call("search_public_sources", query="day pass")
READ = call("read_public_source", handle="{{handle:pass}}")
PUBLISH = call("publish_answer", body="The day pass costs $18 [{{evidence:costs $18}}].", finish=True)
BODY = ("completed", "finish_accepted")


def needs(text: str = "is it dated?", status: str = "open") -> dict[str, Any]:
    return call("set_research_needs", items=[{"id": "a", "need": text, "status": status}])


@pytest.mark.req("QC-02", "QC-01")
def test_the_same_failing_read_is_made_twice_and_then_refused_with_a_hint(cli: Cli) -> None:
    one = call("read_public_source", handle="{{handle:pass}}", find="no such words")
    other = call("read_public_source", find="no such words", handle="{{handle:pass}}")
    report = play(cli, SEARCH, one, other, one, READ, PUBLISH).json
    assert (report["status"], report["stop_reason"]) == BODY
    assert report["usage"]["reader/reads"]["used"] == 3  # two that failed, one that did not
    failed, again, refused = events(cli, "ToolCallFailed", "ToolCallRefused")
    assert failed["data"]["code"] == again["data"]["code"] == "FIND_NOT_FOUND"
    assert refused["data"]["code"] == "SAME_CALL_FAILED"
    assert "search_public_sources" in refused["data"]["hint"]


PART = call("read_public_source", handle="{{handle:pass}}", segment=0)
SAME_PART = call("read_public_source", segment=0, handle="{{handle:pass}}")
FOUND = 4  # commits: by then the search is answered, and the next request is reserved


@pytest.mark.req("QC-02", "LED-03")
def test_a_read_of_a_file_that_was_deleted_after_the_search_is_made_twice_and_then_refused(cli: Cli) -> None:
    nothing = call("finish_research", outcome="none", limitations=["the page is gone"])
    play(cli, SEARCH, PART, SAME_PART, PART, nothing, COUNTERFOIL_CRASH_AT=str(FOUND))
    (cli.home / "docs" / "pass.md").unlink()
    report = cli("resume", "last", "--json").json
    assert (report["stop_reason"], report["usage"]["reader/reads"]["used"]) == ("finish_accepted", 2)
    assert [event["data"]["call_id"] for event in events(cli, "ToolCallReserved")] == ["c1", "c2", "c3"]
    failed, again, refused = events(cli, "ToolCallFailed", "ToolCallRefused")
    assert failed["data"]["code"] == again["data"]["code"] == "DOCUMENT_UNKNOWN"
    assert (refused["data"]["call_id"], refused["data"]["code"]) == ("c4", "SAME_CALL_FAILED")
    assert "read another source (S2)" in refused["data"]["hint"]


@pytest.mark.req("QC-02", "LED-03")
def test_a_read_that_failed_once_and_then_succeeded_has_no_failures_behind_it(cli: Cli) -> None:
    play(cli, SEARCH, PART, SAME_PART, PART, PART, PUBLISH, COUNTERFOIL_CRASH_AT=str(FOUND))
    page = cli.home / "docs" / "pass.md"
    page.unlink()
    assert cli("resume", "last", COUNTERFOIL_CRASH_AT="5").code == -9  # when it has failed once
    page.write_text(PAGE)
    report = cli("resume", "last", "--json").json
    assert (report["status"], report["usage"]["reader/reads"]["used"]) == ("completed", 2)
    assert [event["data"]["code"] for event in events(cli, "ToolCallFailed")] == ["DOCUMENT_UNKNOWN"]
    assert events(cli, "ToolCallRefused") == []


@pytest.mark.req("RES-01", "RES-03")
def test_needs_unchanged_over_ten_working_turns_are_not_spoken_of(cli: Cli) -> None:
    searches = [call("search_public_sources", query=f"day pass {n}") for n in range(10)]
    report = play(cli, needs(), *searches, READ, PUBLISH).json
    assert (report["status"], report["stop_reason"]) == BODY
    assert events(cli, "ReminderGiven") == []
    assert report["needs"] == [{"id": "a", "need": "is it dated?", "status": "open"}]


@pytest.mark.req("RES-01", "RES-03")
def test_needs_rewritten_ten_times_are_remarked_upon_once_and_the_run_goes_on(cli: Cli) -> None:
    report = play(cli, *(needs(f"side {n}") for n in range(11)), SEARCH, READ, PUBLISH).json
    assert (report["status"], report["stop_reason"]) == BODY
    (remark,) = events(cli, "ReminderGiven")
    assert (remark["data"]["kind"], remark["data"]["policy"]) == ("rewriting", "quality/needs-rewrites")
    assert len(events(cli, "NeedsSet")) == 11


@pytest.mark.req("RES-01", "RES-02", "QC-03")
def test_needs_and_plan_change_nothing_in_the_outcome(cli: Cli) -> None:
    plain = play(cli, SEARCH, READ, PUBLISH).json
    plan = call("plan", kind="research", success_criteria=["a dated price"], deliverables=["a table"])
    unresolved = play(cli, plan, needs(status="unresolved"), SEARCH, READ, PUBLISH).json
    same = ("status", "stop_reason", "finished", "delivered", "gaps", "conflicts", "evidence_table", "publication")
    assert {key: plain[key] for key in same} == {key: unresolved[key] for key in same}
    assert unresolved["plan"]["success_criteria"] == ["a dated price"]
    assert "plan" not in plain

    resolved = play(cli, needs(status="resolved"), SEARCH, READ).json
    nothing = play(cli, SEARCH, READ).json
    assert {key: resolved[key] for key in same} == {key: nothing[key] for key in same}
    assert (resolved["stop_reason"], resolved["publication"]["assembled_by"]) == ("model_stopped", "host")


@pytest.mark.req("RES-02")
def test_a_dropped_need_drops_no_cell_of_the_contract(cli: Cli) -> None:
    asked = ("--row", "City North", "--row", "City South", "--field", "price")
    dropped = needs("price of City South", "not_needed")
    finish = call("finish_research", outcome="completed")
    fact = {
        "row": "City North", "field": "price", "value": "$18", "quote": "The day pass of City North costs $18.",
        "evidence_id": "{{evidence:costs $18}}",
    }  # fmt: skip
    facts = call("record_facts", facts=[fact])
    report = play(cli, dropped, SEARCH, READ, facts, PUBLISH, finish, args=asked).json
    assert [gap["row"] for gap in report["gaps"]] == ["City South"]
    assert report["publication"]["assembled_by"] == "host"  # an answer that leaves the cell out is rejected


@pytest.mark.req("QC-08")
def test_an_app_that_is_not_there_is_asked_for_and_the_run_goes_on(cli: Cli) -> None:
    wish = call("request_connector", app="Mail", why="to read the operator's reply")
    report = play(cli, wish, SEARCH, READ, PUBLISH).json
    assert (report["status"], report["stop_reason"]) == BODY
    (warning,) = report["warnings"]
    assert warning["code"] == "CONNECTOR_MISSING"
    assert warning["excerpt"] == "Mail is not connected: to read the operator's reply"
    (failed,) = events(cli, "ToolCallFailed")
    assert (failed["data"]["category"], bool(failed["data"]["hint"])) == ("not_connected", True)
    assembled = play(cli, wish, SEARCH, READ).json["publication"]["body"]
    assert "the app Mail, which was not connected" in assembled


@pytest.mark.req("RES-01", "TSK-02")
def test_show_tells_the_needs_and_the_plan(cli: Cli) -> None:
    plan = call("plan", kind="data", success_criteria=["recomputed twice"])
    play(cli, plan, needs(status="unresolved"), SEARCH, READ, PUBLISH, args=("--out", "report.html"))
    for shown in (cli("show", "last").out, (cli.home / "report.html").read_text()):
        assert "need, unresolved" in shown
        assert "recomputed twice" in shown
    assert cli("show", "last", "--json").json["needs"][0]["status"] == "unresolved"
