"""Purging takes the content of a Run and leaves its chain provable."""

from __future__ import annotations

import json

import pytest
from tests.e2e.cli import Cli


@pytest.fixture
def asked(cli: Cli) -> Cli:
    (cli.home / "docs").mkdir()
    (cli.home / "docs" / "pass.md").write_text("# City North\n\nThe City North day pass costs $18.\n")
    assert cli("ask", "How much does the City North day pass cost?", "--corpus", "docs", "--json").code == 0
    return cli


@pytest.mark.req("TRC-03", "LED-10")
def test_a_purged_run_says_nothing_any_more_and_still_verifies(asked: Cli) -> None:
    before = [json.loads(line) for line in asked("trace", "last", "--json").out.splitlines()]
    refused = asked("purge", "last", "--json")
    assert refused.code == 2
    assert "--yes" in refused.json["error"]["hint"]
    (purged,) = asked("purge", "last", "--yes", "--json").json
    assert purged["blobs"] == purged["deleted"] > 0
    verified = asked("verify", "last", "--json")
    assert (verified.code, verified.json["intact"], verified.json["purged_blobs"]) == (0, True, purged["blobs"])
    shown = asked("show", "last", "--json")
    assert shown.code == 3
    trace = asked("trace", "last", "--json")
    after = [json.loads(line) for line in trace.out.splitlines()]
    assert [event["hash"] for event in after[: len(before)]] == [event["hash"] for event in before]
    assert "$18" not in trace.out
    assert "$18" not in asked("runs", "--json").out
    store = asked.home / "data" / "counterfoil" / "counterfoil.db"
    assert b"day pass costs" not in store.read_bytes()


def test_only_runs_older_than_the_retention_are_due(asked: Cli) -> None:
    done = asked("purge", "--expired", "--yes")
    assert (done.code, done.out) == (0, "no Run is due\n")
    assert asked("purge").code == 2
    assert asked("show", "last").code == 0
