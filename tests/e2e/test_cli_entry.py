"""The entry request where nobody is at a terminal: counted in the same total, bounded, and never in the way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.e2e.cli import Cli, Done

PROPOSAL = {"rows": [{"name": "City North"}], "fields": [{"name": "price", "type": "money"}]}
GIVEN_UP = {"calls": [{"tool": "finish_research", "args": {"outcome": "none", "limitations": ["enough"]}}]}
CUT: dict[str, Any] = {"error": {"truncated": True}}
DOWN: dict[str, Any] = {"error": {"status": 503, "body": "down"}}


def asked(cli: Cli, entry: list[dict[str, Any]], *more: str) -> Done:
    (cli.home / "docs").mkdir()
    (cli.home / "docs" / "pass.md").write_text("# City North\n\nThe City North day pass costs $18.\n")
    lines = [*({**line, "for": "entry"} for line in entry), GIVEN_UP]
    (cli.home / "script.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    return cli("ask", "How much is it?", "--corpus", "docs", "--model", f"script:{cli.home}/script.jsonl", *more)


@pytest.mark.req("GOV-06", "TSK-01")
def test_a_proposal_stands_unseen_and_its_request_counts_in_the_same_total(cli: Cli) -> None:
    fenced = f"Here it is:\n```json\n{json.dumps(PROPOSAL)}\n```"
    report = asked(cli, [{"text": fenced}], "--json").json
    assert [row["name"] for row in report["contract"]["rows"]] == ["City North"]
    requests = report["usage"]["run/model-requests"]
    assert (requests["used"], requests["limit"], requests["by_purpose"]) == (2, 60, {"entry": 1, "research": 1})


@pytest.mark.parametrize("reply", [{"text": "I cannot."}, {"text": '{"rows": 3}'}, {"text": "} and {"}, CUT])
def test_a_reply_that_cannot_be_used_leaves_the_bare_question(cli: Cli, reply: dict[str, Any]) -> None:
    report = asked(cli, [reply], "--yes", "--json").json
    assert report["contract"]["rows"] == [] and report["contract"]["question"] == "How much is it?"
    assert report["usage"]["run/model-requests"]["by_purpose"] == {"entry": 1, "research": 1}
    assert report["stop_reason"] == "finish_accepted"


@pytest.mark.req("MOD-01")
def test_a_provider_that_is_down_for_the_entry_request_ends_the_run_after_its_attempts(cli: Cli) -> None:
    done = asked(cli, [{**DOWN, "repeat": 9}], "--json", "--set", "model/attempts=2")
    report = done.json
    assert done.code == 1 and report["stop_reason"] == "provider_failed"
    assert report["usage"]["run/model-requests"]["by_purpose"] == {"entry": 2}
    assert report["error"]["message"] == "HTTP 503: down" and report["error"]["hint"]
