"""Killing the process before any commit and resuming, from a user's seat."""

from __future__ import annotations

import pytest
from tests.e2e.cli import Cli
from tests.e2e.test_cli_script import EXAMPLE

RUN = (
    *("run", str(EXAMPLE / "task.yaml"), "--snapshot", str(EXAMPLE / "web"), "--json"),
    *("--model", f"script:{EXAMPLE / 'script.jsonl'}"),
)


@pytest.mark.req("LED-05", "LED-03")
@pytest.mark.parametrize("at", ["2", "5", "9", "14"])
def test_a_killed_run_goes_on_from_its_receipts(cli: Cli, at: str) -> None:
    killed = cli(*RUN, COUNTERFOIL_CRASH_AT=at)
    assert killed.code < 0
    assert cli("verify", "last").code == 0
    resumed = cli("resume", "last", "--json")
    assert resumed.code == 10
    report = resumed.json
    assert (report["status"], report["stop_reason"]) == ("budget_exhausted_partial", "finish_accepted")
    assert "$18" in report["publication"]["body"]
    unknown = cli("trace", "last", "--json").out.count('"EffectOutcomeUnknown"')
    assert 7 <= report["usage"]["run/model-requests"]["used"] <= 7 + unknown
    assert report["usage"]["run/tool-calls"]["used"] <= 6
    assert cli("verify", "last").code == 0


def test_resuming_a_settled_run_prints_it_again(cli: Cli) -> None:
    first = cli(*RUN)
    again = cli("resume", "last", "--json")
    assert again.code == first.code == 10
    assert again.json == first.json


def test_resuming_nothing_says_so(cli: Cli) -> None:
    done = cli("resume", "last", "--json")
    assert done.code == 1
    assert done.json["error"]["code"] == "not_found"
