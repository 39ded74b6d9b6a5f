"""Diagnosis, comparison and redacted traces from a user's seat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.e2e.cli import Cli


@pytest.fixture(name="at")
def at_fixture(tmp_path: Path) -> Cli:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "north.md").write_text("# City North\n\nA three-day pass of City North costs $18.\n", "utf-8")
    lines = [
        {"calls": [{"tool": "search_public_sources", "args": {"query": "pass City North"}}]},
        {"calls": [{"tool": "read_public_source", "args": {"handle": "S1"}}]},
        {"calls": [{"tool": "publish_answer", "args": {"body": "It costs $99 [E2].", "finish": True}}], "repeat": 12},
    ]
    (tmp_path / "wrong.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    cli = Cli(tmp_path)
    cli("ask", "What does a pass of City North cost?", "--corpus", "docs", "--model", "script:wrong.jsonl", "--quiet")
    return cli


@pytest.mark.req("TRC-02")
def test_the_verdict_names_stage_and_events(at: Cli) -> None:
    done = at("diagnose", "last", "--json")
    assert done.code == 0, done.err
    assert done.json["verdict"] == {"stage": "synthesis", "code": "FIGURE_MISMATCH"}
    trace = [json.loads(line) for line in at("trace", "last", "--json").out.splitlines()]
    types = {event["seq"]: event["type"] for event in trace}
    assert {types[seq] for seq in done.json["causes"][0]["events"]} == {"PublicationRejected"}
    assert "synthesis: FIGURE_MISMATCH" in at("diagnose", "last").out


def test_a_good_run_is_told_to_be_one(at: Cli) -> None:
    at("ask", "What does a pass of City North cost?", "--corpus", "docs", "--quiet")
    assert "Nothing in its ledger" in at("diagnose", "last").out
    assert "GOLD_NOT_FOUND" in at("diagnose", "last", "--source", "lost.pdf").out


@pytest.mark.req("TRC-05")
def test_two_runs_stand_side_by_side(at: Cli) -> None:
    at("ask", "What does a pass of City North cost?", "--corpus", "docs", "--quiet")
    runs = [run["run_id"] for run in at("runs", "--json").json]
    done = at("trace", runs[0], "--compare", runs[1], "--json")
    assert done.code == 0, done.err
    differ = {line["name"] for line in done.json["lines"]}
    assert {"model", "status"} <= differ
    assert "≠" in at("trace", runs[0], "--compare", runs[1]).out


@pytest.mark.req("TRC-03")
def test_a_redacted_trace_says_nothing_that_was_said(at: Cli) -> None:
    whole, redacted = at("trace", "last", "--json").out, at("trace", "last", "--json", "--redact").out
    for said in ("What does a pass", "three-day pass", "$99", "north.md"):
        assert said in whole and said not in redacted
    assert [json.loads(line)["hash"] for line in whole.splitlines()] == [
        json.loads(line)["hash"] for line in redacted.splitlines()
    ]
