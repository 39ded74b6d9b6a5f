"""Ctrl-C pauses a Run, `cancel` ends it, and of two processes that want one Run only one drives it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.cli import DEMO, PROGRAM, Cli

SEARCH = {"calls": [{"tool": "search_public_sources", "args": {"query": "three-day pass"}}]}
LONG = {**SEARCH, "delay_ms": 600_000}
LIMITED = {"calls": [{"tool": "finish_research", "args": {"outcome": "none", "limitations": ["nothing was found"]}}]}


class Driven:
    """A command that plays a script over the demo's documents, and what it said so far."""

    def __init__(self, cli: Cli, *script: dict[str, Any], options: tuple[str, ...] = ()) -> None:
        (cli.home / "script.jsonl").write_text("\n".join(json.dumps(line) for line in script))
        corpus = str(DEMO / "documents")
        ask = ["ask", "How much is it?", "--corpus", corpus, "--model", "script:script.jsonl", "--json", *options]
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *ask],
            cwd=cli.home,
            env=cli.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for(self, said: str) -> None:
        assert self.process.stderr is not None
        assert any(said in line for line in self.process.stderr), said

    def end(self) -> tuple[int, Any, str]:
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, json.loads(out), err


@pytest.fixture
def cli(tmp_path: Path) -> Iterator[Cli]:
    yield Cli(tmp_path)


def events(cli: Cli) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cli("trace", "last", "--json").out.splitlines()]


@pytest.mark.req("LED-03")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_lets_the_step_end_and_pauses(cli: Cli, number: signal.Signals) -> None:
    driven = Driven(cli, SEARCH, {**SEARCH, "delay_ms": 1500}, LIMITED)
    driven.wait_for("m2:")
    driven.process.send_signal(number)
    code, report, err = driven.end()
    assert code == 130
    assert report["status"] == "paused"
    assert "counterfoil resume" in err
    assert "EffectOutcomeUnknown" not in {event["type"] for event in events(cli)}
    assert cli("runs", "--json").json[0]["status"] == "paused"
    resumed = cli("resume", "last", "--json")
    assert resumed.json["stop_reason"] == "finish_accepted", resumed.err
    assert resumed.json["usage"]["run/model-requests"]["used"] == 3


@pytest.mark.req("LED-02")
def test_a_second_interrupt_stops_at_once_and_the_debit_stands(cli: Cli) -> None:
    driven = Driven(cli, SEARCH, LONG, LIMITED)
    driven.wait_for("m2:")
    driven.process.send_signal(signal.SIGINT)
    driven.wait_for("pausing")
    driven.process.send_signal(signal.SIGINT)
    code, report, _ = driven.end()
    assert (code, report["status"]) == (130, "paused")
    assert events(cli)[-2]["type"] == "EffectOutcomeUnknown"
    assert report["usage"]["run/model-requests"]["used"] == 2


@pytest.mark.req("LED-09", "LED-06")
def test_cancel_ends_a_run_that_another_process_drives(cli: Cli) -> None:
    driven = Driven(cli, SEARCH, LONG, LIMITED, options=("--set", "run/lease-seconds=3"))
    driven.wait_for("m2:")
    refused = cli("resume", "last", "--json")
    assert refused.code == 3
    assert "driven by another process" in refused.json["error"]["message"]
    cancelled = cli("cancel", "last", "--json")
    assert (cancelled.code, cancelled.json["status"]) == (130, "cancelled")
    code, lost, _ = driven.end()
    assert code == 3
    assert lost["error"]["code"] == "ledger_conflict"
    assert events(cli)[-1]["type"] == "RunSettled"
    assert cli("verify", "last").code == 0
    again = cli("resume", "last", "--json")
    assert (again.code, again.json["status"]) == (130, "cancelled")


@pytest.mark.req("LED-06")
def test_a_process_that_was_stopped_loses_its_run_when_its_lease_is_over(cli: Cli) -> None:
    driven = Driven(cli, SEARCH, {**SEARCH, "delay_ms": 1000}, LIMITED, options=("--set", "run/lease-seconds=1"))
    driven.wait_for("m2:")
    driven.process.send_signal(signal.SIGSTOP)
    resumed = cli("resume", "last", "--json")
    while resumed.code == 3:  # until the lease of the stopped process is over
        assert "driven by another process" in resumed.json["error"]["message"]
        resumed = cli("resume", "last", "--json")
    assert resumed.json["stop_reason"] == "finish_accepted", resumed.err
    before = events(cli)
    driven.process.send_signal(signal.SIGCONT)
    code, lost, _ = driven.end()
    assert code == 3
    assert lost["error"]["code"] == "ledger_conflict"
    assert events(cli) == before
    unknown = [event["data"]["id"] for event in before if event["type"] == "EffectOutcomeUnknown"]
    assert unknown == ["m2"]


def test_resume_all_goes_on_with_every_run_that_is_not_settled(cli: Cli) -> None:
    for _ in range(2):
        driven = Driven(cli, SEARCH, {**SEARCH, "delay_ms": 300}, LIMITED)
        driven.wait_for("m2:")
        driven.process.send_signal(signal.SIGINT)
        assert driven.end()[0] == 130
    done = cli("resume", "--all", "--json")
    assert [report["stop_reason"] for report in done.json] == ["finish_accepted", "finish_accepted"]
    assert cli("resume", "--all").out == "every Run is settled\n"
    assert cli("resume").code == 2
