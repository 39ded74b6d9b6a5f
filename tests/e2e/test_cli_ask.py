"""Asking, and looking back at what was asked."""

from __future__ import annotations

import json

import pytest
from tests.e2e.cli import Cli, Done

Asked = tuple[Cli, Done]
KEYS = {
    *("schema", "run_id", "status", "stop_reason", "policy", "delivered", "finished", "review", "head", "error"),
    *("publication", "evidence_table", "conflicts", "gaps", "needs", "time_anchor", "usage", "cost_usd"),
    *("rejections", "warnings"),
}


def test_an_answer_is_one_json_object_with_a_quote_from_the_document(asked: Asked) -> None:
    _, done = asked
    assert done.code == 0, done.err
    report = done.json
    assert sorted(KEYS - report.keys()) == []
    assert report["status"] in ("completed", "completed_with_gaps")
    assert report["error"] is None
    assert "$18" in report["publication"]["body"]
    citation = next(c for c in report["publication"]["citations"] if "$18" in c["quote"])
    assert citation["quote"] in "The City North day pass costs $18. It ends at midnight."
    assert citation["page"] is None
    assert citation["url"].endswith("docs/pass.md")


def test_requests_by_purpose_add_up(asked: Asked) -> None:
    usage = asked[1].json["usage"]
    requests = usage["run/model-requests"]
    assert sum(requests["by_purpose"].values()) == requests["used"] > 0
    assert all(0 <= entry["used"] <= entry["limit"] for entry in usage.values() if entry["limit"] is not None)


def test_show_prints_the_same_object(asked: Asked) -> None:
    cli, done = asked
    for name in ("last", done.json["run_id"], done.json["run_id"][:-2]):
        shown = cli("show", name, "--json")
        assert shown.code == 0, shown.err
        assert shown.json == done.json


def test_show_prints_a_page_for_people(asked: Asked) -> None:
    cli, done = asked
    shown = cli("show", "last")
    assert shown.code == 0
    assert "$18" in shown.out
    assert "extractive, no language model" in shown.out
    assert done.json["head"] in shown.out
    assert "\x1b" not in shown.out


def test_runs_lists_newest_first(asked: Asked) -> None:
    cli, done = asked
    listed = cli("runs", "--json").json
    assert listed[0].keys() == {"run_id", "question", "status", "phase", "at"}
    assert listed[0]["run_id"] == done.json["run_id"]
    assert listed[0]["phase"] == "settled"
    assert done.json["run_id"] in cli("runs").out


@pytest.mark.req("TRC-01", "LED-01")
def test_trace_prints_every_event_on_a_line(asked: Asked) -> None:
    cli, done = asked
    events = [json.loads(line) for line in cli("trace", "last", "--json").out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert all(list(event) == ["seq", "at", "actor", "type", "data", "hash"] for event in events)
    assert (events[0]["type"], events[-1]["type"]) == ("RunAdmitted", "RunSettled")
    assert events[-1]["hash"] == done.json["head"]
    assert len(cli("trace", "last").out.splitlines()) == len(events)


@pytest.mark.req("LED-12")
def test_verify_proves_the_chain_and_its_head(asked: Asked) -> None:
    cli, done = asked
    head = done.json["head"]
    proven = cli("verify", "last", "--head", head, "--json")
    assert proven.code == 0
    assert proven.json["intact"] is True
    assert cli("verify", "last", "--head", head[:12]).code == 0
    other = cli("verify", "last", "--head", "0" * 64, "--json")
    assert other.code == 1
    assert (other.json["intact"], other.json["first_bad"], other.json["head_matches"]) == (False, None, False)


def test_reports_are_written_by_suffix(asked: Asked) -> None:
    cli, done = asked
    for name, start in (("a.md", "# "), ("a.html", "<!doctype html>"), ("a.json", "{")):
        assert cli("show", "last", "--out", name).code == 0
        assert (cli.home / name).read_text("utf-8").startswith(start)
    assert json.loads((cli.home / "a.json").read_text("utf-8")) == done.json


def test_progress_goes_to_stderr_in_plain_lines(asked: Asked) -> None:
    cli, _ = asked
    question = ("ask", "How much does the City North day pass cost?", "--corpus", "docs")
    done = cli(*question)
    assert done.code == 0
    assert "search “" in done.err
    assert "\x1b" not in done.err + done.out
    assert cli(*question, "--quiet").err == ""


@pytest.mark.req("TSK-06")
def test_what_no_document_says_is_a_gap(asked: Asked) -> None:
    cli, _ = asked
    done = cli("ask", "Who won the 1998 World Cup?", "--corpus", "docs", "--json")
    assert done.code in (0, 10)
    assert done.json["gaps"]
    assert done.json["gaps"][0]["tried"]
    assert not [row for row in done.json["evidence_table"] if row["state"] == "found"]
