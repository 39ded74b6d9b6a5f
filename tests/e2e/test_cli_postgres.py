"""The command line with a store in PostgreSQL."""

from __future__ import annotations

import pytest
from tests.e2e.cli import DEMO, Cli
from tests.postgres import server


@pytest.mark.req("SCALE-01")
def test_a_run_is_recorded_listed_and_verified_there_and_no_password_is_shown(cli: Cli) -> None:
    url = server().new_schema()
    asked = cli("ask", "What does a visitor pass cost?", "--corpus", str(DEMO / "documents"), "--json", "--store", url)
    assert asked.json["delivered"], asked.err
    run_id = asked.json["run_id"]
    assert [run["run_id"] for run in cli("runs", "--json", COUNTERFOIL_STORE=url).json] == [run_id]
    verified = cli("verify", run_id, "--store", url, "--json")
    assert verified.json["intact"] and verified.json["head"] == asked.json["head"]
    checked = cli("doctor", "--store", url)
    lost = cli("runs", "--store", url.replace("s3cret", "secret2"))
    assert lost.code == 3
    for done in (asked, verified, checked, lost):
        assert "***" in done.out + done.err or done in (asked, verified)
        for part in ("s3cret", "secret2", "pass:word", "pass%3Aword"):
            assert part not in done.out + done.err
