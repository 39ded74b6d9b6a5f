"""A Run whose process was killed can be looked at as it stands, and goes on from its receipts."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from tests.e2e.cli import Cli, Done

QUESTION = ("ask", "How much does the City North day pass cost?", "--corpus", "docs", "--json")


def killed(cli: Cli, at: int) -> Done:
    (cli.home / "docs").mkdir()
    (cli.home / "docs" / "pass.md").write_text(
        "# City North\n\nThe City North day pass costs $18. It ends at midnight.\n"
    )
    return cli(*QUESTION, COUNTERFOIL_CRASH_AT=str(at))


def events(cli: Cli) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cli("trace", "last", "--json").out.splitlines()]


@pytest.mark.req("TSK-02")
def test_a_run_that_is_not_settled_is_shown_as_it_stands(cli: Cli) -> None:
    assert killed(cli, 5).code == -9
    shown = cli("show", "last", "--json")
    assert shown.code == 0, shown.err
    report = shown.json
    assert (report["status"], report["phase"], report["stop_reason"]) == ("running", "research", None)
    assert report["usage"]["run/model-requests"]["used"] >= 1
    assert report["head"] == events(cli)[-1]["hash"]


@pytest.mark.req("LED-03", "LED-05")
@pytest.mark.parametrize("at", [2, 3, 4, 5, 6])
def test_a_killed_run_goes_on_and_no_receipt_is_lost_or_paid_twice(cli: Cli, at: int) -> None:
    done = killed(cli, at)
    assert done.code == -9
    before = events(cli)
    resumed = cli("resume", "last", "--json")
    assert resumed.code == 0, resumed.err
    after = events(cli)
    assert after[: len(before)] == before
    assert "$18" in resumed.json["publication"]["body"]
    assert cli("verify", "last").code == 0
    settled = Counter(e["data"]["call_id"] for e in after if e["type"] == "ToolCallSettled")
    assert max(settled.values()) == 1
    tools = Counter(e["type"] for e in after if e["type"] == "ToolCallReserved")
    assert resumed.json["usage"]["run/tool-calls"]["used"] == tools["ToolCallReserved"]
